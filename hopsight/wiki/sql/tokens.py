"""Finding rows and fields in the bytes after VALUES, many rows at once.

A row of C values is `(`, C - 1 commas, `)`; a comma stands between rows. All bytes that may be
such a sign are found in one pass of numpy; those inside of quoted strings are dropped by the
parity of the quotes before them; what is left must repeat with a period of C + 2. Nothing is
guessed: a row that breaks the period ends the run of rows and is told apart by the caller.
Where numba is there, a loop in machine code finds the same.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hopsight.wiki.sql.kernels import Kernels

Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]
"""Indices as numpy wants them: narrower ones are widened again at every use."""

Counts = NDArray[np.int32]

QUOTE: Final = 0x27
OPEN: Final = 0x28
CLOSE: Final = 0x29
COMMA: Final = 0x2C
BACKSLASH: Final = 0x5C


@dataclass(frozen=True, slots=True)
class Rows:
    """Whole rows in `raw`, in order.

    `marks` (C + 1, rows) are the places of `(`, the commas and `)`: value c of a row lies between
    marks c and c + 1. `quotes` (C, rows) tells how many quotes a value has, escaped ones apart; a
    number above 2 means only that. It is None if there is no quote at all. `end` is the place
    after the last `)`. `broken` says that the next row has another number of values than asked
    for. `separators` counts `),(` in `raw`, those inside of strings included, where parentheses
    abound: it does not depend on quotes. Where they do not, it is just the number of rows.
    """

    raw: Bytes
    marks: NDArray[Any]
    quotes: NDArray[Any] | None
    end: int
    broken: bool
    separators: int

    def __len__(self) -> int:
        return int(self.marks.shape[1])


def find_rows(raw: Bytes, values: int, kernels: Kernels | None = None) -> Rows:
    """The whole rows of `values` values from the start of `raw`, which is the `(` of a row."""
    found = _by_numpy(raw, values) if kernels is None else _by_machine_code(raw, values, kernels)
    marks: NDArray[Any] = found[0]
    end = int(marks[values, -1]) + 1 if marks.size else 0
    raw = raw[:end]
    separators = marks.shape[1]
    if np.count_nonzero(raw == OPEN) > 2 * separators:
        separators = raw.tobytes().count(b"),(")
    return Rows(raw, marks, found[1], end, found[2], separators)


def escapers(raw: Bytes) -> Places:
    """Places of the backslashes that change the meaning of the byte after them, ascending.

    In a run of backslashes, every other one does, starting with the first.
    """
    places = np.flatnonzero(raw == BACKSLASH)
    order = np.arange(len(places))
    starts = np.where(np.diff(places, prepend=-2) != 1, order, 0)
    in_run: Places = order - np.maximum.accumulate(starts)
    kept: Places = places[(in_run & 1) == 0]
    return kept


def _by_machine_code(
    raw: Bytes, values: int, kernels: Kernels
) -> tuple[NDArray[np.int32], NDArray[np.uint8], bool]:
    most = len(raw) // (values + 1) + 1
    marks = np.empty((values + 1, most), dtype=np.int32)
    quotes = np.empty((values, most), dtype=np.uint8)
    rows, broken = kernels.mark_rows(raw, marks, quotes)
    return marks[:, :rows], quotes[:, :rows], broken


def _by_numpy(raw: Bytes, values: int) -> tuple[Places, Counts | None, bool]:
    # ' ( ) * + , are neighbours in ASCII: one comparison finds them all.
    places = np.flatnonzero((raw - np.uint8(QUOTE)) <= COMMA - QUOTE)
    signs = raw[places]
    quotes = None
    if (signs == QUOTE).any():
        places, signs, quotes = _outside(raw, places, signs)
    places, signs, quotes = _without_other_signs(places, signs, quotes)
    whole, broken = _whole_rows(raw, places, signs, values)
    period = values + 2
    if whole * period > len(places):  # the last row has no comma after it
        places = np.append(places, len(raw))
        quotes = None if quotes is None else np.append(quotes, quotes[-1])
    # From rows to columns: what is done next is done by column.
    marks = np.ascontiguousarray(places[: whole * period].reshape(whole, period).T[:-1])
    if quotes is not None:
        quotes = np.ascontiguousarray(quotes[: whole * period].reshape(whole, period).T[:-1])
        quotes = quotes[1:] - quotes[:-1]
    return marks, quotes, broken


def _without_other_signs(
    places: Places, signs: Bytes, quotes: Counts | None
) -> tuple[Places, Bytes, Counts | None]:
    """`*` and `+` (as in 1e+20) came along and say nothing."""
    other = (signs - np.uint8(CLOSE + 1)) < COMMA - CLOSE - 1
    if not other.any():
        return places, signs, quotes
    return places[~other], signs[~other], None if quotes is None else quotes[~other]


def _outside(raw: Bytes, places: Places, signs: Bytes) -> tuple[Places, Bytes, Counts]:
    """Only the signs outside of strings, and the number of quotes before each."""
    is_quote = signs == QUOTE
    escaped = escapers(raw) + 1
    escaped = escaped[escaped < len(raw)]
    escaped = escaped[raw[escaped] == QUOTE]
    is_quote[np.searchsorted(places, escaped)] = False
    before = np.cumsum(is_quote, dtype=np.int32)
    kept = np.flatnonzero(((before & 1) == 0) & ~is_quote)
    return places[kept], signs[kept], before[kept]


def _whole_rows(raw: Bytes, places: Places, signs: Bytes, values: int) -> tuple[int, bool]:
    """How many whole rows there are from the start, and whether the next one is malformed."""
    period = values + 2
    pattern = np.full(period, COMMA, dtype=np.uint8)
    pattern[0], pattern[values] = OPEN, CLOSE
    full = len(places) // period
    good = _first_odd(signs[: full * period] != np.tile(pattern, full), period)
    good = min(good, _first_odd(~_clean_gaps(raw, places, full, values), 1))
    rest = signs[good * period :][: values + 1]
    as_wanted = bool((rest == pattern[: len(rest)]).all())
    if len(rest) == values + 1 and as_wanted:
        return good + 1, False
    return good, not as_wanted


def _first_odd(odd: NDArray[np.bool_], period: int) -> int:
    """In which period the first true element stands; the number of periods if there is none."""
    return int(np.argmax(odd)) // period if odd.any() else len(odd) // period


def _clean_gaps(raw: Bytes, places: Places, full: int, values: int) -> NDArray[np.bool_]:
    """Per row, whether nothing but its comma and white space stands before the next row."""
    table = places[: full * (values + 2)].reshape(full, values + 2)
    after = np.append(table[1:, 0], places[full * (values + 2) :][:1])
    clean: NDArray[np.bool_] = table[:, -1] - table[:, values] == 1
    clean[: len(after)] &= after - table[: len(after), -1] == 1
    for row in np.flatnonzero(~clean).tolist():
        stop = int(after[row]) if row < len(after) else int(table[row, -1]) + 1
        gap = raw[int(table[row, values]) + 1 : stop].tobytes()
        clean[row] = gap.strip() == b","
    return clean
