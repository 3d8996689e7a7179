"""Reading single pages of a chunk again, by where they lie."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopsight.errors import SourceError
from hopsight.wiki.dump import RawPage
from hopsight.wiki.scan.pages import Escapes, FoundPage, pages_of
from hopsight.wiki.scan.splitter import CLOSE, OPEN, Block
from hopsight.wiki.scan.streams import AGAIN, READ, Chunk, ChunkReader

_NEAR: Final = 4 * READ
"""Unpacked bytes that are rather read over than jumped over."""


class _Forward:
    """Bytes of a chunk from one of its streams on, by unpacked offset, never backwards."""

    def __init__(self, reader: ChunkReader, base: int) -> None:
        self._reader = reader
        self._buffer = b""
        self.base = base

    def page(self, offset: int) -> Block:
        """The page at `offset`, not before one that was asked for earlier."""
        while offset - self.base >= len(self._buffer):
            self.base += len(self._buffer)
            self._buffer = self._more()
        self._buffer = self._buffer[offset - self.base :]
        self.base = offset
        while (end := self._buffer.find(CLOSE)) < 0:
            self._buffer += self._more()
        return Block(self._buffer[: end + len(CLOSE)], offset)

    def _more(self) -> bytes:
        data = self._reader.read() or self._reader.read()
        if not data:
            raise _moved(self._reader.chunk)
        return data


def read_at(chunk: Chunk, streams: NDArray[np.int64], offsets: Sequence[int]) -> Iterator[RawPage]:
    """The pages at ascending unpacked offsets of a chunk.

    `streams` are rows (offset in the file, unpacked offset) where unpacking may start.
    """
    left = list(reversed(offsets))
    while left:
        start, base = _place(chunk, streams, left[-1])
        with ChunkReader(replace(chunk, start=start)) as reader:
            forward = _Forward(reader, base)
            while left and _is_near(chunk, streams, forward.base, left[-1]):
                yield _raw(forward.page(left.pop()), chunk)


def _place(chunk: Chunk, streams: NDArray[np.int64], offset: int) -> tuple[int, int]:
    """Where to start reading for a page: offset in the file and what is unpacked by then."""
    if chunk.packing == "plain":
        return chunk.start + offset, offset
    at = np.searchsorted(streams[:, 1], offset, side="right") - 1
    start, base = streams[at].tolist()
    return start, base


def _is_near(chunk: Chunk, streams: NDArray[np.int64], base: int, offset: int) -> bool:
    """Whether reading on from `base` reaches the page no later than starting anew would."""
    return offset - base <= _NEAR or _place(chunk, streams, offset)[1] <= base


def _raw(block: Block, chunk: Chunk) -> RawPage:
    found = block.data.startswith(OPEN) and next(
        pages_of(block, Escapes(block.data), chunk.path), None
    )
    if not isinstance(found, FoundPage):
        raise _moved(chunk)
    return found.raw()


def _moved(chunk: Chunk) -> SourceError:
    return SourceError(f"{chunk.path} does not hold a page where the scan found one", AGAIN)
