"""Is the whole frame of a query that of an entry? Hashes propose, a small colour layout decides."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hopsight.search import features
from hopsight.search.features import Frame
from hopsight.search.image_store import Table
from hopsight.search.pixels import Pixels

# Thresholds, set on pictures drawn for the purpose (tests/hopsight/search/test_false_accepts.py).
HASH_BITS: Final = 12
WORST: Final = 16.0
MEAN: Final = 3.0
PLAIN_WORST: Final = 8.0
PLAIN_MEAN: Final = 2.0
ASPECT: Final = 0.03

Found = list[tuple[int, float]]
"""(row, score below 1), best first."""


class Frames:
    """The frames of an index's entries. `plain` says which have hardly any feature.

    A plain picture (bands of colour) is compared upright and strictly: turned or mirrored, one
    flag is another.
    """

    def __init__(self, table: Table, plain: npt.NDArray[np.bool_]) -> None:
        self._table = table
        self._plain = plain
        self._layout = table.layout.astype(np.int16)

    def showing(self, pixels: Pixels) -> Found:
        """Entries that are this picture as a whole: upright, else in quarter turns or mirrored."""
        found = self.same(features.frame_of(pixels), upright=True)
        if found:
            return found
        for frame in features.orientations(pixels):
            found = self.same(frame, upright=False)
            if found:
                return found
        return []

    def same(self, frame: Frame, upright: bool) -> Found:
        """Entries whose whole frame is this one."""
        plain = self._plain
        shape = np.abs(self._table.aspect / frame.aspect - 1) < ASPECT
        near = self._near(frame)
        rows = np.flatnonzero(shape & (near | plain if upright else near & ~plain))
        gap = np.abs(self._layout[rows] - frame.layout.astype(np.int16))
        cells = gap.max(axis=-1).reshape(len(rows), features.LAYOUT * features.LAYOUT)
        found = []
        for row, cell in zip(rows.tolist(), cells, strict=True):
            worst, mean = (PLAIN_WORST, PLAIN_MEAN) if plain[row] else (WORST, MEAN)
            if cell.max() <= worst and cell.mean() <= mean:
                found.append((float(cell.mean()), row))
        return [(row, round(0.99 - mean / 100, 4)) for mean, row in sorted(found)]

    def _near(self, frame: Frame) -> Any:
        apart = np.bitwise_count(self._table.dhash ^ np.uint64(frame.dhash))
        apart_low = np.bitwise_count(self._table.phash ^ np.uint64(frame.phash))
        return (apart <= HASH_BITS) & (apart_low <= HASH_BITS)
