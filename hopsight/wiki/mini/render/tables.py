"""Reading the fact tables: one CSV file per kind, checked before anything is rendered."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from hopsight.errors import SourceError
from hopsight.wiki.mini.render.schema import KINDS, META, Cell, Kind

_NUMBERS = frozenset(set(Cell) - {Cell.PAGE, Cell.TEXT})
_FORBIDDEN = frozenset("[]{}|<>#\n\t")


@dataclass(frozen=True, slots=True)
class Row:
    """One page's facts: non-empty cells only, each a tuple of values."""

    kind: Kind
    title: str
    aliases: tuple[str, ...]
    source: str
    cells: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Tables:
    """All rows, sorted by title."""

    rows: tuple[Row, ...]

    @property
    def by_title(self) -> dict[str, Row]:
        """Rows by their title."""
        return {row.title: row for row in self.rows}


def load_tables(data_dir: Path) -> Tables:
    """Read and check every `*.csv` of a folder; `SourceError` names file, line and remedy."""
    files = sorted(data_dir.glob("*.csv"))
    if not files:
        raise SourceError(f"no fact tables in {data_dir}", "put one CSV file per kind there")
    rows = [row for file in files for row in _read(file)]
    _check_titles(rows)
    return Tables(tuple(sorted(rows, key=lambda row: row.title)))


def _read(file: Path) -> list[Row]:
    kind = KINDS.get(file.stem)
    if kind is None:
        raise SourceError(f"{file.name} is no known kind", f"use one of {', '.join(KINDS)}")
    with file.open(encoding="utf-8", newline="") as handle:
        reader = csv.DictReader(handle, strict=True)
        _check_header(file, kind, reader.fieldnames or ())
        try:
            return [_row(file, reader.line_num, kind, record) for record in reader]
        except csv.Error as error:
            cause = f"{file.name}:{reader.line_num}: {error}"
            raise SourceError(cause, "write the file as RFC 4180 says") from error


def _check_header(file: Path, kind: Kind, names: object) -> None:
    found = list(names) if isinstance(names, list | tuple) else []
    unknown = [name for name in found if name not in META and name not in kind.columns]
    missing = [name for name in META if name not in found]
    if unknown:
        raise SourceError(
            f"{file.name}: unknown column {unknown[0]!r}",
            f"use only {', '.join((*META, *kind.columns))}",
        )
    if missing:
        raise SourceError(f"{file.name}: no column {missing[0]!r}", "add it to the header line")
    if len(set(found)) != len(found):
        raise SourceError(f"{file.name}: a column appears twice", "keep one of the two")


def _row(file: Path, line: int, kind: Kind, record: Mapping[str | None, object]) -> Row:
    where = f"{file.name}:{line}"
    if None in record or any(value is None for value in record.values()):
        raise SourceError(f"{where}: wrong number of cells", "quote cells that hold a comma")
    text = {str(name): str(value).strip() for name, value in record.items()}
    for name, value in text.items():
        if name != "source" and _FORBIDDEN & set(value):
            raise SourceError(f"{where}: {name} holds wiki markup", "write plain text")
    for name in ("title", "source"):
        if not text[name]:
            raise SourceError(f"{where}: empty {name}", f"fill in the {name}")
    cells = {name: _split(text.get(name, "")) for name in kind.columns}
    filled = {name: values for name, values in cells.items() if values}
    for name, values in filled.items():
        _check_values(where, name, kind.columns[name], values)
    if ("latitude" in filled) != ("longitude" in filled):
        raise SourceError(f"{where}: half a position", "give latitude and longitude, or neither")
    aliases = _split(text["aliases"])
    return Row(kind, text["title"], aliases, text["source"], MappingProxyType(filled))


def _split(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))


def _check_values(where: str, name: str, cell: Cell, values: tuple[str, ...]) -> None:
    if cell not in _NUMBERS:
        return
    if len(values) > 1:
        raise SourceError(f"{where}: {name} holds a list", "give one number")
    try:
        number = float(values[0])
    except ValueError as error:
        cause = f"{where}: {name} is {values[0]!r}"
        raise SourceError(cause, "write plain digits, or leave the cell empty") from error
    if cell is Cell.YEAR and number != int(number):
        raise SourceError(f"{where}: {name} is no whole year", "write an integer")


def _check_titles(rows: list[Row]) -> None:
    titles: dict[str, str] = {}
    for row in rows:
        if row.title in titles:
            cause = f"title {row.title!r} is in {titles[row.title]} and in {row.kind.name}"
            raise SourceError(cause, "rename one, with a word in parentheses")
        titles[row.title] = row.kind.name
    for row in rows:
        for alias in row.aliases:
            if alias in titles:
                cause = f"alias {alias!r} of {row.title!r} is the title of another page"
                raise SourceError(cause, "drop the alias")
