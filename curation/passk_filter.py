"""Pass rates of the policy, and the bands that they put questions in."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from hopsight.stage import Staged
from hopsight.types import PassRate, Question, Rejection, Trajectory, Verdict

STAGE = "curated_questions"
Band = Literal["none", "some", "all"]


def pass_rates(
    trajectories: Iterable[Trajectory], verdicts: Iterable[Verdict]
) -> tuple[PassRate, ...]:
    """How often each policy answers each question, by question and policy.

    Rollouts lost to infrastructure count in `n` and not in `graded`. A trajectory without a
    verdict is unjudged and counts like one that is lost.
    """
    outcomes = {verdict.trajectory_id: verdict.outcome for verdict in verdicts}
    seen: dict[tuple[str, str], list[str]] = defaultdict(list)
    for trajectory in trajectories:
        outcome = outcomes.get(trajectory.id, "infra")
        seen[trajectory.question_id, trajectory.policy].append(outcome)
    return tuple(
        PassRate(
            question_id=question_id,
            policy=policy,
            n=len(results),
            graded=sum(result != "infra" for result in results),
            correct=results.count("correct"),
        )
        for (question_id, policy), results in sorted(seen.items())
    )


def band(rate: PassRate) -> Band | None:
    """none: no graded rollout is right; all: every one is; None where nothing was graded."""
    if rate.graded == 0:
        return None
    if rate.correct == 0:
        return "none"
    return "all" if rate.correct == rate.graded else "some"


def banded_questions(
    questions: Sequence[Question], rates: Iterable[PassRate], *, policy: str
) -> tuple[Staged[Question], Mapping[str, Band]]:
    """Questions that have a band under `policy`, and their bands by question id.

    The others are rejected: `not_rolled_out`, or `infrastructure` where all rollouts were lost.
    """
    by_question = {rate.question_id: rate for rate in rates if rate.policy == policy}
    kept, rejected = [], []
    bands: dict[str, Band] = {}
    for question in questions:
        rate = by_question.get(question.id)
        found = None if rate is None else band(rate)
        if found is not None:
            bands[question.id] = found
            kept.append(question)
            continue
        reason = "not_rolled_out" if rate is None else "infrastructure"
        detail = policy if rate is None else f"0 of {rate.n} rollouts of {policy} were graded"
        rejected.append(Rejection(record_id=question.id, stage=STAGE, reason=reason, detail=detail))
    return Staged(len(questions), tuple(kept), tuple(rejected)), bands
