"""Nearest unit vectors in a folder: all compared below IVF_FROM, else inverted lists of bytes.

vectors.faiss     the vectors, by their row
vectors.json      which embedder made them, their number and length
"""

import json
from pathlib import Path
from typing import Any, Final

import faiss
import numpy as np
import numpy.typing as npt

from hopsight.errors import StoreError
from hopsight.store.files import write_atomic

IVF_FROM: Final = 50_000
PROBES: Final = 8
SAMPLE_PER_LIST: Final = 64
ROUNDS: Final = 10
UNIT: Final = 1e-2

Vectors = npt.NDArray[np.float32]


class VectorIndex:
    """A read-only index. `embedder` names what made its vectors; only its queries fit."""

    def __init__(self, index: Any, embedder: str) -> None:
        self._index = index
        self.embedder = embedder

    @classmethod
    def build(cls, vectors: Vectors, embedder: str, folder: Path) -> "VectorIndex":
        """Index `vectors` (n, d), each of length 1. Raises ValueError where they are not."""
        _check_unit(vectors)
        faiss.omp_set_num_threads(1)
        index = _made(vectors)
        index.add(vectors)
        folder.mkdir(parents=True, exist_ok=True)
        faiss.write_index(index, str(folder / "vectors.faiss"))
        about = {"embedder": embedder, "count": len(vectors), "length": vectors.shape[1]}
        write_atomic(folder / "vectors.json", json.dumps(about).encode(), sync=False)
        return cls.open(folder, embedder)

    @classmethod
    def open(cls, folder: Path, embedder: str) -> "VectorIndex":
        """Open an index for the queries of `embedder`.

        Raises StoreError where there is none, it is damaged, or another embedder made it.
        """
        try:
            about = json.loads((folder / "vectors.json").read_text(encoding="utf-8"))
            made_by, count, length = about["embedder"], about["count"], about["length"]
            flags = faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY
            index = faiss.read_index(str(folder / "vectors.faiss"), flags)
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            raise StoreError(
                f"no readable vector index in {folder}", "build the search index again"
            ) from error
        if made_by != embedder:
            raise StoreError(
                f"the vector index in {folder} was made by {made_by!r}, not by {embedder!r}",
                "configure that embedder, or build the search index again with this one",
            )
        if (index.ntotal, index.d) != (count, length):
            raise StoreError(
                f"the vector index in {folder} does not hold what it says",
                "build the search index again",
            )
        return cls(index, embedder)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def search(self, queries: Vectors, k: int) -> list[list[tuple[int, float]]]:
        """For each query (a row of length 1) up to `k` of (row, cosine), best first."""
        _check_unit(queries)
        if k < 1 or not len(self) or not len(queries):
            return [[] for _ in queries]
        if queries.shape[1] != self._index.d:
            raise ValueError(
                f"queries of {queries.shape[1]} numbers for vectors of {self._index.d}"
            )
        faiss.omp_set_num_threads(1)
        scores, rows = self._index.search(np.ascontiguousarray(queries, np.float32), k)
        answers = []
        for line, row in zip(scores.tolist(), rows.tolist(), strict=True):
            pairs = [(r, round(s, 5)) for r, s in zip(row, line, strict=True) if r >= 0]
            answers.append(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
        return answers


def _made(vectors: Vectors) -> Any:
    count, length = vectors.shape
    if count < IVF_FROM:
        return faiss.IndexFlatIP(length)
    lists = int(min(65_536, 2 ** round(np.log2(count**0.5))))
    coarse = faiss.IndexFlatIP(length)
    kind = faiss.ScalarQuantizer.QT_8bit
    index = faiss.IndexIVFScalarQuantizer(coarse, length, lists, kind, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter, index.cp.seed = ROUNDS, 1
    sample = np.random.default_rng(1).permutation(count)[: SAMPLE_PER_LIST * lists]
    index.train(vectors[np.sort(sample)])
    index.nprobe = PROBES
    return index


def _check_unit(vectors: Vectors) -> None:
    if vectors.ndim != 2 or vectors.dtype != np.float32:
        raise ValueError("vectors are an array (n, d) of float32")
    lengths = np.linalg.norm(vectors, axis=1)
    if len(vectors) and not bool((np.abs(lengths - 1) < UNIT).all()):
        raise ValueError("each vector has the length 1")
