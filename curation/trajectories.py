"""Teacher traces for the SFT questions: correct, by tools, and the leanest of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from hopsight.errors import Outcome
from hopsight.stage import Staged
from hopsight.types import Rejection, StopReason, Trajectory, Verdict

STAGE = "teacher_trajectories"

FAULTS = (
    "answered_without_tools",
    "ended_badly",
    "went_for_blocked_source",
    "holds_outage",
    "saw_eval_picture",
)
"""What keeps a correct trace from being learnt from."""


def teacher_trajectories(
    question_ids: Sequence[str],
    trajectories: Iterable[Trajectory],
    verdicts: Iterable[Verdict],
    *,
    teacher: str,
    held_pictures: frozenset[str] = frozenset(),
) -> Staged[Trajectory]:
    """One trace of `teacher` for each question, or the reason why there is none.

    A correct trace can be learnt from if it ended with an answer, used a tool, went for no blocked
    source, holds no outage (its text would be learnt as a result), and was shown none of
    `held_pictures` (sha-256), which evaluation starts from: a visit brings the pictures of a page.
    Of several the one with the fewest repeated calls is taken, then the fewest tool errors, the
    fewest calls and the lowest sample. Reasons: `no_teacher_rollout`, `infrastructure` (all were
    lost), `teacher_failed`, and what is wrong with every correct trace: of several faults the one
    that comes last in `FAULTS`, so that `answered_without_tools` (the question is too easy) is told
    only where nothing else was wrong.
    """
    outcomes = {verdict.trajectory_id: verdict.outcome for verdict in verdicts}
    by_question: dict[str, list[Trajectory]] = defaultdict(list)
    for trajectory in trajectories:
        if trajectory.policy == teacher:
            by_question[trajectory.question_id].append(trajectory)
    kept, rejected = [], []
    for question_id in question_ids:
        rollouts = by_question.get(question_id, [])
        correct = [each for each in rollouts if outcomes.get(each.id) == "correct"]
        faults = [_fault(each, held_pictures) for each in correct]
        usable = [each for each, fault in zip(correct, faults, strict=True) if fault is None]
        if usable:
            kept.append(min(usable, key=_cost))
            continue
        known = [fault for fault in faults if fault is not None]
        told = max(known, key=FAULTS.index) if known else _without_correct(rollouts, outcomes)
        rejected.append(
            Rejection(
                record_id=question_id,
                stage=STAGE,
                reason=told,
                detail=f"{len(correct)} of {len(rollouts)} rollouts of {teacher} are correct",
            )
        )
    return Staged(len(question_ids), tuple(kept), tuple(rejected))


def tool_calls(trajectory: Trajectory) -> int:
    """How many calls a trajectory made."""
    return sum(len(turn.calls) for turn in trajectory.turns)


def _fault(trajectory: Trajectory, held_pictures: frozenset[str]) -> str | None:
    """Why a correct trace is not learnt from, one of FAULTS."""
    if tool_calls(trajectory) == 0:
        return "answered_without_tools"
    if trajectory.stop_reason is not StopReason.ANSWERED or trajectory.fatal_step is not None:
        return "ended_badly"
    if trajectory.blocked:
        return "went_for_blocked_source"
    if _has_outage(trajectory):
        return "holds_outage"
    return "saw_eval_picture" if _shows(trajectory, held_pictures) else None


def _has_outage(trajectory: Trajectory) -> bool:
    observations = (each for turn in trajectory.turns for each in turn.observations)
    return any(each.outcome is Outcome.TRANSIENT for each in observations)


def _shows(trajectory: Trajectory, pictures: frozenset[str]) -> bool:
    return any(entry.image.sha256 in pictures for entry in trajectory.bank)


def _without_correct(rollouts: Sequence[Trajectory], outcomes: Mapping[str, str]) -> str:
    if not rollouts:
        return "no_teacher_rollout"
    if all(outcomes.get(each.id, "infra") == "infra" for each in rollouts):
        return "infrastructure"
    return "teacher_failed"


def _cost(trajectory: Trajectory) -> tuple[int, int, int, int]:
    seen = [each for turn in trajectory.turns for each in turn.observations]
    repeats = sum(each.repeat for each in seen)
    errors = sum(each.outcome.counts_as_error for each in seen)
    return (repeats, errors, tool_calls(trajectory), trajectory.sample)
