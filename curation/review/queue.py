"""Which decision stands, and in which order questions are looked at."""

from collections.abc import Iterable, Mapping

from hopsight.types import Question, ReviewDecision, content_hash


def standing(decisions: Iterable[ReviewDecision]) -> dict[str, ReviewDecision]:
    """The decision that stands, by question: the one with the highest number.

    A question whose last decision was to withdraw is undecided, and is not in it. The order in
    which decisions are given has no influence.
    """
    last: dict[str, ReviewDecision] = {}
    for each in sorted(decisions, key=lambda decision: (decision.number, decision.id)):
        last[each.question_id] = each
    return {key: each for key, each in sorted(last.items()) if each.decision != "withdraw"}


def review_queue(
    questions: Iterable[Question], decided: Mapping[str, ReviewDecision], *, seed: int
) -> tuple[Question, ...]:
    """The undecided questions in an order drawn by `seed`, then the decided ones as decided.

    A reviewer who stops halfway has so seen a fair sample of the round.
    """

    def place(question: Question) -> tuple[int, str]:
        decision = decided.get(question.id)
        drawn = content_hash(["review", seed, question.id])
        return (decision.number if decision else 0, drawn)

    return tuple(sorted(questions, key=place))
