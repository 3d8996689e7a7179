"""How alike two pictures are, to measure what a restoration brings."""

from typing import Final

import cv2
from PIL import Image

from hopsight.imaging.arrays import Raster
from hopsight.imaging.blur import brightness
from hopsight.search.pixels import rgb_array

_C1: Final = (0.01 * 255) ** 2
_C2: Final = (0.03 * 255) ** 2


def ssim(first: Image.Image, second: Image.Image) -> float:
    """The mean structural similarity of two RGB pictures of one size; 1 where they are equal.

    Wang et al., 2004, on brightness: a Gaussian window of 11 pixels and sigma 1.5, K 0.01 and
    0.03. Raises ValueError where the sizes differ.
    """
    if first.size != second.size:
        raise ValueError(f"pictures of {first.size} and {second.size} cannot be compared")
    one, two = brightness(rgb_array(first)), brightness(rgb_array(second))
    mean_one, mean_two = _mean(one), _mean(two)
    variance_one = _mean(one * one) - mean_one**2
    variance_two = _mean(two * two) - mean_two**2
    covariance = _mean(one * two) - mean_one * mean_two
    light = (2 * mean_one * mean_two + _C1) / (mean_one**2 + mean_two**2 + _C1)
    structure = (2 * covariance + _C2) / (variance_one + variance_two + _C2)
    return float((light * structure).mean())


def _mean(plane: Raster) -> Raster:
    mean: Raster = cv2.GaussianBlur(plane, (11, 11), 1.5)
    return mean
