"""How large a picture may be that an engine reads or makes."""

from typing import Final

from hopsight.errors import PictureError

MAX_ENGINE_PIXELS: Final = 16_000_000
MAX_ENGINE_SIDE: Final = 16_000
"""OpenCV's warps end at 32,767 pixels a side."""


def check_size(width: int, height: int) -> None:
    """Raises PictureError where a picture has more pixels or a longer side than engines take."""
    if width * height > MAX_ENGINE_PIXELS or max(width, height) > MAX_ENGINE_SIDE:
        raise PictureError(
            f"a picture of {width}×{height} is larger than {MAX_ENGINE_PIXELS} pixels or "
            f"{MAX_ENGINE_SIDE} a side; cut out a part with zoom_in first",
            "cut out a part first",
        )
