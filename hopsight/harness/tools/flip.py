"""flip: a picture mirrored."""

from typing import Literal

from PIL import Image
from pydantic import Field

from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import NewPicture, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import in_thread
from hopsight.search.pixels import open_picture


class FlipArgs(ToolArgs):
    """Arguments of flip."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")
    direction: Literal["horizontal", "vertical"] = Field(
        description="horizontal swaps left and right, vertical swaps top and bottom"
    )


class Flip:
    """Mirror an image; the mirrored image joins the images under a new handle."""

    name = "flip"
    max_chars = 1_000
    args = FlipArgs

    async def run(self, args: FlipArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """The mirrored picture."""
        return await in_thread(_mirrored, args, bank)


def _mirrored(args: FlipArgs, bank: ImageBank) -> ToolResult:
    entry = bank.resolve(args.image)
    across = args.direction == "horizontal"
    how = Image.Transpose.FLIP_LEFT_RIGHT if across else Image.Transpose.FLIP_TOP_BOTTOM
    mirrored = open_picture(bank.data(entry)).transpose(how)
    return ToolResult(("Mirrored: ", NewPicture(bank.store(mirrored, entry), entry.handle)))
