"""Published corpora as a search backend, so that the tools of the harness work over them too."""

import asyncio
from dataclasses import dataclass
from typing import Final

from hopsight.errors import ProviderError
from hopsight.harness.backends import ImageHit, PageHit, PageText
from hopsight.harness.bank import Pictures
from hopsight.serve.corpora import ImageCorpus, TextCorpus
from hopsight.serve.documents import Found
from hopsight.types import ImageRef

MIN_SCORE: Final = 0.7
"""Below it MM-DeepResearch's client takes no picture."""

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class CorpusBackend:
    """Text search over one corpus, picture search over another; either may be missing."""

    texts: TextCorpus | None
    images: ImageCorpus | None
    pictures: Pictures

    @property
    def offers(self) -> frozenset[str]:
        """Names of the tools that it serves."""
        there = {"web_search": self.texts, "image_search": self.images}
        return frozenset(name for name, corpus in there.items() if corpus is not None)

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        """Documents as pages; their text is all that there is of them."""
        if self.texts is None:
            raise _not_served("web_search")
        return [_hit(found) for found in (await self.texts.retrieve([query], k))[0]]

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        """Pictures that the words are near enough to; they are stored before they are named."""
        if self.images is None:
            raise _not_served("image_search")
        scores, rows = await self.images.rows([query], k)
        near = [
            (row, score)
            for row, score in zip(rows[0], scores[0], strict=True)
            if row >= 0 and score >= MIN_SCORE
        ]
        return await asyncio.to_thread(self._image_hits, self.images, near)

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        """Not served."""
        raise _not_served("visual_search")

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        """Not served."""
        raise _not_served("scholar_search")

    async def visit(self, url: str) -> PageText | None:
        """Not served."""
        raise _not_served("visit")

    async def fetch_image(self, url: str) -> ImageRef | None:
        """Not served."""
        raise _not_served("fetch_image")

    def _image_hits(self, corpus: ImageCorpus, near: list[tuple[int, float]]) -> list[ImageHit]:
        hits = []
        for row, score in near:
            document = corpus.document(row)
            image = self.pictures.put(corpus.picture(row), "", UNKNOWN, UNKNOWN)
            hits.append(
                ImageHit(image, document["text"], str(document.get("url") or ""), score, "name")
            )
        return hits


def _hit(found: Found) -> PageHit:
    title, _, text = str(found.document["contents"]).partition("\n")
    url = found.document.get("url") or found.document.get("id") or ""
    return PageHit(str(url), title.strip('"'), text, found.score)


def _not_served(tool: str) -> ProviderError:
    return ProviderError(f"the corpus serves no {tool}", "use a backend that offers it")
