"""Straightening: a quadrilateral of a picture becomes an upright rectangle."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from PIL import Image

from hopsight.errors import PictureError
from hopsight.imaging.bounds import check_size
from hopsight.imaging.quads import Quad, find_quad, is_sound
from hopsight.search.pixels import rgb_array

Corners = tuple[float, float, float, float, float, float, float, float]
"""x0, y0 … x3, y3: fractions of the picture, clockwise from the top left."""

MIN_SIDE_PX: Final = 8


@dataclass(frozen=True, slots=True)
class Straightened:
    """An upright picture, and the corners it was taken from."""

    image: Image.Image
    corners: Corners


def find_corners(image: Image.Image) -> Corners | None:
    """The corners of a tilted rectangle in `image`; None where none is found or it is upright."""
    quad = find_quad(rgb_array(image))
    if quad is None:
        return None
    shares = np.clip((quad + 0.5) / np.array(image.size), 0.0, 1.0)
    x0, y0, x1, y1, x2, y2, x3, y3 = (round(float(share), 4) for share in shares.ravel())
    return x0, y0, x1, y1, x2, y2, x3, y3


def straighten(image: Image.Image, corners: Corners) -> Straightened:
    """What lies between `corners`, as a rectangle with the longer of each two opposite sides.

    Raises PictureError where the corners span no quadrilateral, or a tiny or a huge one.
    """
    shares = np.array(corners, dtype=np.float64).reshape(4, 2)
    quad = shares * np.array(image.size) - 0.5
    if not is_sound(quad):
        raise PictureError(
            "the corners span no quadrilateral; give them clockwise from the top left, with "
            "x0, y0 the top left one",
            "give the corners clockwise from the top left",
        )
    width, height = _size(quad)
    if min(width, height) < MIN_SIDE_PX:
        raise PictureError(
            f"the quadrilateral is only {width}×{height} pixels large",
            f"give corners that are at least {MIN_SIDE_PX} pixels apart",
        )
    check_size(width, height)
    upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    how = cv2.getPerspectiveTransform(quad.astype(np.float32), upright)
    pixels = cv2.warpPerspective(
        rgb_array(image),
        how,
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return Straightened(Image.fromarray(pixels), corners)


def _size(quad: Quad) -> tuple[int, int]:
    sides = np.roll(quad, -1, axis=0) - quad
    top, right, bottom, left = (float(length) for length in np.hypot(sides[:, 0], sides[:, 1]))
    return round(max(top, bottom)), round(max(left, right))
