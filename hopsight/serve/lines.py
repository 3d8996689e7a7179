"""A file of lines, each found by its number, memory-mapped so that workers share it."""

import mmap
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from hopsight.errors import StoreError
from hopsight.store.files import storage_errors

CHUNK: Final = 64 << 20
_BREAK: Final = ord("\n")


class LineFile:
    """Lines by number, from 0. A blank line is none; only where each line starts is in memory."""

    def __init__(self, path: Path) -> None:
        """Raises StoreError where the file is missing or empty."""
        with storage_errors(path), path.open("rb") as file:
            try:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError as error:
                raise StoreError(f"{path} is empty", "give the file of the corpus") from error
        self._spans = _spans(self._data)

    def __len__(self) -> int:
        return len(self._spans)

    def __getitem__(self, number: int) -> bytes:
        start, end = self._spans[number].tolist()
        return self._data[start:end]


def _spans(data: mmap.mmap) -> npt.NDArray[np.int64]:
    """(n, 2): where each line that is not blank starts and ends."""
    bytes_ = np.frombuffer(data, np.uint8)
    breaks = [
        np.flatnonzero(bytes_[start : start + CHUNK] == _BREAK).astype(np.int64) + start
        for start in range(0, len(bytes_), CHUNK)
    ]
    ends = np.concatenate([*breaks, np.array([len(bytes_)], np.int64)])
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
    spans = np.stack([starts, ends], axis=1)
    kept = spans[spans[:, 1] > spans[:, 0]]
    # A line may be blank by a carriage return or a space alone: few, so looked at one by one.
    short = np.flatnonzero(kept[:, 1] - kept[:, 0] <= 2)
    blank = [i for i in short.tolist() if not data[kept[i, 0] : kept[i, 1]].strip()]
    return np.delete(kept, blank, axis=0)
