"""The local backend: search and pages of a snapshot from one folder, no network, no server."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hopsight.errors import ProviderError, StoreError
from hopsight.harness.backends import SERVED, PageText
from hopsight.harness.backends.pages import PageFile, normal_url
from hopsight.imaging import in_thread
from hopsight.search import (
    EmbeddedPictures,
    ImageEmbedder,
    ImageHit,
    ImageIndex,
    PageHit,
    TextIndex,
)
from hopsight.types import ImageRef

FORMAT: Final = 3
INDEX_FILE: Final = "index.json"
OFFERS: Final = SERVED - {"scholar_search"}
"""What a snapshot can serve: it holds no papers."""


class LocalBackend:
    """Read-only; opening maps files and computes nothing, so that each process opens its own."""

    def __init__(self, folder: Path, embedder: ImageEmbedder | None = None) -> None:
        """Open what `build_local_index` wrote.

        With an `embedder` pictures are also found by likeness to it. Raises StoreError where the
        index is missing, old, or was built without this embedder.
        """
        _check_format(folder)
        self._text = TextIndex.open(folder / "text")
        self._captions = TextIndex.open(folder / "captions")
        self._pictures = ImageIndex.open(folder / "pictures")
        self._pages = PageFile(folder)
        self._by_sha = {entry.image.sha256: entry for entry in self._pictures.entries}
        self._by_source = _by_source(entry.image for entry in self._pictures.entries)
        self._embedded = EmbeddedPictures.open(folder / "embedded", embedder) if embedder else None

    @property
    def offers(self) -> frozenset[str]:
        """All but scholar_search."""
        return OFFERS

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words."""
        return self._text.search(query, k)

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        """Pictures whose page's names, or what is written of them, fit the words."""
        hits = []
        for found in self._captions.search(query, k):
            sha256, _, url = found.url.partition(" ")
            image = self._by_sha[sha256].image
            hits.append(ImageHit(image, found.title, url, found.score, "name"))
        if self._embedded is not None and len(hits) < k:
            shown = {hit.sha256 for hit in hits}
            like = self._like(await in_thread(self._embedded.by_text, query, k))
            hits += [hit for hit in like if hit.sha256 not in shown]
        return hits[: max(0, k)]

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture; with an embedder, where none does, those of like ones.

        Looking at pixels takes a thread, so that other episodes go on. Raises PictureError where
        `image` is none.
        """
        found = self._pictures.known_pixels(image, k)
        if found is None:
            found = await in_thread(self._pictures.search_pixels, image, k)
        if found or self._embedded is None:
            return found
        return self._like(await in_thread(self._embedded.by_image, image, k))[: max(0, k)]

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        """Not offered: a snapshot holds no papers. Raises ProviderError."""
        raise ProviderError(
            "the local backend has no scholar_search",
            "leave that tool out, or configure a live backend that offers it",
        )

    async def fetch_image(self, url: str) -> ImageRef | None:
        """The picture of the snapshot that comes from `url`, None where there is none."""
        return self._by_source.get(normal_url(url))

    async def visit(self, url: str) -> PageText | None:
        """The page at `url`, None where there is none."""
        return self._pages.get(url)

    def _like(self, found: list[tuple[str, float]]) -> list[ImageHit]:
        return [
            ImageHit(self._by_sha[sha256].image, title, url, cosine, "embedding")
            for sha256, cosine in found
            for title, url in self._by_sha[sha256].pages
        ]


def _by_source(images: Iterable[ImageRef]) -> dict[str, ImageRef]:
    """Pictures by address; one that several pictures give as theirs is no address of a picture."""
    named: dict[str, ImageRef | None] = {}
    for image in images:
        address = normal_url(image.source_url)
        named[address] = None if address in named else image
    return {address: image for address, image in named.items() if image is not None and address}


def _check_format(folder: Path) -> None:
    try:
        value = json.loads((folder / INDEX_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(
            f"no search index in {folder}", "materialize the asset search_index"
        ) from error
    if value.get("format") != FORMAT:
        raise StoreError(
            f"the search index in {folder} has format {value.get('format')}, not {FORMAT}",
            "materialize the asset search_index again",
        )
