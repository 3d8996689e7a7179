"""How often a judge is wrong, on answers that people labelled."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from hopsight.errors import SourceError
from hopsight.judge.models import Decision, Judgment, Panel, Unjudged, judge_text
from hopsight.judge.rules import rule
from hopsight.types import Part


class Labelled(Part):
    """An answer and what is right about it. The `held_out` half is for reporting, not tuning."""

    id: int
    split: Literal["tuning", "held_out"]
    category: str
    question: str
    gold: str
    aliases: tuple[str, ...]
    answer: str
    label: Decision


Judge = Callable[[Labelled], Awaitable[Judgment | Unjudged | None]]
"""Judges one item; None where it leaves the item open."""


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """Counts over labelled answers. Ids tell which items are meant.

    `false_accepts`: called correct, and is not. `false_rejects`: is correct, and called something
    else. `other_errors`: right about correctness, wrong about the kind. `undecided`: left open.
    """

    items: int
    right: int
    false_accepts: tuple[int, ...]
    false_rejects: tuple[int, ...]
    other_errors: tuple[int, ...]
    undecided: tuple[int, ...]
    unjudged: tuple[int, ...]

    @property
    def judged(self) -> int:
        """Items with a verdict."""
        return self.items - len(self.undecided) - len(self.unjudged)


def read_labelled(path: Path) -> tuple[Labelled, ...]:
    """The labelled answers of a JSON-lines file; SourceError names the line that is none."""
    items = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            items.append(Labelled.model_validate_json(line))
        except ValidationError as error:
            raise SourceError(
                f"{path.name}, line {number} is no labelled answer: {error.errors()[0]['msg']}",
                "give id, split, category, question, gold, aliases, answer and label",
            ) from error
    return tuple(items)


async def evaluate_judge(labelled: Sequence[Labelled], judge: Judge) -> JudgeReport:
    """What `judge` makes of each item, one after another."""
    found: dict[str, list[int]] = {
        kind: [] for kind in "right accept reject other undecided unjudged".split()
    }
    for item in labelled:
        found[_kind(item, await judge(item))].append(item.id)
    return JudgeReport(
        len(labelled),
        len(found["right"]),
        *(tuple(found[kind]) for kind in "accept reject other undecided unjudged".split()),
    )


async def rules_alone(item: Labelled) -> Judgment | None:
    """The rules as a judge that may leave an item open."""
    ruling = rule(item.answer, item.gold, item.aliases)
    if ruling.outcome is None or ruling.outcome == "infra":
        return None
    return Judgment(ruling.outcome, ruling.reason)


def rules_and(panel: Panel) -> Judge:
    """The rules, and `panel` for what they leave open."""

    async def judge(item: Labelled) -> Judgment | Unjudged:
        return await judge_text(item.question, item.gold, item.aliases, item.answer, panel)

    return judge


def votes_by_judge(judgments: Iterable[Judgment]) -> dict[str, list[str]]:
    """Each judge's decision on every item that was put to the vote: its commonest one.

    The lists are parallel, so that they can be compared by `hopsight.judge.agreement`.
    """
    columns: dict[str, list[str]] = {}
    for judgment in judgments:
        by_judge: dict[str, Counter[str]] = {}
        for vote in judgment.votes:
            by_judge.setdefault(vote.judge, Counter())[vote.decision] += 1
        for name, counts in by_judge.items():
            best = max(sorted(counts), key=lambda word: counts[word])
            columns.setdefault(name, []).append(best)
    return columns


def _kind(item: Labelled, judged: Judgment | Unjudged | None) -> str:
    if judged is None:
        return "undecided"
    if isinstance(judged, Unjudged):
        return "unjudged"
    if judged.outcome == item.label:
        return "right"
    if judged.outcome == "correct":
        return "accept"
    return "reject" if item.label == "correct" else "other"
