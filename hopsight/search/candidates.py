"""Which pictures may a query show? Votes of its local features for the pictures of like ones.

Up to EXACT_BELOW descriptors all are compared. Above, faiss proposes neighbours (inverted lists of
product-quantised codes, 24 bytes a descriptor), and their true likeness is looked up in the
memory-mapped descriptors, so that votes count alike on both ways.
"""

from pathlib import Path
from typing import Any, Final

import faiss
import numpy as np
import numpy.typing as npt

from hopsight.errors import StoreError
from hopsight.search.features import Bytes

EXACT_BELOW: Final = 32_768
NEIGHBOURS: Final = 8
PROBES: Final = 8
CODE_BYTES: Final = 16
SAMPLE: Final = 16_384
ROUNDS: Final = 8
FILE: Final = "codes.faiss"
# Of the largest dot product that two descriptors can have: what counts as like, and how near to
# the best a neighbour must be to be voted for beside it.
LIKE: Final = 0.85 * 255 * 255
NEAR_BEST: Final = 0.985

Rows = npt.NDArray[np.int64]


def write_codes(descriptors: Bytes, folder: Path) -> None:
    """Write the inverted lists beside the descriptors, where there are enough to need them."""
    if len(descriptors) < EXACT_BELOW:
        return
    faiss.omp_set_num_threads(1)
    lists = _lists(len(descriptors))
    coarse = faiss.IndexFlatL2(128)
    index = faiss.IndexIVFPQ(coarse, 128, lists, CODE_BYTES, 8)
    for training in (index.cp, index.pq.cp):
        training.niter, training.seed = ROUNDS, 1
        training.min_points_per_centroid = 1
    chosen = np.random.default_rng(1).permutation(len(descriptors))[: max(SAMPLE, 32 * lists)]
    index.train(descriptors[np.sort(chosen)].astype(np.float32))
    # In parts: all as float32 at once would take gigabytes.
    for start in range(0, len(descriptors), SAMPLE):
        index.add(descriptors[start : start + SAMPLE].astype(np.float32))
    faiss.write_index(index, str(folder / FILE))


class Candidates:
    """Rows of a table, ordered by votes. `offsets` (rows + 1) say whose a descriptor is."""

    def __init__(self, descriptors: Bytes, offsets: Rows, folder: Path) -> None:
        self._descriptors = descriptors
        self._offsets = offsets
        self._index: Any = None
        if len(descriptors) >= EXACT_BELOW:
            self._index = _open(folder / FILE, len(descriptors))

    def votes(self, query: Bytes) -> npt.NDArray[np.int64]:
        """Number of the query's features that have a near neighbour in each row."""
        rows = len(self._offsets) - 1
        if not len(query) or not len(self._descriptors):
            return np.zeros(rows, np.int64)
        likeness, row = self._proposed(query) if self._index is not None else self._all(query)
        best = likeness.max(axis=1, keepdims=True)
        feature, column = np.nonzero((likeness >= LIKE) & (likeness >= NEAR_BEST * best))
        # A feature votes once for a picture, however often it occurs there.
        pairs = np.unique(feature.astype(np.int64) * rows + row[feature, column])
        return np.bincount(pairs % rows, minlength=rows)

    def _proposed(self, query: Bytes) -> tuple[Any, Rows]:
        faiss.omp_set_num_threads(1)
        wanted = query.astype(np.float32)
        _, found = self._index.search(wanted, NEIGHBOURS)
        known = np.maximum(found, 0)
        order = np.unique(known)
        near = self._descriptors[order].astype(np.float32)
        theirs = near[np.searchsorted(order, known)]
        likeness = np.einsum("qd,qnd->qn", wanted, theirs)
        likeness[found < 0] = 0
        return likeness, self._row_of(known)

    def _all(self, query: Bytes) -> tuple[Any, Rows]:
        likeness = query.astype(np.float32) @ self._descriptors.astype(np.float32).T
        few = min(NEIGHBOURS, likeness.shape[1])
        nearest = np.argpartition(-likeness, few - 1, axis=1)[:, :few]
        return np.take_along_axis(likeness, nearest, axis=1), self._row_of(nearest)

    def _row_of(self, descriptor: Rows) -> Rows:
        return np.searchsorted(self._offsets, descriptor, side="right") - 1


def _lists(count: int) -> int:
    """A power of two near the square root of the number of descriptors."""
    return int(min(65_536, max(256, 2 ** round(np.log2(count**0.5)))))


def _open(path: Path, count: int) -> Any:
    try:
        index: Any = faiss.read_index(str(path), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)
    except RuntimeError as error:
        raise StoreError(
            f"no readable codes of pictures in {path}", "build the search index again"
        ) from error
    if index.ntotal != count:
        raise StoreError(
            f"{path} holds {index.ntotal} codes for {count} descriptors",
            "build the search index again",
        )
    index.nprobe = PROBES
    return index
