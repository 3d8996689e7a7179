"""Search by picture: exact hash, then the whole frame, then local features with a check.

What looks like a page (ground of one colour with pictures on it) is searched picture by picture,
then as a whole.

Each step accepts only what it can show to be the same picture; a picture that the index does not
hold gives no hit, never the nearest one.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Final, Literal

import numpy as np

from hopsight.search import features
from hopsight.search.candidates import Candidates
from hopsight.search.features import Local
from hopsight.search.frames import Frames
from hopsight.search.image_store import Entry, Table, read_table, write_table
from hopsight.search.pixels import Pixels, open_picture, rgb_array
from hopsight.search.regions import regions, without_text
from hopsight.search.verify import MIN_INLIERS, Evidence, accepts, compare
from hopsight.types import ImageRef, PageImage

# Thresholds, set on pictures drawn for the purpose (tests/hopsight/search/test_false_accepts.py).
PLAIN_FEATURES: Final = 25
# A part that several pictures have in common (a heading, a badge) does not tell which it is.
PARTIAL: Final = 0.6
MAX_ALIKE: Final = 2
CANDIDATES: Final = 8
MIN_VOTES: Final = 4
# Candidates with less than this share of the best one's votes are not looked at.
FEW_VOTES: Final = 0.15
# A picture that large, with so much ground, may be a page whose pictures no rectangle showed.
PAGE_SIDE: Final = 900
PAGE_GROUND: Final = 0.25
# So many matches under one transformation: the query has a part in common with an entry.
SHARED_PARTS: Final = 12
CACHE: Final = 2048

Match = Literal["exact", "frame", "features", "name", "embedding", "web"]


@dataclass(frozen=True, slots=True)
class ImageHit:
    """A picture found, and a page that shows it.

    `match` says how: by pixels ("exact", "frame", "features"; `score` 1 for equal bytes, else
    below), by the page's name or the picture's caption, by likeness to a model ("embedding"), or
    because a provider said so ("web").
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

    def __init__(self, table: Table, candidates: Candidates) -> None:
        self._table = table
        self._candidates = candidates
        self._rows = {entry.image.sha256: row for row, entry in enumerate(table.entries)}
        self._plain = np.asarray(table.strong) < PLAIN_FEATURES
        self._frames = Frames(table, self._plain)
        self._seen: OrderedDict[str, tuple[Scored, ...]] = OrderedDict()
        self._lock = Lock()

    @classmethod
    def build(cls, rows: Iterable[tuple[PageImage, bytes, str, str]], folder: Path) -> "ImageIndex":
        """Index (picture record, bytes, page title, page URL) in `folder` and open it."""
        write_table(rows, folder)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> "ImageIndex":
        """Open an index. Raises StoreError where there is none or it is damaged."""
        table = read_table(folder)
        return cls(table, Candidates(table.descriptors, table.offsets, folder))

    def __len__(self) -> int:
        return len(self._table.entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The pictures and their pages, ordered by hash."""
        return self._table.entries

    def search_pixels(self, data: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture or the one it was cut or made from; [] if none does.

        Threads may search at the same time. Raises PictureError where `data` is no picture.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        found = self._known(sha256)
        if found is None:
            found = tuple(self._find(rgb_array(open_picture(data))))
            self._remember(sha256, found)
        return self._hits(found, k)

    def known_pixels(self, data: bytes, k: int) -> list[ImageHit] | None:
        """The same at once, for equal bytes and what was asked before; None: it has to search."""
        found = self._known(hashlib.sha256(data).hexdigest())
        return None if found is None else self._hits(found, k)

    def _known(self, sha256: str) -> tuple[Scored, ...] | None:
        if sha256 in self._rows:
            return ((self._rows[sha256], 1.0, "exact"),)
        with self._lock:
            if sha256 in self._seen:
                self._seen.move_to_end(sha256)
            return self._seen.get(sha256)

    def _remember(self, sha256: str, found: tuple[Scored, ...]) -> None:
        with self._lock:
            self._seen[sha256] = found
            if len(self._seen) > CACHE:
                self._seen.popitem(last=False)

    def _hits(self, found: tuple[Scored, ...], k: int) -> list[ImageHit]:
        hits = [
            ImageHit(self._table.entries[row].image, title, url, score, match)
            for row, score, match in found
            for title, url in self._table.entries[row].pages
        ]
        return hits[: max(0, k)]

    def _find(self, pixels: Pixels) -> list[Scored]:
        if not len(self):
            return []
        framed = self._frames.showing(pixels)
        if framed:
            return [(row, score, "frame") for row, score in framed]
        parts, all_parts = regions(pixels)
        return self._by_region(parts) or self._by_features(pixels, searched=all_parts)

    def _by_region(self, parts: list[Pixels]) -> list[Scored]:
        """Entries that a page shows, by the largest of its pictures that is known.

        Plain entries are left out: what is a band of colour on a page need not be a flag.
        """
        for region in parts:
            same = self._frames.same(features.frame_of(region), upright=True)
            framed: list[Scored] = [(row, x, "frame") for row, x in same if not self._plain[row]]
            found = framed or self._by_local(features.local_of(region))
            if found:
                return found
        return []

    def _by_features(self, pixels: Pixels, *, searched: bool) -> list[Scored]:
        """Entries that the picture shows, or the page, unless all its parts were `searched`."""
        large = max(pixels.shape[:2]) >= PAGE_SIDE and not searched
        page = without_text(pixels, PAGE_GROUND) if large else None
        if page is None:
            return self._by_local(features.local_of(pixels))
        local = features.local_of(page, features.PAGE_SIDE, features.PAGE_FEATURES)
        # Thin lines of a picture in the colour of the page were taken for text: compare with all.
        return self._by_local(replace(local, work=features.bounded(pixels, features.PAGE_SIDE)))

    def _by_local(self, query: Local) -> list[Scored]:
        """Entries that these features fit, or fit mirrored."""
        found, shares = self._fitting(query)
        # What shares parts with an entry the right way round is not mirrored.
        return found if found or shares else self._fitting(features.mirrored(query))[0]

    def _fitting(self, query: Local) -> tuple[list[Scored], bool]:
        """Entries that the query shows, and whether it has parts in common with any."""
        tried = [(self.evidence(query, row), row) for row in self._best_voted(query)]
        same = [(evidence, row) for evidence, row in tried if accepts(evidence)]
        if len(same) > MAX_ALIKE and all(e.covered < PARTIAL for e, _ in same):
            return [], True
        ranked = sorted((-evidence.inliers, row) for evidence, row in same)
        hits: list[Scored] = [
            (row, round(0.9 - less / 5000, 4), "features") for less, row in ranked
        ]
        return hits, any(evidence.inliers >= SHARED_PARTS for evidence, _ in tried)

    def evidence(self, query: Local, row: int) -> Evidence:
        """How well local features of a query fit the entry in `row`."""
        points, descriptors = self._table.features(row)
        return compare(query, points, descriptors, self._table.check(row))

    def _best_voted(self, query: Local) -> list[int]:
        """Rows that most of the query's features have a near neighbour in."""
        if len(query.points) < MIN_INLIERS:
            return []
        votes = self._candidates.votes(query.descriptors)
        order = np.argsort(-votes, kind="stable")[:CANDIDATES]
        floor = max(MIN_VOTES, FEW_VOTES * votes[order[0]])
        return [int(row) for row in order if votes[row] >= floor]
