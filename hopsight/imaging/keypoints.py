"""How much of a picture's local detail is found again in another version of it, as it is."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from PIL import Image

from hopsight.imaging.arrays import Points, Raster
from hopsight.search.pixels import rgb_array

MAX_KEYPOINTS: Final = 500
FEW: Final = 40
"""With fewer key points than these a picture is too plain for a share of them to say anything."""
NEAR_PX: Final = 3.0
"""Farthest, in pixels of the original, that a key point may lie from where it belongs."""
MAX_BITS: Final = 56
"""Most of 256 bits that its description may differ in."""


@dataclass(frozen=True, slots=True)
class Keypoints:
    """ORB features: `points` (n, 2) as shares of the sides, `bits` (n, 32) bytes, `size` (w, h)."""

    points: Points
    bits: Raster
    size: tuple[int, int]


def keypoints(image: Image.Image) -> Keypoints:
    """The strongest key points of an RGB picture at its own size (Rublee et al., 2011)."""
    gray = cv2.cvtColor(rgb_array(image), cv2.COLOR_RGB2GRAY)
    orb = cv2.ORB_create(MAX_KEYPOINTS)  # type: ignore[attr-defined]
    found, bits = orb.detectAndCompute(gray, None)
    if bits is None:
        return Keypoints(np.zeros((0, 2)), np.zeros((0, 32), np.uint8), image.size)
    points = np.array([key.pt for key in found]) + 0.5
    return Keypoints(points / np.array(image.size), bits, image.size)


def found_again(original: Keypoints, other: Keypoints) -> float:
    """The share of `original`'s key points that `other` has in the same place, 0 to 1.

    Both show the same view, whatever their sizes, so that the place is known and a match cannot be
    an accident: the matching score of Mikolajczyk and Schmid (2005). Unlike a comparison of pixels
    it takes `other` at the size that it has: a smaller picture holds less detail for whoever reads
    it, and enlarging may bring that into reach.
    """
    if not len(original.points) or not len(other.points):
        return 0.0
    apart = (original.points[:, None] - other.points[None]) * np.array(original.size)
    near = np.hypot(apart[..., 0], apart[..., 1]) <= NEAR_PX
    rows, columns = np.nonzero(near)
    differing = np.bitwise_count(original.bits[rows] ^ other.bits[columns]).sum(axis=1)
    return len(np.unique(rows[differing <= MAX_BITS])) / len(original.points)
