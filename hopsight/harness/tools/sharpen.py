"""sharpen: a blurred picture with its detail brought out."""

from pydantic import Field

from hopsight.errors import Outcome
from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import NewPicture, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import check_size, in_thread, sharpen
from hopsight.search.pixels import open_picture


class SharpenArgs(ToolArgs):
    """Arguments of sharpen."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")
    amount: float = Field(
        default=1.0,
        ge=0.1,
        le=3,
        description="How much: 1 takes back the blur that is found, more exaggerates",
    )


class Sharpen:
    """Sharpen a blurred image; the sharpened image joins the images under a new handle."""

    name = "sharpen"
    max_chars = 1_000
    args = SharpenArgs

    async def run(self, args: SharpenArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """The sharpened picture; no_op where it is sharp already."""
        return await in_thread(_sharpened, args, bank)


def _sharpened(args: SharpenArgs, bank: ImageBank) -> ToolResult:
    entry = bank.resolve(args.image)
    image = open_picture(bank.data(entry))
    check_size(image.width, image.height)
    sharp = sharpen(image, args.amount)
    if sharp is None or sharp.image.tobytes() == image.tobytes():
        return ToolResult(("No blur was found: nothing to sharpen.",), Outcome.NO_OP)
    how = f"deconvolution, blur of {sharp.sigma:.1f} px, amount {args.amount:g}"
    picture = NewPicture(bank.store(sharp.image, entry), entry.handle)
    return ToolResult((f"Sharpened ({how}): ", picture))
