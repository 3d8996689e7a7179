"""What a provider of searches, of pages and of public addresses for pictures can do."""

from dataclasses import dataclass
from typing import Literal, Protocol

from hopsight.search import PageHit

SearchKind = Literal["search", "images", "scholar", "lens"]


@dataclass(frozen=True, slots=True)
class FoundPicture:
    """A picture that a provider names. `addresses`: of the picture, then of smaller copies.

    An address is http(s) or a data: URL; nothing of it is fetched yet.
    """

    page_title: str
    page_url: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page as a reader gives it: Markdown without pictures, and where its pictures lie.

    `url` is where it came from after all redirects, as far as the reader tells."""

    url: str
    title: str
    markdown: str
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hosted:
    """A picture at a public address. `name` and `version` are what its host deletes it by."""

    url: str
    name: str
    version: str = ""


class SearchProvider(Protocol):
    """A web-search service. No match is an empty list; a failure raises ProviderError."""

    @property
    def kinds(self) -> frozenset[SearchKind]:
        """What it can search for."""
        ...

    async def search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words, the best first."""
        ...

    async def scholar(self, query: str, k: int) -> list[PageHit]:
        """Papers for words."""
        ...

    async def images(self, query: str, k: int) -> list[FoundPicture]:
        """Pictures for words."""
        ...

    async def lens(self, image_url: str, k: int) -> list[FoundPicture]:
        """Pages and pictures like the one at a public address."""
        ...


class PageProvider(Protocol):
    """A service that reads pages."""

    async def read(self, url: str) -> FoundPage | None:
        """The page at `url`; None where the site says that there is none (404, 410).

        Raises ProviderError where it cannot be read: an error page is never given as content.
        """
        ...


class ImageHost(Protocol):
    """A place where a picture gets a public address."""

    @property
    def deletes(self) -> bool:
        """Whether it can take a picture back."""
        ...

    async def put(self, data: bytes, mime: str) -> Hosted:
        """Make a picture public under a name that reveals nothing of it."""
        ...

    async def delete(self, hosted: Hosted) -> None:
        """Take it back; nothing where the host cannot."""
        ...
