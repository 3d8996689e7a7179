"""RL rows for verl: one Parquet file that carries the pictures' bytes, as its loader expects.

Every row has the same keys in `extra_info` and `tools_kwargs`: differing ones come back as None.
`<image>` in the prompt stands once for each picture; verl drops a row in silence where it does not.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from hopsight.harness.policy import ToolSpec
from hopsight.store import ImageStore
from hopsight.store.files import write_atomic
from hopsight.types import EvidenceChain, Question
from training.export.constraints import constraints_json
from training.export.files import Exported
from training.export.llamafactory import tools_json
from training.export.messages import SYSTEM, task_message
from training.export.parquet import IMAGE, image_cells, parquet_bytes, question_rows

FILE = "rl.parquet"
DATA_SOURCE = "hopsight"
AGENT = "hopsight"

_MESSAGE = pa.struct([("role", pa.string()), ("content", pa.string())])
_REWARD = pa.struct([("style", pa.string()), ("ground_truth", pa.string())])
_EXTRA = pa.struct(
    [
        ("index", pa.int64()),
        ("question_id", pa.string()),
        ("aliases", pa.list_(pa.string())),
        ("constraints", pa.string()),
        ("tools", pa.string()),
        ("need_tools_kwargs", pa.bool_()),
    ]
)
SCHEMA = pa.schema(
    [
        ("data_source", pa.string()),
        ("agent_name", pa.string()),
        ("prompt", pa.list_(_MESSAGE)),
        ("images", pa.list_(IMAGE)),
        ("reward_model", _REWARD),
        ("extra_info", _EXTRA),
    ]
)


def export_rl(
    questions: Sequence[Question],
    chains: Mapping[str, EvidenceChain],
    tools: Sequence[ToolSpec],
    images: ImageStore,
    folder: Path,
) -> Exported:
    """Write rl.parquet, rows ordered by question id. Raises StoreError."""
    ordered = sorted(questions, key=lambda question: question.id)
    said = tools_json(tools)
    rows = [
        _row(number, question, chains[question.chain_id], said, images)
        for number, question in enumerate(ordered)
    ]
    write_atomic(folder / FILE, parquet_bytes(rows, SCHEMA))
    return Exported((folder / FILE,), question_rows(FILE, ordered), ())


def _row(
    number: int, question: Question, chain: EvidenceChain, tools: str, images: ImageStore
) -> dict[str, Any]:
    user = task_message(question.task)
    return {
        "data_source": DATA_SOURCE,
        "agent_name": AGENT,
        "prompt": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": user.text},
        ],
        "images": image_cells(user.images, images),
        "reward_model": {"style": "rule", "ground_truth": question.answer},
        "extra_info": {
            "index": number,
            "question_id": question.id,
            "aliases": list(question.answer_aliases),
            "constraints": constraints_json(question, chain),
            "tools": tools,
            "need_tools_kwargs": False,
        },
    }
