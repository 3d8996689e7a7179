"""Records to Parquet bytes and back: equal records give equal bytes, in any order."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from hopsight.errors import StoreError
from hopsight.store.manifest import PartFile
from hopsight.store.schema import arrow_schema
from hopsight.types import Record

R = TypeVar("R", bound=Record)

BATCH_ROWS = 10_000
PART_BYTES = 256 << 20
"""Arrow bytes after which a part is closed; on disk it is smaller, so well below 512 MB."""


def sorted_unique(records: Iterable[R], record_type: type[R]) -> tuple[list[R], int]:
    """The records sorted by id, each once, and how many were dropped as equal to another.

    Raises StoreError for a record of another type.
    """
    by_id: dict[str, R] = {}
    given = 0
    for record in records:
        if type(record) is not record_type:
            raise StoreError(
                f"a {type(record).__name__} was given to a data set of {record_type.__name__}",
                "write each record type to a data set of its own",
            )
        given += 1
        by_id[record.id] = record
    return [by_id[key] for key in sorted(by_id)], given - len(by_id)


def encode_parts(
    records: list[R], record_type: type[R], *, part_bytes: int = PART_BYTES
) -> Iterator[tuple[PartFile, bytes]]:
    """The Parquet files of sorted records, at least one (so that an empty set has columns)."""
    for index, table in enumerate(_tables(records, record_type, part_bytes)):
        data = _parquet(table)
        sha256 = hashlib.sha256(data).hexdigest()
        name = f"part-{index:04d}-{sha256[:16]}.parquet"
        yield PartFile(file=name, rows=table.num_rows, size=len(data), sha256=sha256), data


def _tables(records: list[R], record_type: type[R], part_bytes: int) -> Iterator[pa.Table]:
    """Tables of about `part_bytes`; where they are cut depends on the records alone."""
    schema = arrow_schema(record_type)
    waiting: list[pa.Table] = []
    for start in range(0, len(records), BATCH_ROWS):
        waiting.append(_table(records[start : start + BATCH_ROWS], record_type))
        if sum(table.nbytes for table in waiting) >= part_bytes:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting or not records:
        yield pa.concat_tables(waiting) if waiting else schema.empty_table()


def _table(records: list[R], record_type: type[R]) -> pa.Table:
    rows = [{"id": record.id, **record.model_dump(mode="json")} for record in records]
    try:
        return pa.Table.from_pylist(rows, schema=arrow_schema(record_type))
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError) as error:
        raise StoreError(
            f"a {record_type.__name__} does not fit its columns ({error})",
            "whole numbers must fit 64 bits, numbers must be finite, text must be valid Unicode",
        ) from error


def _parquet(table: pa.Table) -> bytes:
    """Fixed writer settings: a change here changes every byte of every data set."""
    sink = pa.BufferOutputStream()
    try:
        pq.write_table(
            table,
            sink,
            version="2.6",
            data_page_version="1.0",
            compression="zstd",
            compression_level=3,
            use_dictionary=True,
            write_statistics=True,
            store_schema=True,
            row_group_size=BATCH_ROWS,
        )
    except pa.ArrowInvalid as error:
        raise StoreError(
            f"a record holds a number that is not finite ({error})", "store None instead"
        ) from error
    return bytes(sink.getvalue())


def decode(table: pa.Table, record_type: type[R]) -> list[R]:
    """The records of a table. Raises ValueError: a row is no such record, or its id is wrong."""
    return [_record(row, record_type) for row in table.to_pylist()]


def _record(row: dict[str, Any], record_type: type[R]) -> R:
    stored = row.pop("id")
    try:
        record = record_type.model_validate(row)
    except ValidationError as error:
        raise ValueError(f"row {stored} is no {record_type.__name__}") from error
    if record.id != stored:
        raise ValueError(f"row {stored} holds the content of {record.id}")
    return record
