"""Is a final answer the gold answer? Exact match after a careful normalisation.

This is the rule that stands in for every judge: nothing of a trajectory but its final answer is
read, an answer is never looked for inside a longer text, and an episode that infrastructure ended
says nothing about the policy.
"""

import re
from collections.abc import Iterable
from typing import Literal

from hopsight.errors import HopsightError
from hopsight.leak import fold
from hopsight.types import Question, StopReason, Trajectory, Verdict

JUDGE = "exact-match/1"
MAX_ANSWER_CHARS = 500
"""A longer final answer is no short answer; it is not even normalised."""

_EMPHASIS = re.compile(r"^([*`]+)(.*?)\1$", re.DOTALL)
_ARTICLE = re.compile(r"^the (?=\S)")
_DECIMAL = re.compile(r"(?<![\w.])(\d+)\.(\d*?)0*(?![\w.])")
_GLUED_UNIT = re.compile(r"(?<=\d)(?=(?:km|m|cm|mm|kg|g)2?$)")
_TO_THE_GRADER = re.compile(
    r"\b(?:ignore|disregard|grader|grading|judge|evaluator|mark (?:this|it|me|the answer)"
    r"|verdict|score (?:this|it)|instructions?|consider (?:this|it) correct)\b",
    re.IGNORECASE,
)
_ABSTAINED = frozenset(
    {
        "i do not know",
        "i don t know",
        "unknown",
        "cannot be determined",
        "not known",
        "no answer",
        "n a",
        "none",
    }
)

Outcome = Literal["correct", "incorrect", "no_answer", "abstain", "infra"]


def normalise(answer: str) -> str:
    """The form in which answers are compared.

    Case, accents, quotation marks, a leading article, thousands separators and trailing zeros of
    decimals make no difference; signs, currency and symbols do: C++ is not C#, $5 is not 5, and
    minus 3 is not 3.
    """
    text = _EMPHASIS.sub(r"\2", answer.strip())
    text = _ARTICLE.sub("", fold(text))
    text = _DECIMAL.sub(lambda match: match[1] + (f".{match[2]}" if match[2] else ""), text)
    return _GLUED_UNIT.sub(" ", text)


def exact_match(answer: str, gold: str, aliases: Iterable[str] = ()) -> bool:
    """Whether `answer` is `gold` or one of its aliases, as a whole and never as a part."""
    if len(answer) > MAX_ANSWER_CHARS:
        return False
    given = normalise(answer)
    return given != "" and given in {normalise(gold), *(normalise(alias) for alias in aliases)}


def judge_answer(question: Question, trajectory: Trajectory) -> Verdict:
    """The verdict on one trajectory of `question`; HopsightError if it is another question's."""
    if trajectory.question_id != question.id:
        raise HopsightError(
            f"trajectory {trajectory.id} is about {trajectory.question_id}, not {question.id}",
            "judge each trajectory with its own question",
        )
    outcome, rationale = _outcome(question, trajectory)
    return Verdict(
        trajectory_id=trajectory.id,
        question_id=question.id,
        outcome=outcome,
        rationale=rationale,
        judge=JUDGE,
    )


def _outcome(question: Question, trajectory: Trajectory) -> tuple[Outcome, str]:
    if trajectory.stop_reason.is_infrastructure:
        return "infra", f"episode ended by {trajectory.stop_reason}"
    answer = (trajectory.final_answer or "").strip()
    if trajectory.stop_reason is not StopReason.ANSWERED or not answer:
        return "no_answer", f"no final answer ({trajectory.stop_reason})"
    if exact_match(answer, question.answer, question.answer_aliases):
        return "correct", "equals the gold answer or an alias"
    if _TO_THE_GRADER.search(answer):
        return "incorrect", "the answer speaks to the grader"
    if normalise(answer) in _ABSTAINED:
        return "abstain", "the policy declined to answer"
    return "incorrect", "differs from the gold answer and its aliases"
