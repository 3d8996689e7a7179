"""Evaluation rows: the Parquet file of questions that are kept apart from training."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.checker.rows import Row, check_pictures

FILE = "eval.parquet"


def read_eval(folder: Path) -> list[Row]:
    """The rows of eval.parquet; none where a round has no evaluation questions."""
    if not folder.exists():
        return []
    rows = pq.read_table(folder / FILE).to_pylist()
    return [_row(number, row) for number, row in enumerate(rows)]


def _row(number: int, row: dict[str, Any]) -> Row:
    problems: list[str] = []
    pictures = [image["bytes"] or b"" for image in row["images"]]
    picture = check_pictures(len(pictures), pictures, problems)
    place = f"{FILE} row {number}"
    return Row(
        place, row["id"], row["question"], row["answer"], row["constraints"], picture, problems
    )
