"""Sharpening: what a blur took is given back as far as noise allows."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from PIL import Image

from hopsight.imaging.arrays import Raster
from hopsight.imaging.blur import NATURAL_SIGMA, blur_sigma, brightness, deblur
from hopsight.search.pixels import rgb_array

MIN_SIGMA: Final = 0.65
"""Less blur than this is not worth taking back."""


@dataclass(frozen=True, slots=True)
class Sharpened:
    """A sharpened picture; `sigma` is the blur in pixels that was found and taken back."""

    image: Image.Image
    sigma: float


def sharpen(image: Image.Image, amount: float) -> Sharpened | None:
    """`image` with `amount` times the detail that deconvolution brings; None where it is sharp.

    The blur is measured on the picture's own edges. `amount` 1 takes back what was found; more
    exaggerates.
    """
    pixels = rgb_array(image)
    measured = blur_sigma(brightness(pixels))
    sigma = float(np.sqrt(max(measured**2 - NATURAL_SIGMA**2, 0.0)))
    if sigma < MIN_SIGMA:
        return None
    sharp: Raster = deblur(pixels, sigma)
    if amount != 1:
        sharp = cv2.addWeighted(sharp, amount, pixels, 1 - amount, 0)
    return Sharpened(Image.fromarray(sharp), sigma)
