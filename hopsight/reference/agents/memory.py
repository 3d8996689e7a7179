"""Making the closed-book memory: the pages that most others link to, as a visit shows them."""

from typing import Final

from hopsight.harness.backends import SearchBackend
from hopsight.reference.agents.direct import Memory
from hopsight.wiki.snapshot import Snapshot

REMEMBERED: Final = 120
"""Pages known by heart, by in-degree: a declared stand-in for parametric knowledge."""


async def remember(snapshot: Snapshot, backend: SearchBackend, pages: int = REMEMBERED) -> Memory:
    """The `pages` most linked articles of a snapshot and their pictures."""
    articles = [
        page
        for page in map(snapshot.page, snapshot.ids())
        if not page.is_disambiguation and not page.is_list and page.infobox is not None
    ]
    known = sorted(articles, key=lambda page: (-page.in_degree, page.page_id))[:pages]
    texts: dict[str, str] = {}
    pictures: dict[str, str] = {}
    for page in known:
        shown = await backend.visit(page.url)
        if shown is not None:
            texts[page.url] = shown.markdown
            pictures.update((image.sha256, page.url) for image in shown.images)
    return Memory(texts, pictures)
