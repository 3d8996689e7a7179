"""Where searches and pages come from. The pictures that a backend names lie in the image store."""

from dataclasses import dataclass
from typing import Final, Protocol

from hopsight.search import ImageHit, PageHit
from hopsight.types import ImageRef

SERVED: Final = frozenset(
    "web_search image_search visual_search scholar_search visit fetch_image".split()
)
"""The tools that a backend answers; the others work on pictures and programs."""


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as a reader gets it: Markdown without pictures, and the pictures beside it."""

    url: str
    title: str
    markdown: str
    images: tuple[ImageRef, ...] = ()


class SearchBackend(Protocol):
    """Search, pages and pictures. No match is an empty answer; a failure raises ProviderError.

    `k` bounds the number of hits. Answers depend on the arguments alone.
    """

    @property
    def offers(self) -> frozenset[str]:
        """Names of the tools that it can serve; the others are refused before an episode."""
        ...

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words."""
        ...

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        """Pictures for words."""
        ...

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture. Raises PictureError where `image` is none."""
        ...

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        """Papers for words."""
        ...

    async def fetch_image(self, url: str) -> ImageRef | None:
        """The picture at `url`, stored; None where there is none."""
        ...

    async def visit(self, url: str) -> PageText | None:
        """The page at `url`, None where there is none."""
        ...


__all__ = ["SERVED", "ImageHit", "PageHit", "PageText", "SearchBackend"]
