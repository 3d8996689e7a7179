"""rotate: a picture turned."""

from typing import Final

from PIL import Image
from pydantic import Field

from hopsight.errors import Outcome
from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import NewPicture, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import in_thread
from hopsight.search.pixels import open_picture

QUARTERS: Final = {
    90: Image.Transpose.ROTATE_270,  # Pillow counts the other way round
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}
GROUND: Final = (128, 128, 128)


class RotateArgs(ToolArgs):
    """Arguments of rotate."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")
    degrees: float = Field(ge=-360, le=360, description="Angle, clockwise")


class Rotate:
    """Turn an image clockwise; the turned image joins the images under a new handle."""

    name = "rotate"
    max_chars = 1_000
    args = RotateArgs

    async def run(self, args: RotateArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """The turned picture; corners that become free are grey."""
        return await in_thread(_turned, args, bank)


def _turned(args: RotateArgs, bank: ImageBank) -> ToolResult:
    entry = bank.resolve(args.image)
    degrees = args.degrees % 360
    if degrees == 0:
        return ToolResult(("A full turn changes nothing.",), Outcome.NO_OP)
    image = open_picture(bank.data(entry))
    if degrees in QUARTERS:
        turned = image.transpose(QUARTERS[int(degrees)])
    else:
        turned = image.rotate(
            -degrees, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=GROUND
        )
    return ToolResult(("Turned: ", NewPicture(bank.store(turned, entry), entry.handle)))
