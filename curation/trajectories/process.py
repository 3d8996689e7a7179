"""The way of each correct trace, judged by the analyzer: a model, or rules."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from hopsight.errors import ProviderError
from hopsight.llm.structured import Refused
from hopsight.steps import JUDGE_PROCESS, AskFor, each_despite_outages, run_step
from hopsight.steps.judge_process import Process, ProcessFinding
from hopsight.steps.text import line
from hopsight.types import ProcessVerdict, Trajectory

CONCURRENT: Final = 64
"""Traces under way at once; each endpoint sets how many calls its server takes."""
_TOLD: Final = 500


def by_rule(trajectory_id: str) -> None:
    """No model for any trace."""


async def process_verdicts(
    traces: Sequence[Trajectory], ask_for: AskFor = by_rule, *, analyzer: str = "reference"
) -> tuple[ProcessVerdict, ...]:
    """A verdict on each trace, in order. What was answered before is not asked again.

    An analyzer that fails for one trace is told in its verdict; one that fails for all raises
    ProviderError.
    """

    async def judged(trace: Trajectory) -> ProcessVerdict:
        item = Process(question=trace.task.text, turns=trace.turns, final_answer=trace.final_answer)
        found = await run_step(JUDGE_PROCESS, item, ask_for(trace.id))
        return _verdict(trace, found, analyzer)

    def lost(trace: Trajectory, error: ProviderError) -> ProcessVerdict:
        return _unmarked(trace, "infra", error.cause, analyzer)

    return tuple(await each_despite_outages(judged, traces, lost, concurrency=CONCURRENT))


def _verdict(trace: Trajectory, found: ProcessFinding | Refused, analyzer: str) -> ProcessVerdict:
    if isinstance(found, Refused):
        return _unmarked(trace, "refused", f"{found.reason}: {found.detail}", analyzer)
    marks = Counter(each.mark for each in found.marks)
    return ProcessVerdict(
        trajectory_id=trace.id,
        question_id=trace.question_id,
        outcome=found.verdict,
        useful=marks["useful"],
        ineffective=marks["ineffective"],
        repeats=marks["repeats"],
        inconsistent=marks["inconsistent_with_observation"],
        reason=line(found.reason, _TOLD),
        analyzer=analyzer,
    )


def _unmarked(trace: Trajectory, outcome: str, reason: str, analyzer: str) -> ProcessVerdict:
    return ProcessVerdict.model_validate(
        {
            "trajectory_id": trace.id,
            "question_id": trace.question_id,
            "outcome": outcome,
            "useful": 0,
            "ineffective": 0,
            "repeats": 0,
            "inconsistent": 0,
            "reason": line(reason, _TOLD),
            "analyzer": analyzer,
        }
    )
