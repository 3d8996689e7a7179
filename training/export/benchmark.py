"""Evaluation rows: one Parquet file of questions that no training row shares an anchor with."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from hopsight.store import ImageStore
from hopsight.store.files import write_atomic
from hopsight.types import EvidenceChain, Question
from training.export.constraints import constraints_json
from training.export.files import Exported
from training.export.parquet import IMAGE, image_cells, parquet_bytes, question_rows

FILE = "eval.parquet"
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("question", pa.string()),
        ("answer", pa.string()),
        ("aliases", pa.list_(pa.string())),
        ("images", pa.list_(IMAGE)),
        ("constraints", pa.string()),
    ]
)


def export_eval(
    questions: Sequence[Question],
    chains: Mapping[str, EvidenceChain],
    images: ImageStore,
    folder: Path,
) -> Exported:
    """Write eval.parquet, rows ordered by question id. Raises StoreError."""
    ordered = sorted(questions, key=lambda question: question.id)
    rows: list[dict[str, Any]] = [
        {
            "id": question.id,
            "question": question.text,
            "answer": question.answer,
            "aliases": list(question.answer_aliases),
            "images": image_cells(question.images, images),
            "constraints": constraints_json(question, chains[question.chain_id]),
        }
        for question in ordered
    ]
    write_atomic(folder / FILE, parquet_bytes(rows, SCHEMA))
    return Exported((folder / FILE,), question_rows(FILE, ordered), ())
