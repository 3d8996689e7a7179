"""The local backend: search and pages of a snapshot from one folder, no network, no server."""

import json
from pathlib import Path
from typing import Final

from hopsight.errors import ProviderError, StoreError
from hopsight.harness.backends import PageText
from hopsight.harness.backends.pages import PageFile
from hopsight.search import ImageHit, ImageIndex, PageHit, TextIndex
from hopsight.types import ImageRef

FORMAT: Final = 1
INDEX_FILE: Final = "index.json"
OFFERS: Final = frozenset({"web_search", "image_search", "visual_search", "visit"})


class LocalBackend:
    """Read-only; opening maps files and computes nothing, so that each process opens its own."""

    def __init__(self, folder: Path) -> None:
        """Open what `build_local_index` wrote. Raises StoreError where that is missing or old."""
        _check_format(folder)
        self._text = TextIndex.open(folder / "text")
        self._names = TextIndex.open(folder / "names")
        self._pictures = ImageIndex.open(folder / "pictures")
        self._pages = PageFile(folder)

    @property
    def offers(self) -> frozenset[str]:
        """The tools that a snapshot can serve."""
        return OFFERS

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words."""
        return self._text.search(query, k)

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        """Pictures of pages whose title or other name fits the words."""
        hits = []
        for found in self._names.search(query, k):
            page = self._pages.get(found.url)
            hits += [
                ImageHit(image, found.title, found.url, found.score, "name")
                for image in (page.images if page else ())
            ]
        return hits[:k]

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture. Raises PictureError where `image` is none."""
        return self._pictures.search_pixels(image, k)

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        """Not offered: a snapshot holds no papers."""
        raise ProviderError("a snapshot holds no papers", "take scholar_search out of the tools")

    async def fetch_image(self, url: str) -> ImageRef | None:
        """Not offered yet."""
        raise ProviderError("no pictures by address", "take fetch_image out of the tools")

    async def visit(self, url: str) -> PageText | None:
        """The page at `url`, None where there is none."""
        return self._pages.get(url)


def _check_format(folder: Path) -> None:
    try:
        value = json.loads((folder / INDEX_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(
            f"no search index in {folder}", "build it with build_local_index"
        ) from error
    if value.get("format") != FORMAT:
        raise StoreError(
            f"the search index in {folder} has format {value.get('format')}, not {FORMAT}",
            "build it again",
        )
