"""Patterns of tools: how varied a set of traces is, and a choice that makes it more varied."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from hopsight.types import Trajectory

Pattern = tuple[str, ...]
Gram = tuple[str, str]

EDGE: Final = ""
"""Stands before the first tool and after the last: how a trace begins and ends counts too."""
MOST_SWEEPS: Final = 10
_GAIN: Final = 1e-9
"""Less is rounding, and no reason to leave the leaner trace."""


@dataclass(frozen=True, slots=True)
class Variety:
    """How varied the tools of a set of traces are; entropies in bits."""

    traces: int
    patterns: int
    pattern_bits: float
    gram_bits: float


def pattern_of(trajectory: Trajectory) -> Pattern:
    """The tools in the order of their calls; calls in a row of one tool count as one.

    How many pages are read in a row depends on the question, not on how it is gone about.
    """
    names = (call.name for turn in trajectory.turns for call in turn.calls)
    return tuple(name for name, _ in groupby(names))


def variety(trajectories: Iterable[Trajectory]) -> Variety:
    """The figures of a set of traces."""
    patterns = Counter(pattern_of(each) for each in trajectories)
    grams: Counter[Gram] = Counter()
    for pattern, count in patterns.items():
        for gram in _grams(pattern):
            grams[gram] += count
    return Variety(
        traces=patterns.total(),
        patterns=len(patterns),
        pattern_bits=entropy(patterns),
        gram_bits=entropy(grams),
    )


def entropy(counts: Mapping[Pattern, int] | Mapping[Gram, int]) -> float:
    """The entropy in bits of what was counted; 0 of nothing."""
    total = sum(counts.values())
    shares = (count / total for count in counts.values() if count)
    return math.fsum(-share * math.log2(share) for share in shares) if total else 0.0


def spread(choices: Sequence[Sequence[Trajectory]]) -> list[int]:
    """Which trace of each choice to take, so that tools follow each other in as many ways as may.

    The first trace of a choice is the one to take where nothing is gained. From there, choice
    after choice, the trace is taken with which the entropy of the pairs of tools that follow each
    other is largest over the whole set, until no change gains anything: a local optimum that the
    order of the choices and of equal traces decides, and nothing else. [ours]
    """
    grams = [[_grams(pattern_of(trace)) for trace in choice] for choice in choices]
    taken = [0] * len(choices)
    counts: Counter[Gram] = Counter(gram for each in grams for gram in each[0])
    open_ = [place for place, each in enumerate(grams) if len(set(each)) > 1]
    for _ in range(MOST_SWEEPS):
        changed = False
        for place in open_:
            best = _best(counts, grams[place], taken[place])
            changed |= best != taken[place]
            taken[place] = best
        if not changed:
            break
    return taken


def _best(counts: Counter[Gram], options: Sequence[tuple[Gram, ...]], taken: int) -> int:
    """The option that leaves the largest entropy; `counts` is changed to hold it."""
    counts.subtract(options[taken])
    best, most = taken, _with(counts, options[taken])
    for number, option in enumerate(options):
        found = _with(counts, option)
        if found > most + _GAIN:
            best, most = number, found
    counts.update(options[best])
    return best


def _with(counts: Counter[Gram], option: Sequence[Gram]) -> float:
    counts.update(option)
    found = entropy(counts)
    counts.subtract(option)
    return found


def _grams(pattern: Pattern) -> tuple[Gram, ...]:
    return tuple(pairwise((EDGE, *pattern, EDGE)))
