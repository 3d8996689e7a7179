"""Parquet: a few rows at a time, and only the columns that are looked into."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from hopsight.errors import SourceError
from refine.imported.columns import Columns, Role, no_columns
from refine.imported.seed import BadRow, ImportLimits

_BATCH: Final = 16
"""Rows hold pictures."""


def parquet_rows(
    path: Path, given: Mapping[Role, str], limits: ImportLimits, *, every: bool
) -> Iterator[Mapping[str, object] | BadRow]:
    """The rows of a file. Raises SourceError for one that is damaged or lacks a column."""
    with _opened(path) as file:
        names = _names(file, path, given, every=every)
        for batch in file.iter_batches(batch_size=_BATCH, columns=names):
            columns = {name: batch.column(name) for name in names}
            for place in range(batch.num_rows):
                yield _row(columns, place)


def parquet_count(path: Path) -> int:
    """How many rows a file says that it has. Raises SourceError for one that is damaged."""
    with _opened(path) as file:
        return int(file.metadata.num_rows)


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    """A file; what is wrong with it while it is read is a SourceError."""
    try:
        with pq.ParquetFile(path) as file:
            yield file
    except (pa.ArrowException, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the disk's fault, told by who reads rows
        raise SourceError(
            f"{path.name} cannot be read as Parquet ({str(error)[:300]})",
            "copy it again, or write it anew",
        ) from error


def _names(file: Any, path: Path, given: Mapping[Role, str], *, every: bool) -> list[str]:
    found = list(file.schema_arrow.names)
    columns = Columns(found, given)
    if columns.missing() and not every:
        raise no_columns(path.name, columns.missing(), found)
    names = sorted(found if every else columns.used())
    twice = next((name for name in names if found.count(name) > 1), None)
    if twice is not None:
        raise SourceError(f"{path.name} has two columns {twice!r}", "rename one of them")
    return names


def _row(columns: Mapping[str, Any], place: int) -> Mapping[str, object] | BadRow:
    """The cells of one row: a cell that is no value spoils its own row alone."""
    try:
        return {name: column[place].as_py() for name, column in columns.items()}
    except UnicodeDecodeError as error:
        return BadRow("bad_encoding", f"it is not UTF-8 ({error.reason})")
    except (ValueError, OverflowError, pa.ArrowException) as error:
        return BadRow("bad_row", f"a cell cannot be read ({error})")
