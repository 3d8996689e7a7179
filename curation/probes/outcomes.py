"""What a probe found: a question that it solved is out."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopsight.stage import Staged
from hopsight.types import ProbeResult, Question, Rejection, Trajectory, Verdict

STAGE: Final = "probe_results"
UNJUDGED: Final = "unjudged"
"""The detail of a result that says nothing."""


@dataclass(frozen=True, slots=True)
class Probed:
    """Questions that withstood the probes, and what each probe did on each that it was put to.

    A question that one probe solved is not put to the next, which then has no result for it.
    """

    questions: Staged[Question]
    results: tuple[ProbeResult, ...]
    verdicts: tuple[Verdict, ...]
    trajectories: tuple[Trajectory, ...]


def sort_out(
    probe: str,
    questions: Sequence[Question],
    trajectories: Sequence[Trajectory],
    verdicts: Sequence[Verdict],
) -> Probed:
    """Reject what any trajectory solved, as `<probe>_probe_solved`.

    A question that infrastructure kept from being probed or judged is rejected as
    `<probe>_probe_unjudged`: an outage is no pass.
    """
    by_trajectory = {verdict.trajectory_id: verdict for verdict in verdicts}
    outcomes = defaultdict(list)
    for trajectory in trajectories:
        if trajectory.id in by_trajectory:
            pair = (trajectory, by_trajectory[trajectory.id])
            outcomes[trajectory.question_id].append(pair)
    kept, rejected, results = [], [], []
    for question in questions:
        result = _result(probe, question, outcomes[question.id])
        results.append(result)
        if result.solved or result.detail == UNJUDGED:
            ending = "solved" if result.solved else UNJUDGED
            rejected.append(
                Rejection(
                    record_id=question.id,
                    stage=STAGE,
                    reason=f"{probe}_probe_{ending}",
                    detail=result.answer or "",
                )
            )
        else:
            kept.append(question)
    staged = Staged(len(questions), tuple(kept), tuple(rejected))
    return Probed(staged, tuple(results), tuple(verdicts), tuple(trajectories))


def _result(
    probe: str, question: Question, outcomes: Sequence[tuple[Trajectory, Verdict]]
) -> ProbeResult:
    judged = [pair for pair in outcomes if pair[1].outcome != "infra"]
    winner = next((pair[0] for pair in judged if pair[1].outcome == "correct"), None)
    shown = winner or (judged[0][0] if judged else None)
    return ProbeResult(
        question_id=question.id,
        probe=probe,
        answer=shown.final_answer if shown else None,
        solved=winner is not None,
        detail=f"{len(judged)} judged" if judged else UNJUDGED,
    )
