"""Solved questions written in three shapes, with a few rows that are broken on purpose."""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from examples.seeds.told import quoted, stated
from hopsight.types import EvidenceChain, Question

FVQA: Final = "fvqa_like.parquet"
LIVEVQA: Final = "livevqa_like.jsonl"
WEBQA: Final = "webqa_like.jsonl"
PICTURES: Final = "pictures"

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Solved:
    """A question, its chain and the bytes of its picture."""

    question: Question
    chain: EvidenceChain
    picture: bytes


def write_seeds(solved: Sequence[Solved], folder: Path) -> dict[str, Mapping[int, str]]:
    """Write the three files; for each the rows that a reader rejects and why.

    Every third question goes into each; the pictures of the second lie in a folder beside it.
    """
    (folder / PICTURES).mkdir(parents=True, exist_ok=True)
    first, second, third = (solved[start::3] for start in range(3))
    return {
        FVQA: _write(folder / FVQA, [_fvqa(each) for each in first], _BROKEN_FVQA),
        LIVEVQA: _write(
            folder / LIVEVQA, [_livevqa(each, folder) for each in second], _BROKEN_LIVEVQA
        ),
        WEBQA: _write(folder / WEBQA, [_webqa(each) for each in third], _BROKEN_WEBQA),
    }


def _fvqa(solved: Solved) -> Row:
    """A prompt in messages, a picture in bytes, the answer in a reward model's struct."""
    question = solved.question
    return {
        "data_id": question.id,
        "prompt": [{"role": "user", "content": f"<image>\n{question.text}"}],
        "images": [{"bytes": solved.picture, "path": None}],
        "image_urls": None,
        "reward_model": {
            "ground_truth": question.answer,
            "candidate_answers": json.dumps(list(question.answer_aliases)),
        },
        "reasoning": stated(solved.chain),
    }


def _livevqa(solved: Solved, folder: Path) -> Row:
    """Paths of pictures, the answer beside a list of its forms."""
    path = Path(PICTURES) / f"{solved.question.images[0].sha256[:16]}.png"
    (folder / path).write_bytes(solved.picture)
    return {
        "question": solved.question.text,
        "Ground_Truth": solved.question.answer,
        "Ground_Truth_List": list(solved.question.answer_aliases),
        "img_path": [path.as_posix()],
        "rationale": quoted(solved.chain),
    }


def _webqa(solved: Solved) -> Row:
    """A list of answers, pieces of evidence, a picture as a data URL in one string."""
    held = base64.b64encode(solved.picture).decode()
    return {
        "Q": solved.question.text,
        "A": [solved.question.answer, *solved.question.answer_aliases],
        "image": f"data:image/png;base64,{held}",
        "evidence": stated(solved.chain).split(". "),
    }


def _cut_picture(row: Row) -> Row:
    images = row["images"]
    assert isinstance(images, list)
    data = images[0]["bytes"]
    return row | {"images": [{"bytes": data[: len(data) // 2], "path": None}]}


Broken = Sequence[tuple[str, Callable[[Row], Row]]]

_BROKEN_FVQA: Final[Broken] = (
    ("picture_unreadable", _cut_picture),
    ("no_picture", lambda row: row | {"images": None}),
)
_BROKEN_LIVEVQA: Final[Broken] = (
    ("picture_outside", lambda row: row | {"img_path": ["../elsewhere.png"]}),
    ("no_answer", lambda row: row | {"Ground_Truth": None}),
)
_BROKEN_WEBQA: Final[Broken] = (
    ("picture_not_fetched", lambda row: row | {"image": "https://example.org/a.png"}),
    ("picture_missing", lambda row: row | {"image": [row["image"], None]}),
)


def _write(path: Path, rows: list[Row], broken: Broken) -> Mapping[int, str]:
    """Write rows, then the first of them once for each way to break it."""
    spoiled = [spoil(rows[0]) for _, spoil in broken]
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist([*rows, *spoiled]), path)
    else:
        lines = (json.dumps(row, ensure_ascii=False) for row in (*rows, *spoiled))
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return {len(rows) + number: reason for number, (reason, _) in enumerate(broken, start=1)}
