"""Flags as pictures: SVG drawn by resvg."""

import io
import re
from typing import Final

import resvg_py
from PIL import Image

from hopsight.errors import PictureError

SHORTER_SIDE: Final = 512
"""Pixels: a seed's picture needs as many."""
LONGEST_SIDE: Final = 2048
MAX_SVG: Final = 2 << 20
"""Bytes; a larger drawing is refused."""
_ROUGH: Final = 96
"""Pixels of the width of a first drawing, which only tells the shape."""
_OUTSIDE: Final = re.compile(rb"<image\b|<!ENTITY|<text\b|href\s*=\s*[\"'](?!#)", re.IGNORECASE)
"""What makes a drawing depend on other files or on fonts."""


def draw_flag(svg: bytes) -> Image.Image:
    """The flag on white, its shorter side 512 pixels.

    Raises PictureError for drawings that resvg cannot read or that refer to anything outside.
    """
    if len(svg) > MAX_SVG:
        raise PictureError(f"the drawing has {len(svg):,} bytes", "leave it out")
    if _OUTSIDE.search(svg):
        raise PictureError("the drawing refers to other files or to fonts", "leave it out")
    try:
        text = svg.decode("utf-8")
        rough = _render(text, width=_ROUGH)
        if max(rough.size) * SHORTER_SIDE > min(rough.size) * LONGEST_SIDE:
            raise PictureError(f"the drawing is {rough.size} in shape", "leave it out")
        upright = rough.width < rough.height
        drawn = _render(text, **{"width" if upright else "height": SHORTER_SIDE})
    except (ValueError, OSError) as error:
        raise PictureError(f"the drawing cannot be read ({error})", "leave it out") from error
    ground = Image.new("RGB", drawn.size, "white")
    ground.paste(drawn, mask=drawn.getchannel("A"))
    return ground


def _render(svg: str, width: int | None = None, height: int | None = None) -> Image.Image:
    data = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    return Image.open(io.BytesIO(data)).convert("RGBA")
