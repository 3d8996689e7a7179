"""Making a picture worse in a known way: blur, fewer pixels, a view from the side.

Each is what one tool of an episode takes back. The parameters are drawn from configured ranges and
given back with the bytes, so that a degradation can be told and made again.
"""

import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, get_args

import cv2
import numpy as np
from PIL import Image

from hopsight.config.enhance import DegradeConfig
from hopsight.errors import PictureError
from hopsight.imaging.arrays import Points, Raster
from hopsight.imaging.bounds import check_size
from hopsight.search.pixels import Pixels, open_picture, rgb_array
from hopsight.types import Degradation, DegradationKind, Parameter

KINDS: Final[tuple[DegradationKind, ...]] = get_args(DegradationKind)
QUALITY: Final = 92
"""Of the JPEG that a degraded picture is kept as; its noise is what a tool has to live with."""
GROUND: Final = (128, 128, 128)
"""What lies around a picture that is seen from the side."""
MIN_SIDE_PX: Final = 48
"""No picture is made smaller than this."""


@dataclass(frozen=True, slots=True)
class Degraded:
    """The bytes of a degraded picture (JPEG), and what was done to it."""

    data: bytes
    degradation: Degradation


def degraded(data: bytes, kind: DegradationKind, ranges: DegradeConfig, rng: Random) -> Degraded:
    """The picture in `data`, made worse by `kind` with parameters that `rng` draws from `ranges`.

    Equal bytes and an equally seeded `rng` give equal bytes. Raises PictureError as `degrade`.
    """
    how = drawn(kind, ranges, rng)
    return Degraded(degrade(data, how), how)


def drawn(kind: DegradationKind, ranges: DegradeConfig, rng: Random) -> Degradation:
    """Parameters for `kind`, each drawn evenly from its range."""
    values = {name: round(value, 4) for name, value in _DRAW[kind](ranges, rng).items()}
    named = tuple(Parameter(name=name, value=value) for name, value in values.items())
    return Degradation(kind=kind, parameters=named)


def degrade(data: bytes, how: Degradation) -> bytes:
    """The picture in `data`, made worse as `how` says, as JPEG.

    Raises PictureError where it cannot be read, is too large, or would be left with too few pixels.
    """
    return _kept(_MAKE[how.kind](_opened(data), how))


def undegraded(data: bytes) -> bytes:
    """The picture in `data` as it is, kept as a degraded one is: what a loss is counted from.

    Raises PictureError where it cannot be read or is too large.
    """
    return _kept(_opened(data))


def moved_corners(how: Degradation, width: int, height: int) -> Points:
    """Where the corners of a picture seen from the side lie: 4 × (x, y) in pixels.

    Clockwise from the top left. Each lies inside of the canvas, which keeps the picture's size.
    """
    inward = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (width, height)
    shifts = [(how[f"x{n}"], how[f"y{n}"]) for n in range(4)]
    return _corners(width, height) + np.array(shifts) * inward


def homography(how: Degradation, width: int, height: int) -> Raster:
    """The 3 × 3 map from pixels of the picture to pixels of its view from the side.

    The one projective map that takes the four corners to `moved_corners` (Hartley and Zisserman,
    Multiple View Geometry, 4.1): straight lines stay straight and parallels may meet.
    """
    old = _corners(width, height).astype(np.float32)
    new = moved_corners(how, width, height).astype(np.float32)
    found: Raster = cv2.getPerspectiveTransform(old, new)
    return found


def _opened(data: bytes) -> Pixels:
    image = open_picture(data)
    check_size(image.width, image.height)
    return rgb_array(image)


def _kept(pixels: Pixels) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _corners(width: int, height: int) -> Points:
    """The outer corners: pixel centres lie at whole numbers, so edges at halves."""
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64) - 0.5


def _gaussian(pixels: Pixels, how: Degradation) -> Pixels:
    blurred: Raster = cv2.GaussianBlur(pixels, (0, 0), how["sigma"])
    return blurred


def _defocus(pixels: Pixels, how: Degradation) -> Pixels:
    radius = how["radius"]
    reach = math.ceil(radius)
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    # The rim is covered in part: a disc of 2.5 differs from one of 2.
    disc = np.clip(radius + 0.5 - np.hypot(rows, columns), 0, 1)
    return _filtered(pixels, disc)


def _motion(pixels: Pixels, how: Degradation) -> Pixels:
    length, angle = how["length"], math.radians(how["angle"])
    reach = math.ceil(length / 2)
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    along = columns * math.cos(angle) + rows * math.sin(angle)
    across = np.abs(rows * math.cos(angle) - columns * math.sin(angle))
    line = np.clip(length / 2 + 0.5 - np.abs(along), 0, 1) * np.clip(1 - across, 0, 1)
    return _filtered(pixels, line)


def _filtered(pixels: Pixels, kernel: Raster) -> Pixels:
    done: Raster = cv2.filter2D(pixels, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)
    return done


def _smaller(pixels: Pixels, how: Degradation) -> Pixels:
    height, width = pixels.shape[:2]
    size = round(width / how["factor"]), round(height / how["factor"])
    if min(size) < MIN_SIDE_PX:
        raise PictureError(
            f"a picture of {width}×{height} is too small to be made {how['factor']:g} times "
            "smaller",
            "take a smaller factor",
        )
    small: Raster = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return small


def _from_the_side(pixels: Pixels, how: Degradation) -> Pixels:
    height, width = pixels.shape[:2]
    seen: Raster = cv2.warpPerspective(
        pixels, homography(how, width, height), (width, height), borderValue=GROUND
    )
    return seen


def _draw_perspective(ranges: DegradeConfig, rng: Random) -> dict[str, float]:
    names = [f"{axis}{n}" for n in range(4) for axis in "xy"]
    return {name: rng.uniform(*ranges.corner_shift) for name in names}


def _draw_motion(ranges: DegradeConfig, rng: Random) -> dict[str, float]:
    return {"length": rng.uniform(*ranges.motion_length), "angle": rng.uniform(0, 180)}


_DRAW: Final[dict[DegradationKind, Callable[[DegradeConfig, Random], dict[str, float]]]] = {
    "gaussian_blur": lambda ranges, rng: {"sigma": rng.uniform(*ranges.gaussian_sigma)},
    "defocus_blur": lambda ranges, rng: {"radius": rng.uniform(*ranges.defocus_radius)},
    "motion_blur": _draw_motion,
    "downsampling": lambda ranges, rng: {"factor": rng.uniform(*ranges.downsample_factor)},
    "perspective": _draw_perspective,
}
_MAKE: Final[dict[DegradationKind, Callable[[Pixels, Degradation], Pixels]]] = {
    "gaussian_blur": _gaussian,
    "defocus_blur": _defocus,
    "motion_blur": _motion,
    "downsampling": _smaller,
    "perspective": _from_the_side,
}
