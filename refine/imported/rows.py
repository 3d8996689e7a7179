"""The rows of a file, one after the other: what cannot be read is told in its place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from hopsight.errors import SourceError
from hopsight.store.files import storage_errors
from refine.imported.columns import Role
from refine.imported.json_rows import json_rows
from refine.imported.parquet_rows import parquet_rows
from refine.imported.seed import BadRow, ImportLimits
from refine.imported.separated_rows import separated_rows

Values = Mapping[str, object]


class _Reader(Protocol):
    def __call__(
        self, path: Path, given: Mapping[Role, str], limits: ImportLimits, *, every: bool
    ) -> Iterator[Values | BadRow]: ...


_READERS: Final[Mapping[str, _Reader]] = {
    ".parquet": parquet_rows,
    ".jsonl": json_rows,
    ".ndjson": json_rows,
    ".json": json_rows,
    ".csv": separated_rows,
    ".tsv": separated_rows,
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row by its number, from 1: its cells by column, or why they cannot be had."""

    number: int
    values: Values | BadRow


def rows_of(
    path: Path, given: Mapping[Role, str], limits: ImportLimits, *, every: bool = False
) -> Iterator[Row]:
    """The rows of a Parquet, JSON Lines, JSON or CSV file, read as they are asked for.

    The columns are those of the roles, and a file without one that every row needs is refused;
    or `every` column there is, and none is needed.
    Raises SourceError for a file that is no such file or holds too many rows, StoreError where the
    disk fails.
    """
    reader = _READERS.get(path.suffix.casefold())
    if reader is None:
        raise SourceError(
            f"{path.name} is of no known kind", f"give a file that ends in {', '.join(_READERS)}"
        )
    with storage_errors(path):
        for number, values in enumerate(reader(path, given, limits, every=every), start=1):
            if number > limits.rows:
                raise SourceError(
                    f"{path.name} has more than {limits.rows:,} rows",
                    "divide it into several files",
                )
            yield Row(number, values)
