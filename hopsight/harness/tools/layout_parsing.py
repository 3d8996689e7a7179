"""layout_parsing: the text in a picture, with its places."""

from typing import Final

from pydantic import Field

from hopsight.errors import Outcome, ToolError
from hopsight.harness.bank import ImageBank
from hopsight.harness.render import clip, neutralise, storable
from hopsight.harness.tools.base import ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import LayoutLine

MAX_LINES: Final = 150
LINE_CHARS: Final = 300


class LayoutParsingArgs(ToolArgs):
    """Arguments of layout_parsing."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")


class LayoutParsing:
    """Read the text in an image: each line with its box as fractions x0 y0 x1 y1 of the image."""

    name = "layout_parsing"
    max_chars = 12_000
    args = LayoutParsingArgs

    async def run(self, args: LayoutParsingArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """The lines in reading order; empty where the picture holds no text."""
        entry = bank.resolve(args.image)
        if bench.layout is None:
            raise ToolError(Outcome.UNKNOWN_TOOL, "layout_parsing is not available here")
        lines = await bench.layout.parse(bank.data(entry))
        if not lines:
            return ToolResult((f"No text was found ({bench.layout.name}).",), Outcome.EMPTY)
        shown = [_line(number, line) for number, line in enumerate(lines[:MAX_LINES], start=1)]
        if len(lines) > MAX_LINES:
            shown.append(f"[cut: {MAX_LINES} of {len(lines)} lines shown]")
        head = f"Text found ({bench.layout.name}), {len(lines)} lines, each with its box:"
        return ToolResult(("\n".join([head, *shown]),))


def _line(number: int, line: LayoutLine) -> str:
    text = neutralise(clip(" ".join(storable(line.text).split()), LINE_CHARS))
    box = " ".join(f"{share:.3f}" for share in line.box)
    return f"{number}. {text} [{box}]"
