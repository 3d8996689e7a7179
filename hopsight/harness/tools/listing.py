"""How tools write lists of hits."""

from collections.abc import Sequence

from hopsight.errors import Outcome
from hopsight.harness.backends import ImageHit, PageHit
from hopsight.harness.guard import Blocklist
from hopsight.harness.render import clip, neutralise
from hopsight.harness.tools.base import NewPicture, Piece, ToolResult

TITLE_CHARS = 200
URL_CHARS = 1_000
SNIPPET_CHARS = 500


def page_list(found: Sequence[PageHit], nothing: str, blocklist: Blocklist) -> ToolResult:
    """Numbered pages: title, address, snippet. Without hits: `nothing`, outcome empty.

    Hits of a blocked source are left out, and how many is said.
    """
    hits = [hit for hit in found if blocklist.blocks(hit.url) is None]
    left = _left_out(len(found) - len(hits))
    if not hits:
        return ToolResult((nothing, left), Outcome.EMPTY)
    lines = []
    for number, hit in enumerate(hits, start=1):
        snippet = f"\n   {_plain(hit.snippet, SNIPPET_CHARS)}" if hit.snippet else ""
        lines.append(f"{number}. {_heading(hit.title, hit.url)}{snippet}\n")
    return ToolResult(("".join(lines).rstrip("\n"), left))


def image_list(found: Sequence[ImageHit], nothing: str, blocklist: Blocklist) -> ToolResult:
    """Numbered pictures: handle, then title and address of the page that shows each.

    Hits of a blocked source are left out, and how many is said.
    """
    hits = [
        hit
        for hit in found
        if blocklist.blocks(hit.page_url) is None and blocklist.blocks(hit.image_url) is None
    ]
    left = _left_out(len(found) - len(hits))
    if not hits:
        return ToolResult((nothing, left), Outcome.EMPTY)
    pieces: list[Piece] = []
    for number, hit in enumerate(hits, start=1):
        start = "" if number == 1 else "\n"
        heading = _heading(hit.page_title, hit.page_url)
        pieces += [f"{start}{number}. ", NewPicture(hit.image), f" on the page {heading}"]
    return ToolResult((*pieces, left))


def _left_out(count: int) -> str:
    return f"\n[{count} left out: blocked source]" if count else ""


def _heading(title: str, url: str) -> str:
    return f"{_plain(title, TITLE_CHARS)}\n   {_plain(url, URL_CHARS)}"


def _plain(text: str, limit: int) -> str:
    return neutralise(clip(" ".join(text.split()), limit))
