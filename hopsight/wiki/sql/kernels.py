"""The inner loops in machine code, where numba is installed; numpy's ways stand elsewhere.

Both give the same values. Importing numba and compiling cost about one CPU-second in each process
that reads SQL, which large files alone earn back; hence numba is optional and `compiled` is asked
for by size.
"""

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Marks = NDArray[np.int32]

ODD: Final = 0
ASCII: Final = 1
BYTES: Final = 2

_QUOTE: Final = 0x27
_OPEN: Final = 0x28
_CLOSE: Final = 0x29
_COMMA: Final = 0x2C
_MINUS: Final = 0x2D
_BACKSLASH: Final = 0x5C
_SPACE: Final = 0x20
_KEPT: Final = (0x25, 0x5F)
"""MySQL keeps the backslash before % and _, which mean something to LIKE."""

_DIGITS: Final = 18
"""More may not fit into int64."""


@dataclass(frozen=True, slots=True)
class Kernels:
    """The compiled loops."""

    mark_rows: Callable[[NDArray[np.uint8], Marks, NDArray[np.uint8]], tuple[int, bool]]
    whole_numbers: Callable[[NDArray[np.uint8], Marks, Marks, NDArray[np.int64]], bool]
    texts: Callable[..., int]


@functools.cache
def compiled() -> Kernels | None:
    """The loops as numba compiles them at their first call; None where numba is not installed."""
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError:
        return None
    return Kernels(numba.njit(mark_rows), numba.njit(whole_numbers), numba.njit(texts))


def mark_rows(raw: NDArray[np.uint8], marks: Marks, quotes: NDArray[np.uint8]) -> tuple[int, bool]:
    """Fill `marks` (C + 1, rows) and `quotes` (C, rows) from the `(` that `raw` starts with.

    `quotes` tells 0, 2 or more than 2. Gives the number of whole rows, and whether the next one
    has another number of values than C.
    """
    n, at, values = len(raw), 0, len(quotes)
    for row in range(marks.shape[1]):
        column, found = 0, 0
        marks[0, row] = at
        at += 1
        while at < n:
            sign = raw[at]
            if sign == _QUOTE:
                at += 1
                # Branches, not arithmetic: the processor then runs ahead of the bytes it waits for.
                while at < n:
                    inner = raw[at]
                    if inner == _QUOTE:
                        break
                    if inner == _BACKSLASH:
                        at += 1
                    at += 1
                found = min(found + 2, 4)
            elif sign in (_COMMA, _CLOSE):
                if (column == values - 1) != (sign == _CLOSE):
                    return row, True
                quotes[column, row] = found
                column, found = column + 1, 0
                marks[column, row] = at
                if sign == _CLOSE:
                    break
            elif sign == _OPEN:
                return row, True
            at += 1
        if at >= n:
            return row, False
        at += 1
        while at < n and raw[at] <= _SPACE:
            at += 1
        if at >= n or raw[at] != _COMMA:
            return row + 1, False
        at += 1
        while at < n and raw[at] <= _SPACE:
            at += 1
        if at >= n or raw[at] != _OPEN:
            return row + 1, False
    return marks.shape[1], False


def whole_numbers(
    raw: NDArray[np.uint8], before: Marks, after: Marks, out: NDArray[np.int64]
) -> bool:
    """Fill `out` with the numbers between marks; False if one is not up to 18 digits and a sign."""
    for row in range(len(out)):
        at, end = before[row] + 1, after[row]
        negative = at < end and raw[at] == _MINUS
        if negative:
            at += 1
        if not 0 < end - at <= _DIGITS:
            return False
        value = np.int64(0)
        while at < end:
            digit = np.int64(raw[at]) - 48
            if digit < 0 or digit > 9:
                return False
            value = value * 10 + digit
            at += 1
        out[row] = -value if negative else value
    return True


def texts(
    raw: NDArray[np.uint8],
    before: Marks,
    after: Marks,
    quotes: NDArray[np.uint8],
    meaning: NDArray[np.uint8],
    data: NDArray[np.uint8],
    offsets: NDArray[np.int32],
    valid: NDArray[np.bool_],
) -> int:
    """Fill `data` with the strings between marks, without their escapes, end to end.

    `meaning` tells what an escaped byte stands for. String i is `data[offsets[i]:offsets[i + 1]]`,
    or NULL where `valid` is false. Gives ODD if some value is neither a plain quoted string nor
    NULL in capitals (what was filled in then is of no use), else ASCII or BYTES.
    """
    to, high = 0, 0
    for row in range(len(valid)):
        at, end = before[row] + 1, after[row]
        offsets[row] = to
        valid[row] = quotes[row] == 2 and raw[at] == _QUOTE and raw[end - 1] == _QUOTE
        if not valid[row]:
            if end - at != 4 or not (
                raw[at] == 78 and raw[at + 1] == 85 and raw[at + 2] == 76 and raw[at + 3] == 76
            ):
                return ODD
            continue
        at += 1
        end -= 1
        while at < end:
            sign = raw[at]
            if sign == _BACKSLASH:
                at += 1
                sign = meaning[raw[at]]
                if sign in _KEPT:
                    data[to] = _BACKSLASH
                    to += 1
            data[to] = sign
            high |= sign
            to += 1
            at += 1
    offsets[len(valid)] = to
    return BYTES if high & 0x80 else ASCII
