"""Picture engines: sharpening, enlarging, straightening, reading text, and measuring likeness."""

from hopsight.imaging.bounds import MAX_ENGINE_PIXELS, check_size
from hopsight.imaging.layout import (
    LayoutLine,
    LayoutParser,
    in_reading_order,
    layout_installed,
    open_layout_parser,
)
from hopsight.imaging.perspective import Corners, Straightened, find_corners, straighten
from hopsight.imaging.sharpening import Sharpened, sharpen
from hopsight.imaging.similarity import ssim
from hopsight.imaging.threads import in_thread
from hopsight.imaging.upscale import FACTORS, Interpolation, Upscaler, open_upscaler

__all__ = [
    "FACTORS",
    "MAX_ENGINE_PIXELS",
    "Corners",
    "Interpolation",
    "LayoutLine",
    "LayoutParser",
    "Sharpened",
    "Straightened",
    "Upscaler",
    "check_size",
    "find_corners",
    "in_reading_order",
    "in_thread",
    "layout_installed",
    "open_layout_parser",
    "open_upscaler",
    "sharpen",
    "ssim",
    "straighten",
]
