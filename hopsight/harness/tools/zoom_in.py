"""zoom_in: a region of a picture."""

from pydantic import Field

from hopsight.errors import Outcome, ToolError
from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import NewPicture, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import in_thread
from hopsight.search.pixels import open_picture

MIN_SIDE_PX = 8


class ZoomInArgs(ToolArgs):
    """Arguments of zoom_in."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")
    x0: float = Field(ge=0, le=1, description="Left edge, as a fraction of the image's width")
    y0: float = Field(ge=0, le=1, description="Top edge, as a fraction of the image's height")
    x1: float = Field(ge=0, le=1, description="Right edge, as a fraction of the image's width")
    y1: float = Field(ge=0, le=1, description="Bottom edge, as a fraction of the image's height")


class ZoomIn:
    """Cut out a region of an image you have; the cut-out joins the images under a new handle."""

    name = "zoom_in"
    max_chars = 1_000
    args = ZoomInArgs

    async def run(self, args: ZoomInArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """The cut-out."""
        return await in_thread(_cut, args, bank)


def _cut(args: ZoomInArgs, bank: ImageBank) -> ToolResult:
    entry = bank.resolve(args.image)
    if args.x1 <= args.x0 or args.y1 <= args.y0:
        raise ToolError(
            Outcome.INVALID_ARGS, "zoom_in: the box is empty; x0 < x1 and y0 < y1 must hold"
        )
    image = open_picture(bank.data(entry))
    box = (
        round(args.x0 * image.width),
        round(args.y0 * image.height),
        round(args.x1 * image.width),
        round(args.y1 * image.height),
    )
    if box == (0, 0, image.width, image.height):
        return ToolResult(("The box is the whole image: nothing to cut.",), Outcome.NO_OP)
    if min(box[2] - box[0], box[3] - box[1]) < MIN_SIDE_PX:
        raise ToolError(
            Outcome.INVALID_ARGS,
            f"zoom_in: the box is smaller than {MIN_SIDE_PX} pixels of this image of "
            f"{image.width}×{image.height}",
        )
    cut = bank.store(image.crop(box), entry)
    fractions = (args.x0, args.y0, args.x1, args.y1)
    return ToolResult(("Cut-out: ", NewPicture(cut, entry.handle, fractions)))
