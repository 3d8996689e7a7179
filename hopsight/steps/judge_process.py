"""Judge a process: was each turn of a trajectory of use, and may others learn from the whole?"""

from collections.abc import Sequence
from typing import Final, Literal

from pydantic import Field

from hopsight.errors import Outcome
from hopsight.steps.step import Step
from hopsight.steps.text import block, holds, line, wrong_count
from hopsight.steps.turns import MAX_TURNS, calls_of, observed, told_turns
from hopsight.types import Part, Turn

Mark = Literal["useful", "ineffective", "repeats", "inconsistent_with_observation"]


class Process(Part):
    """A question and what a policy did. The gold answer is not here: the way is judged."""

    question: str
    turns: tuple[Turn, ...] = Field(max_length=MAX_TURNS)
    final_answer: str | None


class TurnMark(Part):
    """What turn number `turn` (from 1) was worth."""

    turn: int
    mark: Mark


class ProcessFinding(Part):
    """A mark for each turn, and whether the trajectory may be learned from."""

    marks: tuple[TurnMark, ...] = Field(max_length=MAX_TURNS)
    reason: str = Field(min_length=1, max_length=2000)
    verdict: Literal["keep", "reject"]


def _fill(process: Process) -> dict[str, str]:
    return {
        "question": block(process.question, 4_000),
        "turns": told_turns(process.turns),
        "answer": line(process.final_answer or "none"),
    }


def check(process: Process, found: ProcessFinding) -> str | None:
    """A mark for every turn, useful only where something came back; a verdict that fits them.

    Nothing is kept that has no useful turn or misreads what it saw.
    """
    wrong = wrong_count((each.turn for each in found.marks), len(process.turns))
    if wrong:
        return f"marks: turn {wrong}"
    useful = {each.turn for each in found.marks if each.mark == "useful"}
    vain = next((n for n, turn in enumerate(process.turns, 1) if n in useful and _is_vain(turn)), 0)
    if vain:
        return f"turn {vain} is marked as useful, but none of its calls brought anything"
    marks = {each.mark for each in found.marks}
    if found.verdict == "keep" and "useful" not in marks:
        return "the verdict is keep, but no turn is marked as useful"
    if found.verdict == "keep" and "inconsistent_with_observation" in marks:
        return "the verdict is keep, but a turn is marked as inconsistent with an observation"
    return None


def reference(process: Process) -> ProcessFinding:
    """By outcomes and repeats; a final answer that no tool found fits no observation."""
    marks = marks_by_rule(process.turns, process.final_answer)
    useful = marks.count("useful")
    if process.final_answer is None:
        reason = "there is no final answer"
    elif "inconsistent_with_observation" in marks:
        reason = "no tool found the final answer"
    elif 2 * useful < len(marks) or not marks:
        reason = f"{useful} of {len(marks)} turns are useful"
    else:
        reason = ""
    return ProcessFinding(
        marks=tuple(TurnMark(turn=n, mark=mark) for n, mark in enumerate(marks, start=1)),
        reason=reason or "every part of the way led on",
        verdict="reject" if reason else "keep",
    )


def marks_by_rule(turns: Sequence[Turn], final_answer: str | None) -> list[Mark]:
    """A mark for each turn. The last one answers, where there is an answer and it calls no tool."""
    marks = [_mark(turn) for turn in turns]
    if turns and final_answer is not None:
        found = holds(observed(turns), final_answer)
        if not found:
            marks[-1] = "inconsistent_with_observation"
        elif not turns[-1].calls:
            marks[-1] = "useful"
    return marks


def _is_vain(turn: Turn) -> bool:
    """Whether a turn called tools and none of them gave anything."""
    seen = [observation for _, observation in calls_of(turn) if observation is not None]
    return bool(turn.calls) and all(each.outcome is not Outcome.OK for each in seen)


def _mark(turn: Turn) -> Mark:
    seen = [observation for _, observation in calls_of(turn) if observation is not None]
    good = [each for each in seen if each.outcome is Outcome.OK]
    if good and all(each.repeat for each in good):
        return "repeats"
    return "useful" if good else "ineffective"


JUDGE_PROCESS: Final = Step(
    name="judge_process",
    role="analyzer",
    input=Process,
    output=ProcessFinding,
    fill=_fill,
    check=check,
    reference=reference,
    max_tokens=4096,
)
