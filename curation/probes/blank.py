"""A picture that shows nothing, in place of one that shows the anchor."""

from functools import lru_cache
from typing import Final

from PIL import Image

from hopsight.harness.bank import Pictures, encode
from hopsight.types import ImageRef

GREY: Final = (128, 128, 128)


def blank(image: ImageRef, pictures: Pictures) -> ImageRef:
    """A picture of the same size in one colour, kept in `pictures`. Its source says nothing."""
    return pictures.put(_pixels(image.width, image.height), "", "", "")


@lru_cache(maxsize=64)
def _pixels(width: int, height: int) -> bytes:
    return encode(Image.new("RGB", (width, height), GREY), "PNG")
