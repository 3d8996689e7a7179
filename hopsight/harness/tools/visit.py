"""visit: an address to the page's text and pictures."""

from pydantic import Field

from hopsight.errors import Outcome, ToolError
from hopsight.harness.backends import PageText
from hopsight.harness.bank import ImageBank
from hopsight.harness.render import clip, neutralise
from hopsight.harness.tools.base import NewPicture, Piece, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench

PART_CHARS = 12_000
MAX_PICTURES = 4
MAX_TITLE_CHARS = 400


class VisitArgs(ToolArgs):
    """Arguments of visit."""

    url: str = Field(min_length=1, max_length=2_000, description="Address of the page")
    goal: str = Field(
        default="",
        max_length=1_000,
        description="What you want to know; only what the page says about it is shown",
    )
    part: int = Field(default=1, ge=1, le=10_000, description="Which part of a long page to read")


class Visit:
    """Read a page: its facts, its text with links, and its pictures under new handles.

    With a `goal`, only what the page says about it. Without one, a long page comes in parts; ask
    for the next one with `part`.
    """

    name = "visit"
    max_chars = PART_CHARS * 2
    args = VisitArgs

    async def run(self, args: VisitArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """One part of the page; pictures come with the first."""
        page = await bench.backend.visit(args.url)
        if page is None:
            return ToolResult(("There is no page at this address.",), Outcome.EMPTY)
        pictures = _pictures(page) if args.part == 1 else ()
        if args.goal.strip():
            return await _about(args.goal, page, bench, pictures)
        last = max(1, -(-len(page.markdown) // PART_CHARS))
        if args.part > last:
            raise ToolError(Outcome.INVALID_ARGS, f"visit: part {args.part} of {last}")
        text = page.markdown[(args.part - 1) * PART_CHARS : args.part * PART_CHARS]
        more = f"\n\n[part {args.part} of {last}]" if last > 1 else ""
        return ToolResult((neutralise(text).rstrip() + more, *pictures))


async def _about(
    goal: str, page: PageText, bench: Workbench, pictures: tuple[Piece, ...]
) -> ToolResult:
    text = await bench.reader.read(page, goal)
    if text is None:
        said = f"The page {page.title!r} says nothing in these words; read it without a goal."
        return ToolResult((neutralise(clip(said, MAX_TITLE_CHARS)), *pictures))
    return ToolResult((neutralise(text).rstrip(), *pictures))


def _pictures(page: PageText) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for image in page.images[:MAX_PICTURES]:
        pieces += [" " if pieces else "\n\nPictures on this page: ", NewPicture(image)]
    return tuple(pieces)
