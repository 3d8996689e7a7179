"""Search by picture: exact hash, then the whole frame, then local features with a check.

Each step accepts only what it can show to be the same picture; a picture that the index does not
hold gives no hit, never the nearest one.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from hopsight.search import features
from hopsight.search.features import Frame, Local
from hopsight.search.image_store import Table, read_table, write_table
from hopsight.search.pixels import Pixels, open_picture, rgb_array
from hopsight.search.verify import MIN_INLIERS, Evidence, accepts, compare
from hopsight.types import ImageRef, PageImage

# Thresholds, set on pictures drawn for the purpose (tests/hopsight/search/test_false_accepts.py).
PLAIN_FEATURES: Final = 25
HASH_BITS: Final = 12
FRAME_WORST: Final = 16.0
FRAME_MEAN: Final = 3.0
PLAIN_WORST: Final = 8.0
PLAIN_MEAN: Final = 2.0
ASPECT: Final = 0.03
# A part that several pictures have in common (a heading, a badge) does not tell which it is.
PARTIAL: Final = 0.6
MAX_ALIKE: Final = 2
CANDIDATES: Final = 5
MIN_VOTES: Final = 6
CACHE: Final = 2048

Match = Literal["exact", "frame", "features", "name"]


@dataclass(frozen=True, slots=True)
class ImageHit:
    """A picture found, and a page that shows it.

    `match` says how: by pixels (`score` 1 for equal bytes, else below) or by the page's name.
    """

    image: ImageRef
    page_title: str
    page_url: str
    score: float
    match: Match

    @property
    def sha256(self) -> str:
        """Hash of the picture found."""
        return self.image.sha256

    @property
    def image_url(self) -> str:
        """Where the picture found comes from."""
        return self.image.source_url


Scored = tuple[int, float, Match]


class ImageIndex:
    """A read-only index of pictures in a folder; answers are remembered by the query's hash."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = {entry.image.sha256: row for row, entry in enumerate(table.entries)}
        self._counts = np.diff(table.offsets)
        self._layout = table.layout.astype(np.int16)
        self._seen: OrderedDict[str, tuple[Scored, ...]] = OrderedDict()

    @classmethod
    def build(cls, rows: Iterable[tuple[PageImage, bytes, str, str]], folder: Path) -> "ImageIndex":
        """Index (picture record, bytes, page title, page URL) in `folder` and open it."""
        write_table(rows, folder)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> "ImageIndex":
        """Open an index. Raises StoreError where there is none or it is damaged."""
        return cls(read_table(folder))

    def __len__(self) -> int:
        return len(self._table.entries)

    def search_pixels(self, data: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture or the one it was cut or made from; [] if none does.

        Raises PictureError where `data` is no picture.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._seen:
            self._seen[sha256] = tuple(self._find(sha256, data))
        self._seen.move_to_end(sha256)
        if len(self._seen) > CACHE:
            self._seen.popitem(last=False)
        hits = [
            ImageHit(self._table.entries[row].image, title, url, score, match)
            for row, score, match in self._seen[sha256]
            for title, url in self._table.entries[row].pages
        ]
        return hits[: max(0, k)]

    def _find(self, sha256: str, data: bytes) -> list[Scored]:
        if sha256 in self._rows:
            return [(self._rows[sha256], 1.0, "exact")]
        pixels = rgb_array(open_picture(data))
        if not len(self):
            return []
        return self._by_frame(pixels) or self._by_features(pixels)

    def _by_frame(self, pixels: Pixels) -> list[Scored]:
        found = self._same_frame(features.frame_of(pixels), upright=True)
        if found:
            return found
        for frame in features.orientations(pixels):
            found = self._same_frame(frame, upright=False)
            if found:
                return found
        return []

    def _same_frame(self, frame: Frame, upright: bool) -> list[Scored]:
        """Entries whose whole frame is this one.

        A plain picture (bands of colour) is compared upright and strictly: turned or mirrored,
        one flag is another.
        """
        plain = self._counts < PLAIN_FEATURES
        shape = np.abs(self._table.aspect / frame.aspect - 1) < ASPECT
        rows = np.flatnonzero(shape & (self._near(frame) | plain if upright else ~plain))
        if not upright:
            rows = rows[self._near(frame)[rows]]
        gap = np.abs(self._layout[rows] - frame.layout.astype(np.int16))
        cells = gap.max(axis=-1).reshape(len(rows), features.LAYOUT * features.LAYOUT)
        found = []
        for row, cell in zip(rows.tolist(), cells, strict=True):
            worst, mean = (PLAIN_WORST, PLAIN_MEAN) if plain[row] else (FRAME_WORST, FRAME_MEAN)
            if cell.max() <= worst and cell.mean() <= mean:
                found.append((float(cell.mean()), row))
        return [(row, round(0.99 - mean / 100, 4), "frame") for mean, row in sorted(found)]

    def _near(self, frame: Frame) -> Any:
        apart = np.bitwise_count(self._table.dhash ^ np.uint64(frame.dhash))
        apart_low = np.bitwise_count(self._table.phash ^ np.uint64(frame.phash))
        return (apart <= HASH_BITS) & (apart_low <= HASH_BITS)

    def _by_features(self, pixels: Pixels) -> list[Scored]:
        for view in (pixels, np.ascontiguousarray(pixels[:, ::-1])):
            query = features.local_of(view)
            found = [(self.evidence(query, row), row) for row in self._candidates(query)]
            same = [(evidence, row) for evidence, row in found if accepts(evidence)]
            if len(same) > MAX_ALIKE and all(e.covered < PARTIAL for e, _ in same):
                return []
            if same:
                ranked = sorted((-evidence.inliers, row) for evidence, row in same)
                return [(row, round(0.9 - less / 5000, 4), "features") for less, row in ranked]
            if any(evidence.inliers >= MIN_INLIERS for evidence, _ in found):
                return []  # it shares parts with one the right way round, so it is not mirrored
        return []

    def evidence(self, query: Local, row: int) -> Evidence:
        """How well local features of a query fit the entry in `row`."""
        points, descriptors = self._table.features(row)
        return compare(query, points, descriptors, self._table.check(row))

    def _candidates(self, query: Local) -> list[int]:
        """Rows that most of the query's features have a near neighbour in."""
        rows = np.flatnonzero(self._counts)
        if len(query.points) < MIN_INLIERS or not len(rows):
            return []
        near = np.zeros((len(query.points), len(rows)), np.float32)
        wanted = query.descriptors.astype(np.float32)
        # In parts: all products at once would take gigabytes.
        for start in range(0, len(rows), 64):
            part = rows[start : start + 64]
            first, last = self._table.offsets[part[0]], self._table.offsets[part[-1] + 1]
            block = self._table.descriptors[first:last].astype(np.float32)
            starts = (self._table.offsets[part] - first).astype(np.intp)
            dots = wanted @ block.T
            near[:, start : start + len(part)] = np.maximum.reduceat(dots, starts, axis=1)
        floor = 0.85 * 255 * 255
        best = near.max(axis=1, keepdims=True)
        votes = ((near >= floor) & (near >= 0.985 * best)).sum(axis=0)
        order = np.lexsort((rows, -votes))[:CANDIDATES]
        return [int(rows[i]) for i in order if votes[i] >= MIN_VOTES]
