"""The stage: one trace for each question, chosen among those that may be learnt from."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.trajectories.faults import FAULTS, fault_of, process_fault, tool_calls
from curation.trajectories.patterns import spread
from hopsight.stage import Staged
from hopsight.types import ProcessVerdict, Rejection, Trajectory, Verdict

STAGE = "teacher_trajectories"
TOO_EASY = 0.5
"""Share of the graded rollouts from which answers without tools are no luck."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """A teacher's rollouts with what a judge found of each, by the trajectory's id.

    `held_pictures` (sha-256) are those that evaluation starts from.
    """

    by_question: Mapping[str, Sequence[Trajectory]]
    outcomes: Mapping[str, str]
    held_pictures: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        trajectories: Iterable[Trajectory],
        verdicts: Iterable[Verdict],
        *,
        teacher: str,
        held_pictures: frozenset[str] = frozenset(),
    ) -> "Rollouts":
        """Those of `teacher` alone, each question's by sample."""
        found: dict[str, list[Trajectory]] = defaultdict(list)
        for each in trajectories:
            if each.policy == teacher:
                found[each.question_id].append(each)
        by_sample = {
            question: sorted(runs, key=lambda run: (run.sample, run.id))
            for question, runs in found.items()
        }
        outcomes = {verdict.trajectory_id: verdict.outcome for verdict in verdicts}
        return cls(by_sample, outcomes, held_pictures)

    def runs(self, question_id: str) -> Sequence[Trajectory]:
        """All rollouts of a question."""
        return self.by_question.get(question_id, ())

    def correct(self, question_id: str) -> list[Trajectory]:
        """The rollouts that answered right."""
        return [each for each in self.runs(question_id) if self.outcomes.get(each.id) == "correct"]

    def sound(self, question_ids: Iterable[str]) -> list[Trajectory]:
        """The correct rollouts that nothing but their process could rule out."""
        return [
            each
            for question_id in question_ids
            for each in self.correct(question_id)
            if fault_of(each, self.held_pictures) is None
        ]


@dataclass(frozen=True, slots=True)
class Process:
    """What the analyzer found of sound rollouts, and how many turns in vain one may have."""

    verdicts: Mapping[str, ProcessVerdict]
    max_vain_share: float

    @classmethod
    def of(cls, verdicts: Iterable[ProcessVerdict], max_vain_share: float) -> "Process":
        """By the trajectory's id."""
        return cls({each.trajectory_id: each for each in verdicts}, max_vain_share)


def teacher_trajectories(
    question_ids: Sequence[str],
    rollouts: Rollouts,
    process: Process | None = None,
    *,
    max_extra_calls: int = 0,
) -> Staged[Trajectory]:
    """One trace for each question, or the reason why there is none.

    A correct trace can be learnt from if it ended with an answer, used a tool, went for no blocked
    source, holds no outage (its text would be learnt as a result), was shown none of the held
    pictures (a visit brings the pictures of a page), and if, where `process` is given, its way was
    found sound: `process` then has a verdict on each of `rollouts.sound`.

    Of several the leanest is taken (fewest repeated calls, then tool errors, calls, lowest sample),
    or one that repeats and errs no more and makes at most `max_extra_calls` calls more, where its
    pattern of tools makes the set more varied.

    Reasons: `no_teacher_rollout`, `infrastructure` (all were lost), `teacher_failed`, and what is
    wrong with every correct trace: of several faults the one that comes last in `FAULTS`.
    """
    usable: dict[str, list[Trajectory]] = {}
    rejected = []
    for question_id in question_ids:
        correct = rollouts.correct(question_id)
        faults = [_fault(each, rollouts, process) for each in correct]
        sound = [each for each, fault in zip(correct, faults, strict=True) if fault is None]
        if sound:
            usable[question_id] = _near_leanest(sound, max_extra_calls)
        else:
            known = [fault for fault in faults if fault is not None]
            rejected.append(_rejection(question_id, known, rollouts))
    in_order = sorted(usable)
    taken = spread([usable[each] for each in in_order])
    chosen = {each: usable[each][place] for each, place in zip(in_order, taken, strict=True)}
    kept = tuple(chosen[each] for each in question_ids if each in chosen)
    return Staged(len(question_ids), kept, tuple(rejected))


def too_easy(
    question_ids: Iterable[str], rollouts: Rollouts, share: float = TOO_EASY
) -> frozenset[str]:
    """The questions that the teacher answers without any tool in `share` of its graded rollouts.

    They ask for nothing that tools are for: neither traces nor rewards teach anything there. One
    right answer of many may be luck, so that it only keeps that trace out. [ours]
    """
    return frozenset(each for each in question_ids if _share_without_tools(each, rollouts) >= share)


def _share_without_tools(question_id: str, rollouts: Rollouts) -> float:
    found = {
        each.id: rollouts.outcomes.get(each.id, "infra") for each in rollouts.runs(question_id)
    }
    graded = sum(outcome != "infra" for outcome in found.values())
    bare = sum(tool_calls(each) == 0 for each in rollouts.correct(question_id))
    return bare / graded if graded else 0.0


def _fault(trace: Trajectory, rollouts: Rollouts, process: Process | None) -> str | None:
    fault = fault_of(trace, rollouts.held_pictures)
    if fault is not None or process is None:
        return fault
    return process_fault(process.verdicts[trace.id], process.max_vain_share)


def _near_leanest(sound: Sequence[Trajectory], max_extra_calls: int) -> list[Trajectory]:
    """The leanest trace first, then those that cost hardly more."""
    ordered = sorted(sound, key=_cost)
    repeats, errors, calls, _ = _cost(ordered[0])
    return [
        each
        for each in ordered
        if _cost(each)[:2] == (repeats, errors) and _cost(each)[2] <= calls + max_extra_calls
    ]


def _rejection(question_id: str, faults: Sequence[str], rollouts: Rollouts) -> Rejection:
    runs = rollouts.runs(question_id)
    told = max(faults, key=FAULTS.index) if faults else _without_correct(runs, rollouts.outcomes)
    return Rejection(
        record_id=question_id,
        stage=STAGE,
        reason=told,
        detail=f"{len(faults)} of {len(runs)} rollouts are correct",
    )


def _without_correct(runs: Sequence[Trajectory], outcomes: Mapping[str, str]) -> str:
    if not runs:
        return "no_teacher_rollout"
    if all(outcomes.get(each.id, "infra") == "infra" for each in runs):
        return "infrastructure"
    return "teacher_failed"


def _cost(trajectory: Trajectory) -> tuple[int, int, int, int]:
    seen = [each for turn in trajectory.turns for each in turn.observations]
    repeats = sum(each.repeat for each in seen)
    errors = sum(each.outcome.counts_as_error for each in seen)
    return (repeats, errors, tool_calls(trajectory), trajectory.sample)
