"""Perceptual hashes: copies of a picture in other sizes and encodings have nearly equal bits."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from hopsight.imaging.arrays import Raster
from hopsight.imaging.blur import brightness
from hopsight.search.pixels import open_picture, rgb_array

NEAR_BITS: Final = 12
"""Bits in which copies differ at most; measured on the mini world [ours]."""

BITS: Final = 480
_GRID: Final = 9
_MARGIN: Final = 6
_CELLS: Final = 4
_LEVELS: Final = (51, 102, 153, 204)
_GRADIENTS: Final = 2 * 2 * _GRID * (_GRID - 1)
_FEWEST: Final = 8
_WORDS: Final = 8

Packed = npt.NDArray[np.uint64]
"""Pictures × words."""


def difference_hash(data: bytes) -> int:
    """A hash of BITS bits. Raises PictureError where the bytes are no picture.

    Whether each cell of a 9 × 9 grid is brighter or darker than its neighbour on the right and
    below, by more than noise (after Krawetz' difference hash, 2013), then how red, green and blue
    each cell of a 4 × 4 grid is: flags that share a pattern differ by their colours alone [ours].
    """
    return hash_of(open_picture(data))


def hash_of(image: Image.Image) -> int:
    """The same of an RGB picture."""
    pixels = rgb_array(image)
    grey = _small(brightness(pixels), _GRID)
    across, down = np.diff(grey, axis=1).ravel(), np.diff(grey, axis=0).ravel()
    steps = np.concatenate([across, down])
    colours = _small(pixels, _CELLS).ravel()
    bits = [steps > _MARGIN, steps < -_MARGIN, *(colours >= level for level in _LEVELS)]
    return int.from_bytes(np.packbits(np.concatenate(bits)).tobytes(), "big")


def is_plain(value: int) -> bool:
    """Whether a picture shows too little for its hash to tell it from others: a blank one."""
    return (value >> (BITS - _GRADIENTS)).bit_count() < _FEWEST


def distance(first: int, second: int) -> int:
    """In how many bits two hashes differ."""
    return (first ^ second).bit_count()


def near(first: int, second: int, bits: int = NEAR_BITS) -> bool:
    """Whether two pictures look the same. Never so of a plain one: only equal bytes say it."""
    return distance(first, second) <= bits and not (is_plain(first) or is_plain(second))


def packed(hashes: Sequence[int]) -> Packed:
    """Hashes as rows of 64-bit words, for comparing many at once."""
    data = b"".join(value.to_bytes(8 * _WORDS, "big") for value in hashes)
    return np.frombuffer(data, dtype=">u8").astype(np.uint64).reshape(-1, _WORDS)


def distances(first: Packed, second: Packed) -> npt.NDArray[np.int64]:
    """Row by row, in how many bits packed hashes differ."""
    different: npt.NDArray[np.int64] = np.bitwise_count(first ^ second).sum(axis=1, dtype=np.int64)
    return different


def _small(plane: Raster, side: int) -> Raster:
    """Means over a grid of equal cells, whatever the size: INTER_AREA weighs cut pixels."""
    small: Raster = cv2.resize(plane, (side, side), interpolation=cv2.INTER_AREA)
    return small
