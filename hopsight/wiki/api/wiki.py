"""The questions of a crawl, in batches, each asked once: known answers come from the cache."""

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Mapping,
    Sequence,
)
from typing import Any

from hopsight.config.api import ApiSource
from hopsight.wiki.api.answers import (
    FileInfo,
    PageInfo,
    RedirectStep,
    RevisionRow,
    SiteAnswer,
    fits_xml,
    read,
    read_file,
    read_site,
    renamed,
    rows,
)
from hopsight.wiki.api.cache import Cache, Revision
from hopsight.wiki.api.client import BATCH, ApiClient, batches

Ask = Callable[[list[str]], Awaitable[dict[str, Any]]]

_BATCH_TEXT = 4_000_000
"""Bytes of wikitext asked for in one request: a MediaWiki cuts its answers at 8 MiB."""


class Wiki:
    """One wiki, asked through a client and a cache. Every method raises SourceError."""

    def __init__(self, client: ApiClient, cache: Cache, config: ApiSource) -> None:
        self._client = client
        self._cache = cache
        self._config = config
        # A question may take many requests: few are begun at once, so that few are lost by a kill.
        self._turns = asyncio.Semaphore(config.concurrency)

    async def site(self) -> SiteAnswer:
        """What the wiki says about itself."""
        known = self._cache.known("site", "")
        if known is None:
            query: dict[str, Any] = {}
            async for part in self._client.query(
                meta="siteinfo", siprop="general|namespaces|extensions"
            ):
                query.update(part)
            self._cache.learn("site", "", read_site(query).model_dump(mode="json"))
            known = self._cache.known("site", "")
        assert known is not None
        return read(SiteAnswer, known[0])

    async def search(self, text: str) -> list[str]:
        """Titles of articles whose text matches, best first."""
        most = self._config.seeds_per_search
        key = f"{most}:{text}"
        if self._cache.known("search", key) is None:
            found: list[str] = []
            async for query in self._client.query(
                list="search", srsearch=text, srwhat="text", srnamespace=0, srlimit=most
            ):
                found += [read(PageInfo, row).title for row in rows(query, "search")]
                if len(found) >= most:
                    break
            self._cache.learn("search", key, found[:most])
        known = self._cache.known("search", key)
        return [] if known is None else list(known[0])

    async def infos(self, titles: Sequence[str]) -> list[PageInfo | None]:
        """What stands under each title, in their order; None for a title of another wiki."""
        found = await self._each("info", titles, self._ask_infos)
        return [None if value is None else read(PageInfo, value) for value in found]

    async def redirects(self, titles: Sequence[str]) -> list[RedirectStep | None]:
        """Where each redirect leads, one step; None where the wiki does not say."""
        found = await self._each("redirect", titles, self._ask_redirects)
        return [None if value is None else read(RedirectStep, value) for value in found]

    async def redirects_to(self, titles: Sequence[str]) -> list[list[str]]:
        """For each page the sorted titles of articles' redirects to it."""
        found = await self._each("names", titles, self._ask_names)
        return [[] if value is None else list(value) for value in found]

    async def files(self, names: Sequence[str]) -> list[FileInfo | None]:
        """Picture files by name, without namespace; None where there is none."""
        width = self._config.max_picture_px
        found = await self._each(f"file{width}", names, self._ask_files)
        return [None if value is None else read(FileInfo, value) for value in found]

    async def leading_pictures(self, titles: Sequence[str]) -> list[str | None]:
        """The file that the wiki shows for each page, where it knows one."""
        found = await self._each("leading", titles, self._ask_leading)
        return [None if value is None else str(value) for value in found]

    async def listed_links(self, titles: Sequence[str]) -> list[list[str]]:
        """For each page the articles it links to, as the wiki lists them."""

        async def ask(group: list[str]) -> dict[str, Any]:
            return {title: await self._client.listed_links(title) for title in group}

        groups = [[title] for title in self._cache.unknown("listed", titles)]
        await self._learn("listed", groups, ask)
        return [list((self._cache.known("listed", title) or ([],))[0]) for title in titles]

    async def revisions(self, pages: Sequence[PageInfo]) -> None:
        """Have the pages' revisions in the cache, those that the wiki still gives away."""
        wanted = {
            str(page.lastrevid): page.length
            for page in pages
            if not self._cache.has_revision(page.lastrevid)
        }
        unknown = self._cache.unknown("gone", wanted)
        groups: list[list[str]] = [[]]
        size = 0
        for number in unknown:
            if groups[-1] and (len(groups[-1]) == BATCH or size + wanted[number] > _BATCH_TEXT):
                groups.append([])
                size = 0
            groups[-1].append(number)
            size += wanted[number]
        await self._learn("gone", [group for group in groups if group], self._ask_revisions)

    async def _each(self, kind: str, keys: Sequence[str], ask: Ask) -> list[Any]:
        """The answer for each key; the unknown ones are asked in batches."""
        await self._learn(kind, batches(self._cache.unknown(kind, keys)), ask)
        return [(self._cache.known(kind, key) or (None,))[0] for key in keys]

    async def _learn(self, kind: str, groups: Iterable[list[str]], ask: Ask) -> None:
        """Ask the groups side by side; each one's answer is kept as it comes."""

        async def one(group: list[str]) -> None:
            async with self._turns:
                answer = await ask(group)
            for key in group:
                if kind != "gone" or key in answer:
                    self._cache.learn(kind, key, answer.get(key))

        await side_by_side(one(group) for group in groups)

    async def _pages(
        self, asked: Mapping[str, str], **parameters: str | int
    ) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """The pages of an answer, each with the key under which its title was asked."""
        async for query in self._client.query(titles="|".join(asked.values()), **parameters):
            keys: dict[str, list[str]] = {}
            for key, title in asked.items():
                keys.setdefault(renamed(query, title), []).append(key)
            for row in rows(query, "pages"):
                for key in keys.get(str(row.get("title")), []):
                    yield key, row

    async def _ask_infos(self, titles: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        async for title, row in self._pages(_same(titles), prop="info"):
            found[title] = read(PageInfo, row).model_dump(mode="json", exclude_defaults=True)
        return found

    async def _ask_redirects(self, titles: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        async for query in self._client.query(titles="|".join(titles), redirects=1):
            for row in rows(query, "redirects"):
                found[str(row.get("from"))] = read(RedirectStep, row).model_dump(mode="json")
        return found

    async def _ask_names(self, titles: list[str]) -> dict[str, Any]:
        found: dict[str, set[str]] = {}
        async for title, row in self._pages(
            _same(titles), prop="redirects", rdprop="title", rdnamespace=0, rdlimit="max"
        ):
            names = {read(PageInfo, each).title for each in rows(row, "redirects")}
            found.setdefault(title, set()).update(names)
        return {title: sorted(names) for title, names in found.items()}

    async def _ask_files(self, names: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        async for name, row in self._pages(
            {name: f"File:{name}" for name in names},
            prop="imageinfo",
            iiprop="url|size|sha1|mime|thumbmime|extmetadata",
            iiextmetadatafilter="LicenseShortName|Artist",
            iiurlwidth=self._config.max_picture_px,
            iiurlheight=self._config.max_picture_px,
        ):
            for each in rows(row, "imageinfo")[:1]:
                file = read_file(each, str(row.get("imagerepository", "")))
                found[name] = file.model_dump(mode="json", exclude_defaults=True)
        return found

    async def _ask_leading(self, titles: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        async for title, row in self._pages(
            _same(titles), prop="pageimages", piprop="name", pilicense="any", pilimit="max"
        ):
            if isinstance(row.get("pageimage"), str):
                found[title] = row["pageimage"]
        return found

    async def _ask_revisions(self, numbers: list[str]) -> dict[str, Any]:
        """Store the revisions that are given; says of the others why not."""
        gone: dict[str, Any] = dict.fromkeys(numbers, "page_deleted_meanwhile")
        async for query in self._client.query(
            revids="|".join(numbers),
            prop="revisions",
            rvprop="ids|timestamp|content",
            rvslots="main",
        ):
            for page in rows(query, "pages"):
                for each in rows(page, "revisions"):
                    self._keep(read(RevisionRow, each), gone)
        return gone

    def _keep(self, row: RevisionRow, gone: dict[str, Any]) -> None:
        text = row.slots.get("main")
        if text is None or text.content is None:
            gone[str(row.revid)] = "page_text_hidden"
        elif not fits_xml(text.content):
            gone[str(row.revid)] = "page_with_control_characters"
        else:
            gone.pop(str(row.revid), None)
            self._cache.keep_revision(
                Revision(revision=row.revid, timestamp=row.timestamp, text=text.content)
            )


async def side_by_side(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do several things at once; the first error ends them all and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as tasks:
            for work in works:
                tasks.create_task(work)
    except ExceptionGroup as group:
        raise group.exceptions[0] from group


def _same(titles: list[str]) -> dict[str, str]:
    return {title: title for title in titles}
