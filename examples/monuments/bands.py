"""What can be measured on the picture of a flag."""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from examples.monuments.colours import colour_name

_THINNEST: Final = 8
"""Pixels; a thinner run of rows is the soft edge between two bands."""


def flag_facts(flag: Image.Image) -> tuple[str, ...]:
    """What measuring the pixels makes certain of a flag of plain bands: their colours, its shape.

    Nothing for other flags, and nothing where a colour is between two names: facts that fit many
    pictures would make these look the same.
    """
    pixels = np.asarray(flag)
    bands = _bands(pixels, "horizontal bands, from top to bottom")
    bands = bands or _bands(pixels.transpose(1, 0, 2), "vertical bands, from left to right")
    return (*bands, f"the flag is {shape(flag.width, flag.height)}") if bands else ()


def shape(width: int, height: int) -> str:
    """Width against height, in words; within a pixel of rounding."""
    if abs(width - 2 * height) <= 1:
        return "twice as wide as high"
    if abs(width - height) <= 1:
        return "as wide as high"
    return "wider than high" if width > height else "higher than wide"


def _bands(pixels: NDArray[np.uint8], words: str) -> tuple[str, ...]:
    """The bands if every row has a single colour, else nothing."""
    if not (pixels == pixels[:, :1]).all():
        return ()
    column = pixels[:, 0]
    edges = [0, *(np.flatnonzero((column[1:] != column[:-1]).any(axis=1)) + 1), len(column)]
    runs = [
        (stop - start, colour_name(*(int(part) for part in column[start])))
        for start, stop in pairwise(edges)
    ]
    names = [name for length, name in runs if length >= _THINNEST]
    known = [name for name in names if name is not None]
    if len(known) < 2 or len(known) != len(names):
        return ()
    count = {2: "two", 3: "three", 4: "four", 5: "five"}.get(len(known), str(len(known)))
    return (f"{count} {words}: {', '.join(known)}",)
