"""What the Parquet exports share: pictures as cells, rows by question, stable bytes."""

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hopsight.store import ImageStore
from hopsight.types import ExportRow, ImageRef, Question
from training.export.files import image_path

IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
"""A picture as loaders of Parquet data sets expect it: its bytes, and a name for them."""


def image_cells(images: Iterable[ImageRef], store: ImageStore) -> list[dict[str, Any]]:
    """Pictures as cells, in order."""
    return [{"bytes": store.bytes(image.sha256), "path": image_path(image)} for image in images]


def question_rows(file: str, questions: Sequence[Question]) -> tuple[ExportRow, ...]:
    """The record of each row of a file that holds one question a row, in that order."""
    return tuple(
        ExportRow(
            file=file,
            row=number,
            question_id=question.id,
            trajectory_id=None,
            images=tuple(image.sha256 for image in question.images),
        )
        for number, question in enumerate(questions)
    )


def parquet_bytes(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> bytes:
    """A Parquet file. Pictures are stored as they are: they are compressed already."""
    buffer = io.BytesIO()
    pq.write_table(
        pa.Table.from_pylist(rows, schema=schema),
        buffer,
        compression="none",
        use_dictionary=False,
        write_statistics=False,
        row_group_size=256,
    )
    return buffer.getvalue()
