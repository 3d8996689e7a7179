"""A sheet that comes back: each row is a decision, nothing, or a fault that is told by its line."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from curation.review.desk import Desk
from curation.review.queue import standing
from curation.review.sheet import SURPLUS, read_table
from hopsight.types import ReviewDecision


@dataclass(frozen=True, slots=True)
class Fault:
    """A row that was not taken, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of the rows: new decisions, those that stood already, undecided, faults."""

    decisions: tuple[ReviewDecision, ...]
    unchanged: int
    undecided: int
    faults: tuple[Fault, ...]


def take_sheet(desk: Desk, path: Path, *, reviewer: str) -> Taken:
    """Keep the decisions of a sheet that are sound and new. `reviewer` stands in for none named.

    A sheet may be taken twice: what stands already is not decided again. Raises HopsightError
    where the sheet cannot be read as one.
    """
    decided = standing(desk.journal.load())
    taken: list[ReviewDecision] = []
    faults: list[Fault] = []
    lines: dict[str, int] = {}
    unchanged = undecided = 0
    for line, row in read_table(path):
        if SURPLUS in row:
            faults.append(Fault(line, f"there is no column for {row[SURPLUS]!r}: quote the text"))
            continue
        try:
            decision = _decision(row, reviewer)
        except ValidationError as error:
            faults.append(Fault(line, _told(error)))
            continue
        if decision is None:
            undecided += 1
            continue
        first = lines.setdefault(decision.question_id, line)
        refusal = desk.refusal(decision)
        if first != line:
            faults.append(Fault(line, f"{decision.question_id} stands in line {first} already"))
        elif _same(decision, decided.get(decision.question_id)):
            unchanged += 1
        elif refusal is not None:
            faults.append(Fault(line, f"{refusal.reason}: {refusal.detail}"))
        else:
            taken.append(decision)
    return Taken(desk.journal.append(taken), unchanged, undecided, tuple(faults))


def _decision(row: Mapping[str, str], reviewer: str) -> ReviewDecision | None:
    """The decision of a row, None where it holds none. Raises ValidationError."""
    told = {name: text.strip() for name, text in row.items()}
    decision = told.get("decision", "").lower()
    text = told.get("new_text", "")
    if not decision and not any((told.get("reason"), told.get("note"), text)):
        return None
    reason = told.get("reason", "").lower().replace(" ", "_")
    return ReviewDecision.model_validate(
        {
            "question_id": told.get("question_id", ""),
            "decision": decision,
            "reason": reason or None,
            "note": told.get("note", ""),
            "text": text or None,
            "reviewer": told.get("reviewer") or reviewer,
        }
    )


def _same(decision: ReviewDecision, stands: ReviewDecision | None) -> bool:
    """Whether the same is decided, whoever did it; a withdrawal of nothing is nothing new."""
    if stands is None:
        return decision.decision == "withdraw"
    fields = ("decision", "reason", "note", "text")
    return all(getattr(decision, name) == getattr(stands, name) for name in fields)


def _told(error: ValidationError) -> str:
    """What is wrong with a row, in one line and without its text."""
    faults = error.errors(include_input=False, include_url=False)
    return "; ".join(
        ": ".join(filter(None, (".".join(map(str, each["loc"])), each["msg"]))) for each in faults
    )
