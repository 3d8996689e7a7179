"""Fetching the articles' pictures: from hosts that are allowed alone, bounded, and looked into."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import httpx

from hopsight.config.api import ApiSource
from hopsight.errors import PictureError
from hopsight.net import BlockedAddress
from hopsight.net.address import PORTS, target_of
from hopsight.store.images import MAX_PIXELS, inspect_picture
from hopsight.wiki.api.answers import FileInfo, SiteAnswer, askable
from hopsight.wiki.api.cache import Cache
from hopsight.wiki.api.client import ApiClient
from hopsight.wiki.api.explore import Found
from hopsight.wiki.api.rejected import Rejected
from hopsight.wiki.api.wiki import Wiki, side_by_side
from hopsight.wiki.images import NO_CREDIT, Credit, PictureRow, file_key

_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/webp"})


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to fetch. `name` is the file's name, `title` the page that shows it."""

    name: str
    title: str
    file: FileInfo
    credit: Credit = NO_CREDIT


class PictureFetcher:
    """Puts pictures into a folder; what cannot be taken is a reason."""

    def __init__(
        self,
        client: ApiClient,
        cache: Cache,
        config: ApiSource,
        folder: Path,
        rejected: Rejected,
    ) -> None:
        self._client = client
        self._cache = cache
        self._config = config
        self._folder = folder
        self._rejected = rejected
        self._allowed = allowed_hosts(config)

    async def fetch(self, pictures: Iterable[Picture]) -> list[PictureRow]:
        """The sidecar's rows, by file name. Raises SourceError if the wiki does not answer."""
        rows: dict[str, PictureRow] = {}

        async def one(each: Picture) -> None:
            url = self._address(each)
            row = None if url is None else await self._taken(each, url)
            if row is not None:
                rows[each.name] = row

        await side_by_side(one(each) for each in pictures)
        return [row for _, row in sorted(rows.items())]

    def _address(self, picture: Picture) -> str | None:
        """Where a picture may be fetched from."""
        name, file = picture.name, picture.file
        source = _source(file, self._config)
        if source is None:
            size = f"{file.mime}, {file.width}x{file.height}, {file.size} bytes"
            self._rejected.add("picture_type_or_size", name, size)
            return None
        if not picture.credit.license:
            self._rejected.add("picture_without_license", name)
            return None
        url = urljoin(self._config.base_url, source)
        host = host_of(url)
        if host not in self._allowed:
            detail = f"{host or url} is not in picture_hosts"
            self._rejected.add("picture_host_not_allowed", name, detail)
            return None
        return url

    async def _taken(self, picture: Picture, url: str) -> PictureRow | None:
        """The row of a picture that lies in the folder, fetched now or in an earlier crawl."""
        key = hashlib.sha256(f"{picture.file.sha1} {url}".encode()).hexdigest()
        data = self._cache.picture(key, self._folder / picture.name)
        if data is not None:
            return self._row(picture, data)
        data = self._checked(picture, url, await self._client.file(url))
        row = None if data is None else self._row(picture, data)
        if data is not None and row is not None:
            self._cache.keep_picture(key, self._folder / picture.name, data)
        return row

    def _checked(self, picture: Picture, url: str, response: httpx.Response | None) -> bytes | None:
        """The bytes of an answer if they are what was promised."""
        name, file = picture.name, picture.file
        if response is None:
            most = f"more than {self._config.max_picture_bytes} bytes"
            self._rejected.add("picture_too_large", name, most)
            return None
        kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
        if response.status_code != 200:
            self._rejected.add("picture_unavailable", name, f"HTTP {response.status_code}")
        elif kind not in _TYPES:
            self._rejected.add("picture_of_other_type", name, kind)
        elif self._is_original(file, url) and _sha1(response.content) != file.sha1:
            self._rejected.add("picture_changed", name, "its sha1 is not the one the wiki names")
        else:
            return response.content
        return None

    def _is_original(self, file: FileInfo, url: str) -> bool:
        return bool(file.sha1) and url == urljoin(self._config.base_url, file.url)

    def _row(self, picture: Picture, data: bytes) -> PictureRow | None:
        try:
            _, width, height = inspect_picture(data, picture.name)
        except PictureError as error:
            self._rejected.add_error("picture_unusable", picture.name, error)
            return None
        return PictureRow(
            file=picture.name,
            title=picture.title,
            width=width,
            height=height,
            sha256=hashlib.sha256(data).hexdigest(),
            license=picture.credit.license,
            author=picture.credit.author,
        )


async def pictures_of(
    found: Found, wiki: Wiki, site: SiteAnswer, rejected: Rejected
) -> list[Picture]:
    """The pictures that the articles show, each once: those they lead with by their text, else by
    what the wiki puts beside them, and the others of their text. Their credits are not known yet.
    """
    named = dict(found.pictures)
    if site.page_images:
        without = [title for title in found.articles if title not in named]
        leading = zip(without, await wiki.leading_pictures(without), strict=True)
        named.update((title, name) for title, name in leading if name)
    others = ((title, name) for title, names in found.others.items() for name in names)
    titles = _by_file((*named.items(), *others), rejected)
    pictures: list[Picture] = []
    for name, file in zip(titles, await wiki.files(list(titles)), strict=True):
        if file is None:
            rejected.add("picture_missing", name, titles[name])
        else:
            pictures.append(Picture(name, titles[name], file))
    return pictures


def _by_file(pictures: Iterable[tuple[str, str]], rejected: Rejected) -> dict[str, str]:
    """The first page by file name, of pages and files, where it can be a name on disk."""
    found: dict[str, str] = {}
    for title, written in pictures:
        name = file_key(written)
        plain = not name.startswith(".") and not any(sign in name for sign in "/\\:")
        if plain and askable(name) and len(name.encode()) <= 240:
            found.setdefault(name, title)
        else:
            rejected.add("picture_name_unusable", written, title)
    return found


def allowed_hosts(config: ApiSource) -> frozenset[str]:
    """`host:port` of the wiki itself and of the hosts that the configuration names."""
    named = {
        host if ":" in host else f"{host}:{port}"
        for host in config.picture_hosts
        for port in PORTS.values()
    }
    own = host_of(config.base_url)
    assert own is not None  # the configuration takes no other address
    return frozenset({own, *named})


def host_of(url: str) -> str | None:
    """`host:port` of a plain http(s) address; None for any other."""
    try:
        return target_of(url).place
    except BlockedAddress:
        return None


def _source(file: FileInfo, config: ApiSource) -> str | None:
    """Where to fetch a file from: as it is if it is small enough, else scaled down by the wiki;
    a large one as it is where the wiki cannot scale it and the other bounds hold.
    """
    original = (
        file.mime in _TYPES
        and file.size <= config.max_picture_bytes
        and file.width * file.height <= MAX_PIXELS
    )
    if original and max(file.width, file.height) <= config.max_picture_px:
        return file.url
    if file.thumburl and file.thumburl != file.url and file.thumbmime in _TYPES:
        return file.thumburl
    return file.url if original else None


def _sha1(data: bytes) -> str:
    # The wiki names its files by this hash; nothing rests on its strength.
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()
