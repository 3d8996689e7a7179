"""One SQL dump of one table as Arrow record batches, columns by name, in bounded memory."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hopsight.errors import SourceError
from hopsight.wiki.sql.kernels import Kernels, compiled
from hopsight.wiki.sql.literals import column_array
from hopsight.wiki.sql.rows import insert_rows
from hopsight.wiki.sql.schema import Column, TableSchema
from hopsight.wiki.sql.statements import Insert, Signs, next_statement
from hopsight.wiki.sql.stream import AGAIN, FETCH, Stream, opened
from hopsight.wiki.sql.tokens import Rows

INVALID_UTF8: Final = "invalid_utf8"

_LEAST_SHARE: Final = 0.01
"""Rows over AUTO_INCREMENT below which a table is taken to have lost its rows."""

_LARGE: Final = 10_000
"""AUTO_INCREMENT from which on that is asked: small wikis may have deleted nearly everything."""

_WORTH_COMPILING: Final = 1 << 28
"""Bytes of a dump whose reading takes numpy about a CPU-second longer than machine code."""


def read_schema(path: Path) -> TableSchema:
    """The table that a dump declares. Raises SourceError if it declares none."""
    with opened(path) as stream:
        statement = next_statement(stream, Signs())
        if isinstance(statement, TableSchema):
            return statement
    raise SourceError(f"{path} has no CREATE TABLE before its rows", FETCH)


def read_table(
    path: Path,
    columns: Sequence[str] | None = None,
    *,
    min_rows: int | None = None,
    rejected: Counter[str] | None = None,
    machine_code: bool | None = None,
) -> Iterator[pa.RecordBatch]:
    """The named columns (default: all, in the table's order) of a dump, about 1 MB of it a time.

    Whole numbers come as int64, floating ones as float64, everything else as string, as stored
    (titles with `_`). A row with a string that is not UTF-8 is an error; if `rejected` is given,
    it is left out and counted there under `invalid_utf8`. `min_rows` is how many rows the file
    must have; if None, a hundredth of the AUTO_INCREMENT it declares, where that is large.
    `machine_code` asks for numba's loops; if None, they are used where the file is large enough to
    be worth compiling them. Without numba, and either way, the values are the same.

    Raises SourceError, naming cause and remedy, if a column is not there, a row or a value does
    not fit, the file is cut or holds anything that is not known, or has too few rows. Damage
    shows where it is reached: use nothing before the iterator has ended.
    """
    with opened(path) as stream:
        large = path.stat().st_size * (4 if path.suffix == ".gz" else 1) >= _WORTH_COMPILING
        kernels = compiled() if (large if machine_code is None else machine_code) else None
        yield from _Reader(stream, columns, min_rows, rejected, kernels).batches()


@dataclass(slots=True)
class _Reader:
    stream: Stream
    columns: Sequence[str] | None
    min_rows: int | None
    rejected: Counter[str] | None
    kernels: Kernels | None
    schema: TableSchema | None = None
    wanted: tuple[Column, ...] = ()
    rows: int = 0
    separators: int = 0
    signs: Signs = field(default_factory=Signs)

    def batches(self) -> Iterator[pa.RecordBatch]:
        while (statement := next_statement(self.stream, self.signs)) is not None:
            if isinstance(statement, Insert):
                yield from self._insert(statement)
            else:
                self._declare(statement)
        self._check_end()

    def _declare(self, schema: TableSchema) -> None:
        if self.schema is not None:
            raise SourceError(f"{self.stream.path} holds more than one table", FETCH)
        self.schema = schema
        self.wanted = _wanted(schema, self.columns, self.stream.path)

    def _insert(self, insert: Insert) -> Iterator[pa.RecordBatch]:
        path = self.stream.path
        if self.schema is None or insert.table != self.schema.name:
            raise SourceError(
                f"{path} fills the table {insert.table!r} without a CREATE TABLE for it", FETCH
            )
        order = insert.columns or tuple(column.name for column in self.schema.columns)
        missing = [column.name for column in self.wanted if column.name not in order]
        if missing:
            raise SourceError(
                f"{path} has an INSERT without the column(s) {', '.join(missing)}", FETCH
            )
        places = [order.index(column.name) for column in self.wanted]
        for rows in insert_rows(self.stream, len(order), self.kernels):
            self.rows += len(rows)
            self.separators += rows.separators
            yield self._batch(rows, places)

    def _batch(self, rows: Rows, places: Sequence[int]) -> pa.RecordBatch:
        arrays = []
        for column, place in zip(self.wanted, places, strict=True):
            try:
                arrays.append(column_array(rows, place, column, self.kernels))
            except ValueError as error:
                raise SourceError(
                    f"{self.stream.path}: a value of {column.name!r} before byte"
                    f" {self.stream.offset} cannot be read ({error})",
                    "the file is damaged or not written by mysqldump; " + AGAIN,
                ) from error
        return self._decoded(arrays)

    def _decoded(self, arrays: list[pa.Array]) -> pa.RecordBatch:
        names = [column.name for column in self.wanted]
        types = [column.arrow for column in self.wanted]
        try:
            whole = [pc.cast(a, pa.string()) if pa.types.is_binary(a.type) else a for a in arrays]
            return pa.RecordBatch.from_arrays(whole, names=names)
        except pa.ArrowInvalid:
            bad = np.logical_or.reduce([_not_utf8(a) for a in arrays if pa.types.is_binary(a.type)])
        if self.rejected is None:
            raise SourceError(
                f"{self.stream.path} has {int(bad.sum())} row(s) before byte"
                f" {self.stream.offset} with a string that is not UTF-8",
                "leave that column out, or have such rows counted and left out",
            )
        self.rejected[INVALID_UTF8] += int(bad.sum())
        kept = pa.RecordBatch.from_arrays(arrays, names=names).filter(pa.array(~bad))
        return kept.cast(pa.schema(zip(names, types, strict=True)))

    def _check_end(self) -> None:
        path, schema = self.stream.path, self.schema
        if schema is None:
            raise SourceError(f"{path} holds no table", FETCH)
        if missing := self.signs.missing():
            raise SourceError(f"{path} is cut: {missing} is not there", AGAIN)
        if self.separators > 2 * self.rows + _LARGE:
            raise SourceError(
                f"{path} gave {self.rows:,} rows but has about {self.separators:,} of what"
                " separates rows: its quoting is not that of mysqldump",
                "write the dump with mysqldump's own settings",
            )
        least = self.min_rows
        if least is None:
            least = int(schema.next_number * _LEAST_SHARE) if schema.next_number > _LARGE else 0
        if self.rows < least:
            raise SourceError(
                f"{path} gave {self.rows:,} rows where at least {least:,} were expected"
                f" (AUTO_INCREMENT is {schema.next_number:,})",
                "fetch the file again; if the table really is that small, say so with min_rows",
            )


def _wanted(schema: TableSchema, columns: Sequence[str] | None, path: Path) -> tuple[Column, ...]:
    """The columns asked for, in that order. Raises SourceError for one that is not there."""
    by_name = {column.name: column for column in schema.columns}
    if columns is None:
        return schema.columns
    missing = [name for name in columns if name not in by_name]
    if missing:
        raise SourceError(
            f"{path}: the table {schema.name!r} has no column {', '.join(missing)}; it has"
            f" {', '.join(by_name)}",
            "give a dump of a MediaWiki whose schema is known here (1.39 or later)",
        )
    return tuple(by_name[name] for name in columns)


def _not_utf8(values: pa.Array) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    return np.array([not _decodes(value) for value in values.to_pylist()], dtype=bool)


def _decodes(value: bytes | None) -> bool:
    try:
        (value or b"").decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
