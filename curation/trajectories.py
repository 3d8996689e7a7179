"""Teacher traces for the SFT questions: correct, by tools, and the leanest of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from hopsight.stage import Staged
from hopsight.types import Rejection, StopReason, Trajectory, Verdict

STAGE = "teacher_trajectories"


def teacher_trajectories(
    question_ids: Sequence[str],
    trajectories: Iterable[Trajectory],
    verdicts: Iterable[Verdict],
    *,
    teacher: str,
    held_pictures: frozenset[str] = frozenset(),
) -> Staged[Trajectory]:
    """One trace of `teacher` for each question, or the reason why there is none.

    A trace is correct, ended with an answer, used a tool, and was shown none of `held_pictures`
    (sha-256), which evaluation starts from: a visit brings the pictures of a page. Of several
    the one with the fewest repeated calls is taken, then the fewest tool errors, the fewest
    calls and the lowest sample. Reasons: `no_teacher_rollout`, `infrastructure` (all were
    lost), `teacher_failed`, `saw_eval_picture`, and `answered_without_tools` where every
    correct trace went without one: the question is too easy.
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
        sound = [each for each in correct if _is_sound(each)]
        usable = [each for each in sound if not _shows(each, held_pictures)]
        if usable:
            kept.append(min(usable, key=_cost))
            continue
        reason = "saw_eval_picture" if sound else _reason(rollouts, correct, outcomes)
        rejected.append(
            Rejection(
                record_id=question_id,
                stage=STAGE,
                reason=reason,
                detail=f"{len(correct)} of {len(rollouts)} rollouts of {teacher} are correct",
            )
        )
    return Staged(len(question_ids), tuple(kept), tuple(rejected))


def tool_calls(trajectory: Trajectory) -> int:
    """How many calls a trajectory made."""
    return sum(len(turn.calls) for turn in trajectory.turns)


def _is_sound(trajectory: Trajectory) -> bool:
    ended_well = trajectory.stop_reason is StopReason.ANSWERED and trajectory.fatal_step is None
    return ended_well and tool_calls(trajectory) > 0


def _shows(trajectory: Trajectory, pictures: frozenset[str]) -> bool:
    return any(entry.image.sha256 in pictures for entry in trajectory.bank)


def _reason(
    rollouts: Sequence[Trajectory], correct: Sequence[Trajectory], outcomes: Mapping[str, str]
) -> str:
    if not rollouts:
        return "no_teacher_rollout"
    if correct:
        return "answered_without_tools"
    if all(outcomes.get(each.id, "infra") == "infra" for each in rollouts):
        return "infrastructure"
    return "teacher_failed"


def _cost(trajectory: Trajectory) -> tuple[int, int, int, int]:
    seen = [each for turn in trajectory.turns for each in turn.observations]
    repeats = sum(each.repeat for each in seen)
    errors = sum(each.outcome.counts_as_error for each in seen)
    return (repeats, errors, tool_calls(trajectory), trajectory.sample)
