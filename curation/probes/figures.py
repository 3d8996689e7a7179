"""How often each probe was tried and what it solved."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.probes.order import ORDER
from curation.probes.outcomes import UNJUDGED
from hopsight.stats import Interval, wilson
from hopsight.types import ProbeResult


@dataclass(frozen=True, slots=True)
class ProbeFigures:
    """One probe: questions that it was put to, solved, and lost to infrastructure.

    `interval` is that of the share solved of those judged (Wilson, 95 %).
    """

    probe: str
    tried: int
    solved: int
    unjudged: int
    interval: Interval


def probe_figures(results: Sequence[ProbeResult]) -> tuple[ProbeFigures, ...]:
    """The figures of each probe that was made, in the order in which they are made."""
    found = []
    for name in ORDER:
        own = [each for each in results if each.probe == name]
        if own:
            solved = sum(each.solved for each in own)
            lost = sum(each.detail == UNJUDGED for each in own)
            interval = wilson(solved, len(own) - lost)
            found.append(ProbeFigures(name, len(own), solved, lost, interval))
    return tuple(found)
