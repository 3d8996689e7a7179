"""What can be decided without a model: equal answers, and answers that no model should read.

A rule accepts only what is the gold answer as a whole; it never looks for an answer inside a
longer text. What it cannot decide it leaves open: to a model where there is one, else it counts
as incorrect.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from hopsight.errors import HopsightError
from hopsight.judge import amounts, guard
from hopsight.judge.normal import normalise, unwrap
from hopsight.judge.spelling import without_vowel_signs, written_plainly
from hopsight.types import Question, StopReason, Trajectory, Verdict

RULES = "exact-match/2"
MAX_ANSWER_CHARS = 500
"""A longer final answer is no answer but a text, unless what is wanted is long itself."""

Outcome = Literal["correct", "incorrect", "no_answer", "abstain", "infra"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules found. `outcome` is None where a judge has to decide."""

    outcome: Outcome | None
    reason: str


def exact_match(answer: str, gold: str, aliases: Iterable[str] = ()) -> bool:
    """Whether `answer` is `gold` or one of its aliases, as a whole and never as a part."""
    names = (gold, *aliases)
    return len(answer) <= _limit(names) and any(_is_the_same(answer, name) for name in names)


def rule(answer: str, gold: str, aliases: Iterable[str] = ()) -> Ruling:
    """The ruling on a final answer that a policy gave."""
    names = (gold, *aliases)
    if len(answer) > _limit(names):
        return Ruling("incorrect", f"longer than {_limit(names)} characters")
    if exact_match(answer, gold, names[1:]):
        return Ruling("correct", "equals the gold answer or an alias")
    if guard.speaks_to_grader(answer):
        return Ruling("incorrect", "the answer speaks to the grader")
    if guard.echoes_template(unwrap(answer)):
        return Ruling("incorrect", "the answer echoes a template")
    if guard.is_blank(answer):
        return Ruling("no_answer", "the answer says nothing")
    if guard.declines(answer):
        return Ruling("abstain", "the policy declined to answer")
    return Ruling(None, "differs from the gold answer and its aliases")


def rule_on(question: Question, trajectory: Trajectory) -> Ruling:
    """The ruling on a trajectory: how it ended, then its final answer.

    Raises:
        HopsightError: if the trajectory is another question's.
    """
    if trajectory.question_id != question.id:
        raise HopsightError(
            f"trajectory {trajectory.id} is about {trajectory.question_id}, not {question.id}",
            "judge each trajectory with its own question",
        )
    if trajectory.stop_reason.is_infrastructure:
        return Ruling("infra", f"episode ended by {trajectory.stop_reason}")
    answer = (trajectory.final_answer or "").strip()
    if trajectory.stop_reason is not StopReason.ANSWERED or not answer:
        return Ruling("no_answer", f"no final answer ({trajectory.stop_reason})")
    return rule(answer, question.answer, question.answer_aliases)


def judge_answer(question: Question, trajectory: Trajectory) -> Verdict:
    """The verdict of the rules alone; HopsightError if the trajectory is another question's."""
    ruling = rule_on(question, trajectory)
    return verdict_of(trajectory, ruling.outcome or "incorrect", ruling.reason, RULES)


def verdict_of(trajectory: Trajectory, outcome: Outcome, rationale: str, judge: str) -> Verdict:
    """A verdict on `trajectory`."""
    return Verdict(
        trajectory_id=trajectory.id,
        question_id=trajectory.question_id,
        outcome=outcome,
        rationale=rationale,
        judge=judge,
    )


def _limit(names: Iterable[str]) -> int:
    return max(MAX_ANSWER_CHARS, 2 * max(map(len, names)))


def _is_the_same(answer: str, name: str) -> bool:
    given, wanted = normalise(answer), normalise(name)
    if given == "":
        return False
    return given == wanted or _same_spelling(given, wanted) or _same_value(answer, name)


def _same_spelling(given: str, wanted: str) -> bool:
    """Whether only accents that may be left out were left out, or vowel signs added."""
    return given == written_plainly(wanted) or without_vowel_signs(given) == wanted


def _same_value(answer: str, name: str) -> bool:
    amount = amounts.amount(answer)
    if amount is not None:
        return amount == amounts.amount(name)
    written = amounts.date(answer) or amounts.ordinal(answer)
    return written is not None and written in {amounts.date(name), amounts.ordinal(name)}
