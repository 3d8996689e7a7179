"""Teacher traces for the SFT questions: correct, by a sound way, and together as varied as may be.

First by the answer and by what the trace did, then by how it went about it, which the analyzer
judges; of what is left one trace a question is taken.
"""

from curation.trajectories.faults import FAULTS, fault_of, process_fault, tool_calls
from curation.trajectories.patterns import Variety, pattern_of, spread, variety
from curation.trajectories.process import by_rule, process_verdicts
from curation.trajectories.stage import (
    STAGE,
    Process,
    Rollouts,
    teacher_trajectories,
    too_easy,
)

__all__ = [
    "FAULTS",
    "STAGE",
    "Process",
    "Rollouts",
    "Variety",
    "by_rule",
    "fault_of",
    "pattern_of",
    "process_fault",
    "process_verdicts",
    "spread",
    "teacher_trajectories",
    "too_easy",
    "tool_calls",
    "variety",
]
