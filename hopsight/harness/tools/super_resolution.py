"""super_resolution: a picture enlarged."""

from typing import Final

from PIL import Image
from pydantic import Field

from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import NewPicture, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import FACTORS, Interpolation, Upscaler, check_size
from hopsight.search.pixels import open_picture

INTERPOLATION: Final = Interpolation()


class SuperResolutionArgs(ToolArgs):
    """Arguments of super_resolution."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")
    scale: int = Field(
        default=2, ge=FACTORS[0], le=FACTORS[-1], description="How many times larger each side gets"
    )


class SuperResolution:
    """Enlarge a small image, such as a cut-out; the larger one joins the images under a new handle.

    The result says by what it was enlarged; a model may make up detail, interpolation does not.
    """

    name = "super_resolution"
    max_chars = 1_000
    args = SuperResolutionArgs

    async def run(self, args: SuperResolutionArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """The enlarged picture. Raises PictureError where it would be too large."""
        entry = bank.resolve(args.image)
        image = open_picture(bank.data(entry))
        check_size(image.width * args.scale, image.height * args.scale)
        upscaler = _fitting(bench.upscaler, image)
        large = await upscaler.upscale(image, args.scale)
        picture = NewPicture(bank.store(large, entry), entry.handle)
        size = f"{large.width}×{large.height} pixels"
        return ToolResult((f"Enlarged ({upscaler.name}, ×{args.scale}, {size}): ", picture))


def _fitting(upscaler: Upscaler | None, image: Image.Image) -> Upscaler:
    """The model where the picture is small enough for it."""
    if upscaler is None:
        return INTERPOLATION
    limit = upscaler.max_pixels
    return upscaler if limit is None or image.width * image.height <= limit else INTERPOLATION
