"""RL rows: the Parquet file that verl loads."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.checker.rows import PLACEHOLDER, Row, check_pictures, opened

FILE = "rl.parquet"
COLUMNS: dict[str, str] = {
    "data_source": "string",
    "agent_name": "string",
    "prompt.role": "string",
    "prompt.content": "string",
    "images.bytes": "binary",
    "images.path": "string",
    "reward_model.style": "string",
    "reward_model.ground_truth": "string",
    "extra_info.index": "int64",
    "extra_info.question_id": "string",
    "extra_info.aliases": "list",
    "extra_info.constraints": "string",
    "extra_info.tools": "string",
}


def schema_problems(folder: Path) -> list[str]:
    """Columns that are missing or of another type; lists are looked into."""
    schema = pq.read_schema(folder / FILE)
    found = {name: kind for field in schema for name, kind in _leaves(field.name, field.type)}
    problems = [
        f"schema: {name} is {found.get(name)}, not {kind}"
        for name, kind in COLUMNS.items()
        if found.get(name) != kind
    ]
    for name in ("prompt", "images"):
        if name in schema.names and not pa.types.is_list(schema.field(name).type):
            problems.append(f"schema: {name} is not a list")
    return problems


def _leaves(name: str, kind: pa.DataType) -> list[tuple[str, str]]:
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        kind = kind.value_type
    if pa.types.is_struct(kind):
        return [leaf for field in kind for leaf in _leaves(f"{name}.{field.name}", field.type)]
    return [(name, "list" if pa.types.is_list(kind) else str(kind))]


def read_rl(folder: Path) -> list[Row]:
    """The rows of rl.parquet with what is wrong with each. Raises OSError, pa.ArrowInvalid."""
    rows = pq.read_table(folder / FILE).to_pylist()
    return [_row(number, row) for number, row in enumerate(rows)]


def _row(number: int, row: dict[str, Any]) -> Row:
    problems: list[str] = []
    roles = [message["role"] for message in row["prompt"]]
    if roles not in (["user"], ["system", "user"]):
        problems.append(f"prompt: roles are {roles}")
    text, _ = opened(row["prompt"][-1]["content"] if roles else "", problems)
    said = sum(message["content"].count(PLACEHOLDER) for message in row["prompt"])
    pictures = [image["bytes"] or b"" for image in row["images"]]
    picture = check_pictures(said, pictures, problems)
    truth, extra = row["reward_model"]["ground_truth"], row["extra_info"]
    if not truth:
        problems.append("ground_truth: empty")
    if extra["index"] != number:
        problems.append(f"index: {extra['index']} in row {number}")
    return Row(
        f"{FILE} row {number}",
        extra["question_id"],
        text,
        truth or "",
        extra["constraints"],
        picture,
        problems,
    )
