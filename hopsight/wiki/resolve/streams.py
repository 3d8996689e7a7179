"""Two operations on tables of any size, done by DuckDB within a memory limit: sort and join."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Final

import duckdb
import pyarrow as pa

from hopsight.errors import StoreError
from hopsight.store.files import storage_errors

PAGES: Final = pa.schema(
    [
        ("title", pa.string()),
        ("seq", pa.int64()),
        ("page_id", pa.int64()),
        ("barred", pa.int8()),
        ("redirect", pa.string()),
    ]
)
"""Pages to sort. `seq` is the order in which they stand in the scan."""

NAMES: Final = pa.schema([("title", pa.string()), ("number", pa.int32())])
"""Names to join, each with a number."""

_ROWS: Final = 1 << 17
"""Rows of a batch that comes back."""

# The hash table of a join is built from its right side: titles are many, names are many more.
_SORT: Final = "SELECT title, page_id, barred, redirect FROM pages ORDER BY title, seq"
_JOIN: Final = (
    "SELECT names.number AS name, titles.number AS title"
    " FROM names JOIN titles ON names.title = titles.title"
)


class Streams:
    """An empty DuckDB that spills into a folder of its own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, memory_limit: str) -> None:
        self._connection = connection
        self._limit = memory_limit

    def sort(self, pages: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Pages by the bytes of their titles, those of one title in the order of the scan."""
        return self._run(_SORT, {"pages": pa.RecordBatchReader.from_batches(PAGES, pages)})

    def join(
        self, names: Iterable[pa.RecordBatch], titles: Iterable[pa.RecordBatch]
    ) -> Iterator[pa.RecordBatch]:
        """Pairs of numbers (`name`, `title`) of equal strings, in no order."""
        sides = {"names": names, "titles": titles}
        return self._run(
            _JOIN,
            {name: pa.RecordBatchReader.from_batches(NAMES, side) for name, side in sides.items()},
        )

    def _run(
        self, query: str, sources: dict[str, pa.RecordBatchReader]
    ) -> Iterator[pa.RecordBatch]:
        for name, reader in sources.items():
            self._connection.register(name, reader)
        try:
            yield from self._connection.sql(query).to_arrow_reader(_ROWS)
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            raise StoreError(
                f"titles cannot be put in order within {self._limit} of memory ({error})",
                "raise the memory limit, or free space where the link graph is stored",
            ) from error
        finally:
            for name in sources:
                self._connection.unregister(name)


@contextmanager
def open_streams(spill: Path, memory_limit: str) -> Iterator[Streams]:
    """Streams that may use `memory_limit` ("2GB") and spill into `spill`, removed at the end."""
    with storage_errors(spill):
        rmtree(spill, ignore_errors=True)
        spill.mkdir(parents=True)
    try:
        with duckdb.connect(
            ":memory:",
            config={
                "memory_limit": memory_limit,
                "temp_directory": str(spill),
            },
        ) as connection:
            connection.execute("SET enable_progress_bar = false")
            yield Streams(connection, memory_limit)
    finally:
        rmtree(spill, ignore_errors=True)
