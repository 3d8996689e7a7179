"""Comma- and tab-separated values with a heading; pictures may stand in them as base64."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

from hopsight.errors import SourceError
from refine.imported.columns import Columns, Role, no_columns
from refine.imported.seed import BadRow, ImportLimits


def separated_rows(
    path: Path, given: Mapping[Role, str], limits: ImportLimits, *, every: bool
) -> Iterator[Mapping[str, object] | BadRow]:
    """The rows under the heading. Raises SourceError where a column is lacking."""
    delimiter = "\t" if path.suffix.casefold() == ".tsv" else ","
    before = csv.field_size_limit()
    # One limit for the whole process: it goes back to what others read with.
    csv.field_size_limit(max(before, limits.row_bytes))
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            rows = csv.reader(_lines(file, path.name, limits), delimiter=delimiter)
            try:
                heading = next(rows, [])
            except csv.Error as error:
                raise SourceError(f"{path.name} has no heading ({error})", "write one") from error
            columns = Columns(heading, given)
            if columns.missing() and not every:
                raise no_columns(path.name, columns.missing(), heading)
            yield from _rows(rows, heading)
    finally:
        csv.field_size_limit(before)


def _rows(rows: Iterator[list[str]], heading: list[str]) -> Iterator[Mapping[str, object] | BadRow]:
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield BadRow("bad_row", str(error))
            continue
        if len(cells) > len(heading):
            yield BadRow("bad_row", f"it has {len(cells)} cells under {len(heading)} headings")
        elif cells:
            yield {name: cell or None for name, cell in zip(heading, cells, strict=False)}


def _lines(file: TextIO, name: str, limits: ImportLimits) -> Iterator[str]:
    while line := file.readline(limits.row_bytes + 1):
        if len(line) > limits.row_bytes:
            raise SourceError(
                f"{name} has a line of more than {limits.row_bytes:,} characters",
                "see that quotes are closed, or write Parquet",
            )
        yield line
