"""Trajectories by question, judged: what the probes, bands and selections read."""

from collections.abc import Iterable, Sequence

from hopsight.errors import HopsightError
from hopsight.judge import judge_answer
from hopsight.types import Question, Trajectory, Verdict


def judge_all(
    questions: Iterable[Question], trajectories: Sequence[Trajectory]
) -> tuple[Verdict, ...]:
    """One verdict for each trajectory, in order; HopsightError where its question is missing."""
    known = {question.id: question for question in questions}
    verdicts = []
    for trajectory in trajectories:
        if trajectory.question_id not in known:
            raise HopsightError(
                f"trajectory {trajectory.id} answers {trajectory.question_id}, which is unknown",
                "judge trajectories together with the questions they were rolled out on",
            )
        verdicts.append(judge_answer(known[trajectory.question_id], trajectory))
    return tuple(verdicts)
