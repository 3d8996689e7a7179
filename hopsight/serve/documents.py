"""What `/retrieve` looks up: words to documents with scores."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hopsight.harness.backends import PageHit, SearchBackend

YIELD_EVERY: Final = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A document as it is sent. It has at least `contents`: the title, a line break, the text."""

    document: Mapping[str, Any]
    score: float


class Retriever(Protocol):
    """Documents for words. No match is an empty list; a failure raises ProviderError."""

    async def retrieve(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """One list for each query, best first, in the order of the queries."""
        ...


@dataclass(frozen=True, slots=True)
class PageRetriever:
    """Pages of a search backend as documents."""

    backend: SearchBackend

    async def retrieve(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """One list for each query; equal queries are looked up once."""
        known: dict[str, list[Found]] = {}
        for number, query in enumerate(dict.fromkeys(queries), start=1):
            known[query] = [_page(hit) for hit in await self.backend.web_search(query, k)]
            if number % YIELD_EVERY == 0:
                await asyncio.sleep(0)  # a long request must not keep the short ones waiting
        return [known[query] for query in queries]


def _page(hit: PageHit) -> Found:
    document = {
        "id": hit.url,
        "url": hit.url,
        "title": hit.title,
        "text": hit.snippet,
        "contents": f"{hit.title}\n{hit.snippet}",
    }
    return Found(document, hit.score)
