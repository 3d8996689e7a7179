"""What a picture shows, read from its pixels: its colours, its bands and where colours stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import ImageStat

from hopsight.reference.agents.colours import Lch, agreement, lch
from hopsight.reference.agents.figures import Figure, figures
from hopsight.search.pixels import Pixels, open_picture, rgb_array

MOST_COLOURS: Final = 24
SMALLEST_SHARE: Final = 0.0007
APART: Final = 11.0
"""Distance in Lab below which two colours are taken for one."""
THINNEST: Final = 0.012
"""Share of the height below which a run of rows is the soft edge between two bands."""
PURE: Final = 0.86
"""Share of a row's pixels that must have one colour for the row to be part of a band."""

Labels = npt.NDArray[np.uint8]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom as fractions of the picture."""
Bands = tuple[int, ...]
"""Colours of the bands in order, by their number in the palette."""

STRIPS: Final = ((0.0, 1.0), (0.88, 1.0), (0.6, 1.0), (0.0, 0.12), (0.0, 0.4))
"""Parts of the width (or height) in which bands are looked for: a figure may cover the rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A picture of few colours: `labels` (rows × columns) number the rows of `palette`.

    `shares` are the areas of the colours as fractions, `ratio` is width by height.
    """

    labels: Labels
    palette: Lch
    shares: tuple[float, ...]
    ratio: float
    across: tuple[Bands, ...]
    upright: tuple[Bands, ...]
    figures: tuple[Figure, ...]

    def called(self, word: str) -> tuple[tuple[int, float], ...]:
        """The colours that go by a word, with how well, the larger area first."""
        found = [(number, agreement(word, self.palette[number])) for number in self.by_area]
        return tuple((number, agreed) for number, agreed in found if agreed > 0)

    @property
    def by_area(self) -> tuple[int, ...]:
        """Numbers of the colours, the largest area first."""
        return tuple(sorted(range(len(self.shares)), key=lambda each: -self.shares[each]))

    def within(self, box: Box) -> dict[int, float]:
        """The share of each colour within a box."""
        part = cut(self.labels, box)
        counts = np.bincount(part.ravel(), minlength=len(self.shares))
        return {number: count / part.size for number, count in enumerate(counts.tolist()) if count}


@lru_cache(maxsize=256)
def look(data: bytes, side: int) -> Sight:
    """See a picture with at most `side` pixels a side, smaller details being lost.

    Raises PictureError where it cannot be read.
    """
    image = open_picture(data)
    ratio = image.width / image.height
    scale = min(1.0, side / max(image.size))
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    # Nearest pixels: a mean would make colours that the picture does not have.
    pixels = cv2.resize(rgb_array(image), size, interpolation=cv2.INTER_NEAREST)
    labels, palette = _reduced(np.asarray(pixels, dtype=np.uint8))
    counts = np.bincount(labels.ravel(), minlength=len(palette))
    shares = tuple((counts / labels.size).tolist())
    shown = figures(labels, len(palette))
    return Sight(labels, palette, shares, ratio, _bands(labels), _bands(labels.T), shown)


@lru_cache(maxsize=256)
def shows_nothing(data: bytes) -> bool:
    """Whether every pixel has one and the same colour. Raises PictureError if it is unreadable."""
    return all(low == high for low, high in ImageStat.Stat(open_picture(data)).extrema)


def cut(labels: Labels, box: Box) -> Labels:
    """A part of the picture, at least one pixel."""
    height, width = labels.shape
    left, top = int(box[0] * width), int(box[1] * height)
    right, bottom = max(left + 1, round(box[2] * width)), max(top + 1, round(box[3] * height))
    return labels[min(top, height - 1) : bottom, min(left, width - 1) : right]


def _reduced(pixels: Pixels) -> tuple[Labels, Lch]:
    """The picture in its few main colours: number of each pixel's colour, and the colours."""
    coarse = pixels.astype(np.int32) >> 3
    keys = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    found, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
    where = where.reshape(-1)
    means = np.stack(
        [
            np.bincount(where, weights=pixels[..., channel].ravel(), minlength=len(found)) / counts
            for channel in range(3)
        ],
        axis=1,
    )
    colours = np.rint(means).astype(np.uint8)
    lab = cv2.cvtColor(colours.reshape(1, -1, 3).astype(np.float32) / 255, cv2.COLOR_RGB2LAB)[0]
    chosen = _apart(lab, counts, keys.size)
    distances = np.linalg.norm(lab[:, None, :] - lab[None, chosen, :], axis=2)
    nearest = distances.argmin(axis=1).astype(np.uint8)
    return nearest[where].reshape(keys.shape), lch(colours[chosen])


def _apart(
    lab: npt.NDArray[np.float32], counts: npt.NDArray[np.int64], size: int
) -> npt.NDArray[np.int64]:
    """Places of the commonest colours that can be told apart."""
    order = np.lexsort((np.arange(len(counts)), -counts))
    chosen: list[int] = []
    for place in order.tolist():
        rare = counts[place] < SMALLEST_SHARE * size
        if len(chosen) == MOST_COLOURS or (chosen and rare):
            break
        if all(float(np.linalg.norm(lab[place] - lab[other])) > APART for other in chosen):
            chosen.append(place)
    return np.asarray(chosen, dtype=np.int64)


def _bands(labels: Labels) -> tuple[Bands, ...]:
    """The sequences of colours from top to bottom that a strip of the picture shows as bands."""
    found: dict[Bands, None] = {}
    for low, high in STRIPS:
        part = cut(labels, (low, 0.0, high, 1.0))
        band = _rows(part)
        if len(band) > 1:
            found.setdefault(band)
    return tuple(found)


def _rows(part: Labels) -> Bands:
    """Colours of the rows from top to bottom if nearly all rows have one colour, else nothing."""
    main, purity = _main_of_rows(part)
    if float(np.mean(purity >= PURE)) < PURE:
        return ()
    runs = _runs(main.tolist())
    least = max(2, round(THINNEST * len(main)))
    kept: list[int] = []
    for number, length in runs:
        if length >= least and (not kept or kept[-1] != number):
            kept.append(number)
    return tuple(kept)


def _main_of_rows(
    part: Labels,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The commonest colour of each row, and its share of the row."""
    rows, columns = part.shape
    numbers = int(part.max()) + 1
    keys = part.astype(np.int64) + np.arange(rows)[:, None] * numbers
    counts = np.bincount(keys.ravel(), minlength=rows * numbers).reshape(rows, numbers)
    return counts.argmax(axis=1), counts.max(axis=1) / columns


def _runs(values: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for value in values:
        if runs and runs[-1][0] == value:
            runs[-1] = (value, runs[-1][1] + 1)
        else:
            runs.append((value, 1))
    return runs
