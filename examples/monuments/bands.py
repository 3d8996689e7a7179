"""What can be measured on the picture of a flag."""

from collections import defaultdict
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from examples.monuments.colours import colour_name

_THINNEST: Final = 8
"""Pixels; a thinner run of rows is the soft edge between two bands."""

LEAST_SHARE: Final = 2.0
"""Per cent of a flag that a colour covers at least to be seen by everybody."""
MOST_UNCLEAR: Final = 1.5
"""Per cent of a flag that soft edges between its colours may cover."""
MOST_OF_A_TRACE: Final = 0.2
"""Per cent that a named colour covers at most where it is only a soft edge."""


def flag_facts(flag: Image.Image) -> tuple[str, ...]:
    """What measuring the pixels makes certain: the colours, their bands or shares, the shape.

    Nothing where a colour is between two names or so rare that one may see it or not. Shares are
    in per cent of the flag, for colours alone fit many flags, which would then look the same.
    """
    pixels = np.asarray(flag)
    found = _bands(pixels, "horizontal bands, from top to bottom")
    found = found or _bands(pixels.transpose(1, 0, 2), "vertical bands, from left to right")
    found = found or _shares(pixels)
    return (*found, f"the flag is {shape(flag.width, flag.height)}") if found else ()


def _shares(pixels: NDArray[np.uint8]) -> tuple[str, ...]:
    """The colours by how much of the flag they cover, else nothing.

    Only a flag that is no rectangle is higher than wide; the ground that it lies on has a colour.
    """
    if pixels.shape[0] > pixels.shape[1]:
        return ()
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    colours, counts = np.unique(packed, return_counts=True)
    shares: dict[str | None, float] = defaultdict(float)
    for colour, count in zip(colours.tolist(), counts.tolist(), strict=True):
        name = colour_name(colour >> 16, colour >> 8 & 255, colour & 255)
        shares[name] += 100 * count / packed.size
    named = {name: share for name, share in shares.items() if name}
    seen = {name: share for name, share in named.items() if share >= LEAST_SHARE}
    small = [share for name, share in named.items() if name not in seen]
    unclear = 100 - sum(seen.values())
    if len(seen) < 2 or unclear > MOST_UNCLEAR or max(small, default=0) > MOST_OF_A_TRACE:
        return ()
    ordered = sorted(seen.items(), key=lambda item: (-item[1], item[0]))
    return ("colours by area: " + ", ".join(f"{name} {share:.0f} %" for name, share in ordered),)


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
