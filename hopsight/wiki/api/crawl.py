"""A crawl from start to end: explore, name, picture, and write it all as a dump source."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from hopsight.config.api import ApiSource
from hopsight.store.files import storage_errors, write_atomic
from hopsight.store.lock import file_lock
from hopsight.types import content_hash
from hopsight.wiki.api.answers import PageInfo, SiteAnswer, askable
from hopsight.wiki.api.cache import Cache
from hopsight.wiki.api.client import ApiClient
from hopsight.wiki.api.credit import credited, describe
from hopsight.wiki.api.explore import Explorer, Found
from hopsight.wiki.api.export import ExportPage, write_export
from hopsight.wiki.api.pictures import PictureFetcher, pictures_of
from hopsight.wiki.api.rejected import Rejected
from hopsight.wiki.api.transport import PoliteTransport, Sleep
from hopsight.wiki.api.wiki import Wiki
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.images import PictureRow
from hopsight.wiki.titles import Namespaces

_VERSION: Final = 2
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CrawlFiles:
    """What a crawl leaves: a dump source (export, pictures, sidecar) and what it could not take.

    `rejections` holds JSON lines with `reason`, `subject` (a title) and `detail`.
    """

    export: Path
    pictures: Path
    sidecar: Path
    rejections: Path

    @classmethod
    def of(cls, folder: Path) -> "CrawlFiles":
        """Where they lie in the folder of a crawl."""
        pictures = folder / "pictures"
        return cls(
            folder / "export.xml",
            pictures,
            pictures / "pictures.jsonl",
            folder / "rejections.jsonl",
        )


class CrawlSummary(BaseModel):
    """Written last, as `crawl.json`: what the files beside it hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    base_url: str
    config: str
    articles: int
    redirects: int
    pictures: int
    rejected: dict[str, int]


def crawl(
    config: ApiSource,
    folder: Path,
    *,
    refresh: bool = False,
    transport: httpx.AsyncBaseTransport | None = None,
    sleep: Sleep = asyncio.sleep,
) -> CrawlFiles:
    """Fetch the surroundings of the seeds into `folder`; a finished crawl is given as it is.

    A crawl that was killed goes on where it stopped and writes the same bytes as one that was
    not. `refresh` asks the wiki anew what there is, and fetches the revisions and pictures that
    are new. `transport` and `sleep` replace the network and the clock. Raises SourceError (the
    wiki cannot be used), StoreError (the disk cannot), LockedError (another crawl is at it).
    """
    files = CrawlFiles.of(folder)
    with file_lock(folder / "crawl.lock", f"the crawl in {folder}"):
        if refresh or not _finished(config, folder, files):
            with storage_errors(folder):
                (folder / "crawl.json").unlink(missing_ok=True)
            inner = transport or httpx.AsyncHTTPTransport(retries=0)
            polite = PoliteTransport(inner, config, sleep)
            asyncio.run(_Crawl(config, folder, files, refresh=refresh).run(polite))
    return files


def _finished(config: ApiSource, folder: Path, files: CrawlFiles) -> bool:
    path = folder / "crawl.json"
    if not path.is_file():
        return False
    with storage_errors(path):
        data = path.read_bytes()
    try:
        summary = CrawlSummary.model_validate_json(data)
    except ValidationError:
        return False  # of another version: the cache tells what is owed
    there = all(each.is_file() for each in (files.export, files.sidecar, files.rejections))
    return there and summary.version == _VERSION and summary.config == _fingerprint(config)


def _fingerprint(config: ApiSource) -> str:
    return content_hash(config.decides())


class _Crawl:
    """One run. The cache lies under the hash of the wiki's address: two wikis never mix."""

    def __init__(
        self, config: ApiSource, folder: Path, files: CrawlFiles, *, refresh: bool
    ) -> None:
        self._config = config
        self._folder = folder
        self._files = files
        wiki = content_hash(config.base_url)[:16]
        self._cache = Cache(folder / "cache" / wiki, refresh=refresh)
        self._rejected = Rejected()

    async def run(self, polite: PoliteTransport) -> None:
        try:
            async with ApiClient(self._config, polite) as client:
                await self._fetch(client)
        finally:
            self._cache.close()
        _log.info(
            "event=api_crawled requests=%d rejected=%s", polite.requests, self._rejected.counts()
        )

    async def _fetch(self, client: ApiClient) -> None:
        wiki = Wiki(client, self._cache, self._config)
        site = await wiki.site()
        names = Namespaces(
            SiteInfo(name=site.general.sitename, case=site.general.case, namespaces=site.namespaces)
        )
        explorer = Explorer(wiki, self._cache, self._config, names, self._rejected)
        await explorer.walk()
        await explorer.add_names()
        found = explorer.found
        rows: list[PictureRow] = []
        file_pages: list[PageInfo] = []
        if self._config.pictures:
            pictures = await pictures_of(found, wiki, site, self._rejected)
            texts = await describe(pictures, wiki, self._cache, self._config, self._rejected)
            wanted = [credited(each, texts, names) for each in pictures]
            file_pages = [page for page, _ in texts.values()]
            fetcher = PictureFetcher(
                client, self._cache, self._config, self._files.pictures, self._rejected
            )
            rows = await fetcher.fetch(wanted)
        pages = await self._targets(wiki, found)
        pages += [(page, None) for page in file_pages]
        self._write(site, found, sorted(pages, key=lambda pair: pair[0].pageid), rows)

    async def _targets(self, wiki: Wiki, found: Found) -> list[tuple[PageInfo, str | None]]:
        """Every page with the target of its redirect."""
        pages: list[tuple[PageInfo, str | None]] = [(p, None) for p in found.articles.values()]
        steps = await wiki.redirects(list(found.redirects))
        for page, step in zip(found.redirects.values(), steps, strict=True):
            if step is None or not askable(step.target):
                self._rejected.add("redirect_without_target", page.title)
            else:
                pages.append((page, step.target))
        return pages

    def _write(
        self,
        site: SiteAnswer,
        found: Found,
        pages: list[tuple[PageInfo, str | None]],
        rows: list[PictureRow],
    ) -> None:
        write_export(self._files.export, site, self._export_pages(pages))
        self._drop_old_pictures({row.file for row in rows})
        hidden = {"visual_facts", "text"}
        lines = "".join(row.model_dump_json(exclude=hidden) + "\n" for row in rows)
        write_atomic(self._files.sidecar, lines.encode())
        write_atomic(self._files.rejections, self._rejected.lines())
        summary = CrawlSummary(
            version=_VERSION,
            base_url=self._config.base_url,
            config=_fingerprint(self._config),
            articles=len(found.articles),
            redirects=len(found.redirects),
            pictures=len(rows),
            rejected=self._rejected.counts(),
        )
        write_atomic(self._folder / "crawl.json", summary.model_dump_json(indent=2).encode())

    def _export_pages(self, pages: list[tuple[PageInfo, str | None]]) -> Iterator[ExportPage]:
        for page, redirect in pages:
            revision = self._cache.revision(page.lastrevid)
            assert revision is not None  # every page here had its text fetched
            yield ExportPage(
                page_id=page.pageid,
                title=page.title,
                namespace=page.ns,
                revision=page.lastrevid,
                timestamp=revision.timestamp,
                redirect=redirect,
                text=revision.text,
            )

    def _drop_old_pictures(self, kept: set[str]) -> None:
        """What an earlier crawl left and this one does not list would be no part of the source."""
        with storage_errors(self._files.pictures):
            self._files.pictures.mkdir(parents=True, exist_ok=True)
            for path in self._files.pictures.iterdir():
                if path.name not in kept and path != self._files.sidecar:
                    path.unlink()
