"""Contamination at search time: what a rollout came upon, or knew, that it should have found out.

Counted per rollout, over what is recorded of it. A guard blocks most of this while an episode is
played (`hopsight.harness.guard`); here it is told how often there was something to block, and
what no guard can see.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hopsight.errors import HopsightError
from hopsight.harness.guard import LeakGuard
from hopsight.leak import leaks
from hopsight.types import Observation, Question, ToolCall, Trajectory

HELD = "holds_question_and_answer"


@dataclass(frozen=True, slots=True)
class SearchLeaks:
    """Rollouts, and in how many of them there was a leak of each kind.

    `metadata`: it went for a source of benchmarks or data sets. `question`: what came back held
    the question. `answer`: a query stated the answer before anything that was shown did.
    """

    rollouts: int
    metadata: int
    question: int
    answer: int

    def told(self) -> dict[str, int]:
        """The figures by what each is called where it is shown."""
        return {
            "leak of metadata": self.metadata,
            "leak of the question": self.question,
            "answer stated before it was shown": self.answer,
        }


def search_leaks(questions: Iterable[Question], rollouts: Sequence[Trajectory]) -> SearchLeaks:
    """The figures of some rollouts. Raises HopsightError where a question is missing."""
    known = {question.id: question for question in questions}
    missing = sorted({each.question_id for each in rollouts} - known.keys())
    if missing:
        raise HopsightError(
            f"rollouts of {missing[0]} are there, and the question is not",
            "hand over the questions that were rolled out",
        )
    pairs = [(known[each.question_id], each) for each in rollouts]
    return SearchLeaks(
        rollouts=len(pairs),
        metadata=sum(metadata_leak(rollout) for _, rollout in pairs),
        question=sum(question_leak(question, rollout) for question, rollout in pairs),
        answer=sum(answer_leak(question, rollout) for question, rollout in pairs),
    )


def metadata_leak(rollout: Trajectory) -> bool:
    """Whether it went for a host or a name of the blocklist."""
    return any(rule.startswith(("host:", "name:")) for rule in rollout.blocked)


def question_leak(question: Question, rollout: Trajectory) -> bool:
    """Whether a page or a list of hits held the question, shown or kept from it."""
    if HELD in rollout.blocked:
        return True
    guard = LeakGuard(question.text, ())
    return any(guard.holds_question(seen.text) for seen in _observations(rollout))


def answer_leak(question: Question, rollout: Trajectory) -> bool:
    """Whether a query stated an accepted answer that nothing had shown before.

    Addresses and picture handles are no statements. An answer of one common word may stand in a
    query by chance: the figure is an upper bound.
    """
    answers = (question.answer, *question.answer_aliases)
    shown = [question.text]
    for turn in rollout.turns:
        said = [text for call in turn.calls for text in _stated(call)]
        if any(leaks(text, answers) for text in said):
            return not any(leaks(text, answers) for text in shown)
        shown += [seen.text for seen in turn.observations]
    return False


def _observations(rollout: Trajectory) -> Iterable[Observation]:
    return (seen for turn in rollout.turns for seen in turn.observations)


def _stated(call: ToolCall) -> list[str]:
    """The texts among a call's arguments; none where they cannot be read."""
    try:
        arguments: Any = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return []
    values = arguments.values() if isinstance(arguments, dict) else ()
    texts = [text for value in values for text in (value if isinstance(value, list) else [value])]
    return [text for text in texts if isinstance(text, str) and "://" not in text]
