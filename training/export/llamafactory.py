"""SFT rows for LLaMA-Factory: ShareGPT JSON, `dataset_info.json`, pictures beside them.

Roles alternate strictly (human, function_call, observation, …, gpt); `images` is a list of paths
relative to the folder, which is the trainer's `media_dir`; `tools` is a JSON string.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hopsight.harness.policy import ToolSpec
from hopsight.store import ImageStore
from hopsight.store.files import write_atomic
from hopsight.types import EvidenceChain, ExportRow, ImageRef, Question, Rejection, Trajectory
from training.export.constraints import constraints_json
from training.export.files import Exported, image_path, place_images
from training.export.messages import SYSTEM, Message, UnexportableError, trajectory_messages

STAGE = "sft_dataset"
FILE = "sft.json"

DATASET_INFO = {
    "hopsight_sft": {
        "file_name": FILE,
        "formatting": "sharegpt",
        "columns": {
            "messages": "conversations",
            "images": "images",
            "system": "system",
            "tools": "tools",
        },
        "tags": {
            "role_tag": "from",
            "content_tag": "value",
            "user_tag": "human",
            "assistant_tag": "gpt",
            "observation_tag": "observation",
            "function_tag": "function_call",
            "system_tag": "system",
        },
    }
}
"""Every column and tag is named: LLaMA-Factory takes a missing one as absent, not by default."""


def export_sft(
    trajectories: Sequence[Trajectory],
    questions: Mapping[str, Question],
    chains: Mapping[str, EvidenceChain],
    tools: Sequence[ToolSpec],
    images: ImageStore,
    folder: Path,
) -> Exported:
    """Write sft.json, dataset_info.json and pictures. Rows are ordered by question id.

    A trajectory that cannot be a row becomes a rejection that names the turn. Raises StoreError.
    """
    rows: list[dict[str, Any]] = []
    records: list[ExportRow] = []
    rejected: list[Rejection] = []
    pictures: list[ImageRef] = []
    said = tools_json(tools)
    for trajectory in sorted(trajectories, key=lambda item: (item.question_id, item.id)):
        question = questions[trajectory.question_id]
        try:
            messages = trajectory_messages(trajectory)
        except UnexportableError as error:
            rejected.append(
                Rejection(
                    record_id=trajectory.id, stage=STAGE, reason=error.reason, detail=error.detail
                )
            )
            continue
        shown = [image for message in messages for image in message.images]
        pictures += shown
        records.append(
            ExportRow(
                file=FILE,
                row=len(rows),
                question_id=question.id,
                trajectory_id=trajectory.id,
                images=tuple(image.sha256 for image in shown),
            )
        )
        rows.append(_row(messages, question, chains[question.chain_id], trajectory, said))
    place_images(pictures, images, folder)
    write_atomic(folder / FILE, _json(rows))
    write_atomic(folder / "dataset_info.json", _json(DATASET_INFO))
    files = (folder / FILE, folder / "dataset_info.json")
    return Exported(files, tuple(records), tuple(rejected))


def tools_json(tools: Sequence[ToolSpec]) -> str:
    """The tools as trainers read them: a JSON list of name, description, parameters."""
    listed = [
        {"name": tool.name, "description": tool.description, "parameters": tool.schema}
        for tool in tools
    ]
    return json.dumps(listed, ensure_ascii=False)


def _row(
    messages: Sequence[Message],
    question: Question,
    chain: EvidenceChain,
    trajectory: Trajectory,
    tools: str,
) -> dict[str, Any]:
    return {
        "id": question.id,
        "trajectory_id": trajectory.id,
        "conversations": [{"from": m.role, "value": m.text} for m in messages],
        "images": [image_path(image) for message in messages for image in message.images],
        "system": SYSTEM,
        "tools": tools,
        "answer": question.answer,
        "constraints": constraints_json(question, chain),
    }


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
