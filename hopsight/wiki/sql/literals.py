"""From the bytes of a column's values to one Arrow array: numbers, strings with escapes, NULL.

What nearly every value looks like is done for all rows at once; the rest (hexadecimal literals,
`_binary '…'`, doubled quotes, quoted numbers) goes through `literal`, one by one.
"""

import re
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from hopsight.wiki.sql.kernels import ASCII, ODD, Kernels
from hopsight.wiki.sql.schema import Column
from hopsight.wiki.sql.tokens import BACKSLASH, QUOTE, Bytes, Places, Rows, escapers

Mask = NDArray[np.bool_]

_ESCAPES: Final = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}
_KEPT: Final = (b"%", b"_")
"""MySQL keeps the backslash before these two, which mean something to LIKE."""

_MEANING: Final = np.arange(256, dtype=np.uint8)
for _sign, _byte in _ESCAPES.items():
    _MEANING[_sign[0]] = _byte[0]

_ESCAPE: Final = re.compile(rb"\\(.)|''", re.DOTALL)
_STRINGS: Final = re.compile(
    rb"(?:_[A-Za-z0-9]+\s*)?('(?:[^'\\]|\\.|'')*'(?:\s+'(?:[^'\\]|\\.|'')*')*)", re.DOTALL
)
_STRING: Final = re.compile(rb"'((?:[^'\\]|\\.|'')*)'", re.DOTALL)
_HEX: Final = re.compile(rb"(?:0x([0-9A-Fa-f]*)|[xX]'([0-9A-Fa-f]*)')")
_NUMBER: Final = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def literal(text: bytes) -> bytes | None:
    """The value of one SQL literal; None for NULL. Raises ValueError for anything else."""
    text = text.strip()
    if text.upper() == b"NULL":
        return None
    if strings := _STRINGS.fullmatch(text):
        return b"".join(_ESCAPE.sub(_meaning, part) for part in _STRING.findall(strings[1]))
    if digits := _HEX.fullmatch(text):
        told = (digits[1] or digits[2] or b"").decode()
        return bytes.fromhex("0" * (len(told) % 2) + told)
    if _NUMBER.fullmatch(text):
        return text
    raise ValueError(f"{text[:60]!r} is no literal that is known here")


def _meaning(found: re.Match[bytes]) -> bytes:
    sign = found[1]
    if sign is None:
        return b"'"
    return b"\\" + sign if sign in _KEPT else _ESCAPES.get(sign, sign)


def column_array(
    rows: Rows, place: int, column: Column, kernels: Kernels | None = None
) -> pa.Array:
    """The values at `place` of all rows: numbers, string, or binary where UTF-8 is to be checked.

    Raises ValueError for a value that does not fit the column.
    """
    if kernels is not None and column.kind != "float":
        array = _by_machine_code(rows, place, column, kernels)
        if array is not None:
            return array
    starts, ends = rows.marks[place] + 1, rows.marks[place + 1]
    if column.kind == "text":
        return _texts(rows, starts, ends, place)
    plain = _cut(rows.raw, starts, ends)
    try:
        return _numbers(plain, column.arrow)
    except pa.ArrowInvalid:
        # Some value is NULL, quoted, or wrong.
        return _odd_numbers(plain, column)


def _by_machine_code(rows: Rows, place: int, column: Column, kernels: Kernels) -> pa.Array | None:
    """The same, in one pass; None if some value is out of the ordinary."""
    n, before, after = len(rows), rows.marks[place], rows.marks[place + 1]
    if column.kind == "int":
        numbers = np.empty(n, dtype=np.int64)
        plain = kernels.whole_numbers(rows.raw, before, after, numbers)
        return pa.array(numbers) if plain else None
    assert rows.quotes is not None
    data = np.empty(int((after - before).sum()), dtype=np.uint8)
    offsets, valid = np.empty(n + 1, dtype=np.int32), np.empty(n, dtype=bool)
    quotes = rows.quotes[place]
    found = kernels.texts(rows.raw, before, after, quotes, _MEANING, data, offsets, valid)
    if found == ODD:
        return None
    bits = None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))
    buffers = [bits, pa.py_buffer(offsets), pa.py_buffer(data[: offsets[-1]])]
    return pa.Array.from_buffers(pa.string() if found == ASCII else pa.binary(), n, buffers)


def _cut(raw: Bytes, starts: Places, ends: Places) -> pa.Array:
    """`raw[start:end]` for every row as binary, copied by Arrow.

    The offsets describe values and the gaps between them in turn; `take` keeps the values.
    """
    n = len(starts)
    offsets = np.empty(2 * n + 1, dtype=np.int32)
    offsets[0:-1:2], offsets[1::2] = starts, ends
    offsets[-1] = ends[-1] if n else 0
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(raw)]
    both = pa.Array.from_buffers(pa.binary(), 2 * n, buffers, null_count=0)
    return both.take(pa.array(np.arange(0, 2 * n, 2, dtype=np.int32)))


def _numbers(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    # Digits are ASCII: what is not fails in the second cast, so no check of UTF-8 is owed.
    return pc.cast(texts.view(pa.string()), kind)


def _odd_numbers(texts: pa.Array, column: Column) -> pa.Array:
    try:
        return _numbers(pc.if_else(pc.equal(texts, b"NULL"), None, texts), column.arrow)
    except pa.ArrowInvalid:
        values = [_number(text) for text in texts.to_pylist()]
    try:
        return _numbers(pa.array(values, type=pa.binary()), column.arrow)
    except pa.ArrowInvalid as error:
        raise ValueError(str(error)) from error


def _number(text: bytes) -> bytes | None:
    """A literal where a number is wanted: there, hexadecimal digits are a number, not bytes."""
    text = text.strip()
    return str(int(text, 16)).encode() if text[:2] == b"0x" else literal(text)


def _texts(rows: Rows, starts: Places, ends: Places, place: int) -> pa.Array:
    regular = _regular(rows, starts, ends, place)
    if regular.all():
        return _unescaped(_cut(rows.raw, starts + 1, ends - 1))
    first = np.where(regular, starts + 1, starts)
    last = np.where(regular, ends - 1, starts)  # an empty value where it is not regular
    values = _unescaped(_cut(rows.raw, first, last))
    null = ~regular
    odd = np.flatnonzero(null)
    odd = odd[~_is_null(rows.raw, starts[odd], ends[odd])]
    values = pc.if_else(pa.array(null), None, values)
    if not len(odd):
        return values
    raw = [rows.raw[starts[row] : ends[row]].tobytes() for row in odd.tolist()]
    fixed = pa.array([literal(text) for text in raw], type=pa.binary())
    null[:] = False
    null[odd] = True
    return pc.replace_with_mask(values, pa.array(null), fixed)


def _regular(rows: Rows, starts: Places, ends: Places, place: int) -> Mask:
    """Whether a value is one quoted string and nothing else."""
    if rows.quotes is None:
        return np.zeros(len(starts), dtype=bool)
    two: Mask = rows.quotes[place] == 2
    two &= rows.raw[starts] == QUOTE
    two &= rows.raw[ends - 1] == QUOTE
    return two


def _is_null(raw: Bytes, starts: Places, ends: Places) -> Mask:
    """Whether a value is NULL in capitals, as dumps write it."""
    null: Mask = np.asarray(ends - starts == 4, dtype=bool)
    for step, sign in enumerate(b"NULL"):
        null &= raw[np.minimum(starts + step, len(raw) - 1)] == sign
    return null


def _unescaped(values: pa.Array) -> pa.Array:
    """Binary values with the escapes of MySQL strings taken out."""
    _, offsets_buffer, data = values.buffers()
    raw = np.frombuffer(data or b"", dtype=np.uint8)
    if not (raw == BACKSLASH).any():
        return values
    offsets = np.frombuffer(offsets_buffer, dtype=np.int32)[: len(values) + 1]
    # A value never ends inside of an escape, so runs of backslashes may be read across values.
    places = escapers(raw[: offsets[-1]])
    meant = raw.copy()
    meant[places + 1] = _MEANING[raw[places + 1]]
    dropped = places[~np.isin(raw[places + 1], [sign[0] for sign in _KEPT])]
    kept = np.ones(len(raw), dtype=bool)
    kept[dropped] = False
    moved = (offsets - np.searchsorted(dropped, offsets)).astype(np.int32)
    buffers = [None, pa.py_buffer(moved), pa.py_buffer(meant[kept])]
    return pa.Array.from_buffers(pa.binary(), len(values), buffers, null_count=0)
