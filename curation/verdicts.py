"""Trajectories by question, judged: what the probes, bands and selections read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hopsight.errors import HopsightError
from hopsight.judge import Panel, Unjudged, judge_answer, judge_trajectory
from hopsight.types import Question, Rejection, Trajectory, Verdict
from hopsight.waiting import all_done

STAGE = "rollout_verdicts"

PanelFor = Callable[[str], Panel | None]
"""Gives, for the id of a question, who judges its answers; None where rules judge alone."""


def rules_alone(question_id: str) -> None:
    """No panel for any question."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts in the order of the trajectories, and those that no verdict could be had on.

    An unjudged trajectory is in no rate; judging again asks only for those that are missing.
    """

    verdicts: tuple[Verdict, ...]
    unjudged: tuple[Rejection, ...]


async def judge_by(
    questions: Iterable[Question], trajectories: Sequence[Trajectory], panel_for: PanelFor
) -> Judged:
    """Judge each trajectory: by rule where a rule decides, else by the panel of its question.

    Raises HopsightError where a question is missing.
    """
    known = {question.id: question for question in questions}
    _check_known(known, trajectories)

    async def judged(trajectory: Trajectory) -> Verdict | Unjudged:
        question = known[trajectory.question_id]
        panel = panel_for(question.id)
        if panel is None:
            return judge_answer(question, trajectory)
        return await judge_trajectory(question, trajectory, panel)

    found = await all_done(map(judged, trajectories))
    pairs = list(zip(trajectories, found, strict=True))
    return Judged(
        tuple(verdict for _, verdict in pairs if isinstance(verdict, Verdict)),
        tuple(_unjudged(each, why) for each, why in pairs if isinstance(why, Unjudged)),
    )


def _unjudged(trajectory: Trajectory, why: Unjudged) -> Rejection:
    return Rejection(record_id=trajectory.id, stage=STAGE, reason=why.reason, detail=why.detail)


def judge_all(
    questions: Iterable[Question], trajectories: Sequence[Trajectory]
) -> tuple[Verdict, ...]:
    """One verdict by rule for each trajectory; HopsightError where its question is missing."""
    known = {question.id: question for question in questions}
    _check_known(known, trajectories)
    return tuple(judge_answer(known[each.question_id], each) for each in trajectories)


def _check_known(known: Mapping[str, Question], trajectories: Iterable[Trajectory]) -> None:
    for trajectory in trajectories:
        if trajectory.question_id not in known:
            raise HopsightError(
                f"trajectory {trajectory.id} answers {trajectory.question_id}, which is unknown",
                "judge trajectories together with the questions they were rolled out on",
            )
