"""What a dump's CREATE TABLE says: the table's name, its columns in order, its next number."""

import re
from dataclasses import dataclass
from typing import Final, Literal

import pyarrow as pa

Kind = Literal["int", "float", "text"]

_CREATE: Final = re.compile(
    rb"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[`\w]+\.)?`?(\w+)`?\s*\(", re.IGNORECASE
)
_COLUMN: Final = re.compile(rb"(?:`([^`]+)`|(\w+))\s+(\w+)")
_KEYS: Final = re.compile(
    rb"(?:PRIMARY|UNIQUE|KEY|INDEX|CONSTRAINT|FULLTEXT|SPATIAL|FOREIGN|CHECK|PERIOD)\b",
    re.IGNORECASE,
)
_NEXT_NUMBER: Final = re.compile(rb"\bAUTO_INCREMENT\s*=\s*(\d+)", re.IGNORECASE)
_PIECE: Final = re.compile(
    rb"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|[(),]|[^'\"`(),]+", re.DOTALL
)
_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("tinyint", "smallint", "mediumint", "int", "integer", "bigint"), "int"),
    **dict.fromkeys(("float", "double", "real"), "float"),
}
_TYPES: Final[dict[Kind, pa.DataType]] = {
    "int": pa.int64(),
    "float": pa.float64(),
    "text": pa.string(),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column. Whole numbers, floating numbers, and all else (text, binary, dates) as text."""

    name: str
    kind: Kind

    @property
    def arrow(self) -> pa.DataType:
        """int64, float64 or UTF-8 string."""
        return _TYPES[self.kind]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table. `next_number` is the AUTO_INCREMENT that the dump declares, 0 without one."""

    name: str
    columns: tuple[Column, ...]
    next_number: int


def parse_create_table(statement: bytes) -> TableSchema | None:
    """Read one CREATE TABLE statement; None if it is not one or names no column."""
    found = _CREATE.match(statement)
    if found is None:
        return None
    items, rest = _items(statement[found.end() :])
    columns = tuple(column for column in map(_column, items) if column is not None)
    number = _NEXT_NUMBER.search(rest)
    if not columns:
        return None
    return TableSchema(found[1].decode(), columns, int(number[1]) if number else 0)


def _column(item: bytes) -> Column | None:
    if _KEYS.match(item):
        return None
    found = _COLUMN.match(item)
    if found is None:
        return None
    name = (found[1] or found[2]).decode("utf-8", "replace")
    return Column(name, _KINDS.get(found[3].decode("utf-8", "replace").lower(), "text"))


def _items(body: bytes) -> tuple[list[bytes], bytes]:
    """What stands between the outer parentheses, split at its commas, and what follows them."""
    items, current, depth = [], b"", 0
    for found in _PIECE.finditer(body):
        piece = found[0]
        if depth == 0 and piece in (b",", b")"):
            items.append(current.strip())
            current = b""
            if piece == b")":
                return items, body[found.end() :]
            continue
        depth += (piece == b"(") - (piece == b")")
        current += piece
    return [], b""
