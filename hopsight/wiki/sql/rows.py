"""The rows of one INSERT, window by window, in memory that a long row alone can make large."""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from hopsight.errors import SourceError
from hopsight.wiki.sql.kernels import Kernels
from hopsight.wiki.sql.stream import AGAIN, FETCH, Stream
from hopsight.wiki.sql.tokens import CLOSE, Rows, find_rows

LONGEST_ROW: Final = 1 << 26
"""Bytes of a row beyond which the file is taken to be damaged."""

WINDOW: Final = 1 << 19
"""Bytes looked at together: few enough for the arrays about them to stay in the processor."""

_SPACE: Final = re.compile(rb"\s*")


def insert_rows(stream: Stream, values: int, kernels: Kernels | None = None) -> Iterator[Rows]:
    """All rows up to the `;`, each of `values` values; the stream stands at the first `(`.

    Raises SourceError if a row has another number of values, if something else than a comma or
    the end follows a row, and if the file ends before the statement does.
    """
    least = 0
    while True:
        size = _window(stream, least)
        rows = _find(stream, size, values, kernels)
        if not len(rows):
            if rows.broken:
                raise _wrong_row(stream, values)
            if size == stream.left and not stream.more():
                raise _cut(stream)
            if size > LONGEST_ROW:
                raise SourceError(
                    f"{stream.path} has a row at byte {stream.offset} that does not end within"
                    f" {LONGEST_ROW >> 20} MB",
                    AGAIN,
                )
            least = size
            continue
        least = 0
        stream.at += rows.end
        yield rows
        if _next_sign(stream) == b";":
            return


def _find(stream: Stream, size: int, values: int, kernels: Kernels | None) -> Rows:
    raw = np.frombuffer(stream.buffer, dtype=np.uint8, count=size, offset=stream.at)
    return find_rows(raw, values, kernels)


def _window(stream: Stream, least: int) -> int:
    """How many bytes to look at: up to what looks like the statement's end, or about a block.

    More than `least`, if the file has more. The guess may be wrong (a string may hold anything):
    then the rows before it are read, and the row it is in is looked at again with more.
    """
    most = max(WINDOW, 2 * least)
    while stream.left < most and stream.more():
        pass
    return _likely_end(stream, least, most) or min(most, stream.left)


def _likely_end(stream: Stream, least: int, most: int) -> int:
    """Bytes before the next `;` that follows a `)` and ends a line; 0 without one."""
    buffer, found = stream.buffer, stream.at + least
    while (found := buffer.find(b";", found + 1, stream.at + most)) > 0:
        if buffer[found - 1] == CLOSE and buffer[found + 1 : found + 2] in (b"\n", b"\r", b""):
            return found - stream.at
    return 0


def _next_sign(stream: Stream) -> bytes:
    """Pass over what follows a row: a comma (then the next `(` is at hand) or the end."""
    sign = _sign(stream)
    if sign in (b",", b";"):
        stream.at += 1
        if sign == b";" or _sign(stream) == b"(":
            return sign
    raise SourceError(
        f"{stream.path}: after a row, at byte {stream.offset}, there is neither a further row nor"
        f" the end of its INSERT but {stream.buffer[stream.at : stream.at + 40]!r}",
        FETCH,
    )


def _sign(stream: Stream) -> bytes:
    """The next byte that is no white space. Raises SourceError at the end of the file."""
    while True:
        space = _SPACE.match(stream.buffer, stream.at)
        assert space is not None
        stream.at = space.end()
        if stream.left:
            return stream.buffer[stream.at : stream.at + 1]
        if not stream.more():
            raise _cut(stream)


def _cut(stream: Stream) -> SourceError:
    return SourceError(
        f"{stream.path} is cut: it ends at byte {stream.offset + stream.left}, inside of an INSERT",
        AGAIN,
    )


def _wrong_row(stream: Stream, values: int) -> SourceError:
    return SourceError(
        f"{stream.path}: the row at byte {stream.offset} has not the {values} values of its table"
        f" but reads {stream.buffer[stream.at : stream.at + 80]!r}",
        "the file is damaged or not written by mysqldump; " + AGAIN,
    )
