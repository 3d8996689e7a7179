"""What keeps a correct trace from being learnt from: by what it did, and by how it went about it.

A trace that is right for the wrong reasons teaches the reasons.
"""

from typing import Final

from hopsight.errors import Outcome
from hopsight.types import ProcessVerdict, StopReason, Trajectory

FAULTS: Final = (
    "answered_without_tools",
    "ended_badly",
    "went_for_blocked_source",
    "holds_outage",
    "saw_eval_picture",
    "ineffective_process",
    "inconsistent_process",
    "analyzer_refused",
    "analyzer_failed",
)
"""In order: of several traces' faults the last one is told, so that "the question is too easy" is
said only where nothing else was wrong, and infrastructure before anything about the traces."""


def fault_of(trajectory: Trajectory, held_pictures: frozenset[str]) -> str | None:
    """Why a correct trace is not learnt from, whatever its process; None where nothing is wrong."""
    if tool_calls(trajectory) == 0:
        return "answered_without_tools"
    if trajectory.stop_reason is not StopReason.ANSWERED or trajectory.fatal_step is not None:
        return "ended_badly"
    if trajectory.blocked:
        return "went_for_blocked_source"
    if _has_outage(trajectory):
        return "holds_outage"
    return "saw_eval_picture" if _shows(trajectory, held_pictures) else None


def process_fault(found: ProcessVerdict, max_vain_share: float) -> str | None:
    """What is wrong with the way of a trace, None where it led on.

    More turns in vain than `max_vain_share` are one fault too many, whatever the verdict.
    """
    if found.outcome == "infra":
        return "analyzer_failed"
    if found.outcome == "refused":
        return "analyzer_refused"
    if found.inconsistent:
        return "inconsistent_process"
    if found.outcome == "reject" or found.vain_share > max_vain_share:
        return "ineffective_process"
    return None


def tool_calls(trajectory: Trajectory) -> int:
    """How many calls a trajectory made."""
    return sum(len(turn.calls) for turn in trajectory.turns)


def _has_outage(trajectory: Trajectory) -> bool:
    observations = (each for turn in trajectory.turns for each in turn.observations)
    return any(each.outcome is Outcome.TRANSIENT for each in observations)


def _shows(trajectory: Trajectory, pictures: frozenset[str]) -> bool:
    return any(entry.image.sha256 in pictures for entry in trajectory.bank)
