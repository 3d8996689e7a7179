"""How tools write lists of hits."""

from collections.abc import Sequence

from hopsight.errors import Outcome
from hopsight.harness.backends import ImageHit, PageHit
from hopsight.harness.render import clip, neutralise
from hopsight.harness.tools.base import NewPicture, Piece, ToolResult

TITLE_CHARS = 200
URL_CHARS = 1_000
SNIPPET_CHARS = 500


def page_list(hits: Sequence[PageHit], nothing: str) -> ToolResult:
    """Numbered pages: title, address, snippet. Without hits: `nothing`, outcome empty."""
    if not hits:
        return ToolResult((nothing,), Outcome.EMPTY)
    lines = []
    for number, hit in enumerate(hits, start=1):
        snippet = f"\n   {_plain(hit.snippet, SNIPPET_CHARS)}" if hit.snippet else ""
        lines.append(f"{number}. {_heading(hit.title, hit.url)}{snippet}\n")
    return ToolResult(("".join(lines).rstrip("\n"),))


def image_list(hits: Sequence[ImageHit], nothing: str) -> ToolResult:
    """Numbered pictures: handle, then title and address of the page that shows each."""
    if not hits:
        return ToolResult((nothing,), Outcome.EMPTY)
    pieces: list[Piece] = []
    for number, hit in enumerate(hits, start=1):
        start = "" if number == 1 else "\n"
        heading = _heading(hit.page_title, hit.page_url)
        pieces += [f"{start}{number}. ", NewPicture(hit.image), f" on the page {heading}"]
    return ToolResult(tuple(pieces))


def _heading(title: str, url: str) -> str:
    return f"{_plain(title, TITLE_CHARS)}\n   {_plain(url, URL_CHARS)}"


def _plain(text: str, limit: int) -> str:
    return neutralise(clip(" ".join(text.split()), limit))
