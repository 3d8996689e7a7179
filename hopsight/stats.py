"""Small statistics with their intervals."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple


class Interval(NamedTuple):
    """A closed interval."""

    low: float
    high: float


def wilson(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Wilson score interval of a proportion; (0, 1) for no trials.

    Raises:
        ValueError: unless 0 ≤ successes ≤ trials and 0 < level < 1.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"successes must be between 0 and trials={trials}, got {successes}")
    z = _quantile(level)
    if trials == 0:
        return Interval(0.0, 1.0)
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if successes == trials else min(1.0, (centre + spread) / scale)
    return Interval(low, high)


def paired_difference(
    first: Sequence[float], second: Sequence[float], level: float = 0.95
) -> tuple[float, Interval]:
    """Mean of `first - second` over the same items, with its normal-theory interval.

    Raises:
        ValueError: if the lengths differ or there are fewer than two items.
    """
    if len(first) != len(second):
        raise ValueError(f"pairs needed: {len(first)} values against {len(second)}")
    if len(first) < 2:
        raise ValueError("an interval needs at least two pairs")
    differences = [a - b for a, b in zip(first, second, strict=True)]
    mean = fmean(differences)
    spread = _quantile(level) * stdev(differences) / sqrt(len(differences))
    return mean, Interval(mean - spread, mean + spread)


def _quantile(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level}")
    return NormalDist().inv_cdf((1 + level) / 2)
