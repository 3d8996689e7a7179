"""A FAISS index of documents' vectors, memory-mapped, and whether it fits its embedder.

A wrong pair of index and embedder still gives answers, and all of them are wrong. So a server
starts only where dimension and stored name agree and known documents find themselves.
"""

import asyncio
import importlib
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hopsight.errors import ConfigError, StoreError
from hopsight.serve.embedders import Embedder, Vectors

PROBES: Final = 8
MIN_FOUND: Final = 0.8
MIN_LIKENESS: Final = 0.9
"""Median cosine of a document's vector and what is nearest to it. A text cut elsewhere stays above
(.96 at 70 of 100 characters), another text of the same E5 model is at .77."""

MISMATCH: Final = "use the embedder that the index was made with, or build the index again"


class DenseIndex:
    """Vectors by row number, searched by inner product."""

    def __init__(self, path: Path) -> None:
        """Open a FAISS file. Raises StoreError (unreadable) or ConfigError (no faiss)."""
        try:
            self._faiss: Any = importlib.import_module("faiss")
        except ImportError as error:
            raise ConfigError(
                "an index of vectors needs the package faiss-cpu", "pip install faiss-cpu"
            ) from error
        if not path.is_file():
            raise StoreError(f"there is no index {path}", "give the index's file")
        try:
            self._index = self._faiss.read_index(str(path), self._flags())
        except RuntimeError as error:
            raise StoreError(
                f"{path} is no readable FAISS index", "give the index's file"
            ) from error
        if self._index.metric_type != self._faiss.METRIC_INNER_PRODUCT:
            raise StoreError(
                f"{path} does not compare by inner product", "build it with METRIC_INNER_PRODUCT"
            )
        self.path = path

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return int(self._index.d)

    async def search(
        self, vectors: Vectors, k: int
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """Scores and rows of the nearest, best first, each (queries, k); row −1 is none."""
        return await asyncio.to_thread(self._index.search, vectors, k)

    def _flags(self) -> int:
        return int(self._faiss.IO_FLAG_MMAP_IFC | self._faiss.IO_FLAG_READ_ONLY)


async def check_match(
    index: DenseIndex,
    embedder: Embedder,
    documents: int,
    embed: Callable[[Sequence[int]], Awaitable[Vectors]],
    same: Callable[[int, int], bool],
) -> None:
    """Raises ConfigError where the index is not of these documents by this embedder.

    `embed` makes the vectors of the documents in some rows; `same` tells whether two rows hold
    equal documents, of which either counts as found.
    """
    if index.dimension != embedder.dimension:
        raise ConfigError(
            f"the index {index.path} holds vectors of {index.dimension} numbers, "
            f"{embedder.name} makes {embedder.dimension}",
            MISMATCH,
        )
    stored = _stored_name(index.path)
    if stored is not None and stored != embedder.name:
        raise ConfigError(f"the index {index.path} was made with {stored}", MISMATCH)
    if len(index) != documents:
        raise ConfigError(
            f"the index {index.path} has {len(index)} vectors for {documents} documents",
            "give the corpus that the index was made of",
        )
    await _probe(index, embedder, embed, same)


async def _probe(
    index: DenseIndex,
    embedder: Embedder,
    embed: Callable[[Sequence[int]], Awaitable[Vectors]],
    same: Callable[[int, int], bool],
) -> None:
    count = min(PROBES, len(index))
    if not count:
        raise ConfigError(f"the index {index.path} is empty", "build it again")
    rows = [int(row) for row in np.linspace(0, len(index) - 1, count)]
    scores, found = await index.search(await embed(rows), 3)
    hits = sum(
        any(near >= 0 and (near == row or same(near, row)) for near in nearest.tolist())
        for row, nearest in zip(rows, found, strict=True)
    )
    likeness = float(np.median(scores[:, 0]))
    if hits < MIN_FOUND * count or likeness < MIN_LIKENESS:
        raise ConfigError(
            f"{hits} of {count} known documents find themselves in the index {index.path} with "
            f"{embedder.name} (median likeness {likeness:.3f})",
            MISMATCH,
        )


def _stored_name(path: Path) -> str | None:
    """The embedder's name in the file `<index>.json` beside an index; None without that file."""
    beside = path.with_name(f"{path.name}.json")
    if not beside.is_file():
        return None
    try:
        return str(json.loads(beside.read_text(encoding="utf-8"))["embedder"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{beside} does not name an embedder", 'write {"embedder": "<name>"}, or remove it'
        ) from error
