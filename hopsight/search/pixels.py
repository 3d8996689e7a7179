"""Picture bytes to pixels, with bounds: the bytes may come from anywhere."""

import io
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from hopsight.errors import PictureError

MAX_PIXELS: Final = 40_000_000
FORMATS: Final = ("PNG", "JPEG", "WEBP")

Pixels = npt.NDArray[np.uint8]
"""Rows × columns × (red, green, blue)."""


def open_picture(data: bytes) -> Image.Image:
    """The picture as RGB, upright as its EXIF says, transparency on white.

    Raises PictureError where it cannot be read or has more than MAX_PIXELS pixels.
    """
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            # The size stands in the header: refused before anything is unpacked.
            if image.width * image.height > MAX_PIXELS:
                raise PictureError(
                    f"a picture of {image.width}×{image.height} pixels is too large",
                    f"give one of at most {MAX_PIXELS} pixels",
                )
            return _flat(ImageOps.exif_transpose(image))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PictureError(
            f"a picture cannot be read: {error}", f"give one of {', '.join(FORMATS)}"
        ) from error


def rgb_array(image: Image.Image) -> Pixels:
    """An RGB picture as an array of shape (height, width, 3)."""
    return np.asarray(image, dtype=np.uint8)


def _flat(image: Image.Image) -> Image.Image:
    if image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info:
        layer = image.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(ground, layer).convert("RGB")
    return image.convert("RGB")
