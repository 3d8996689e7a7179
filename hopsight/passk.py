"""Pass@k from n graded rollouts of which c are correct."""

from math import comb

from hopsight.stats import Interval, wilson


def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of k rollouts is correct.

    1 - C(n-c, k) / C(n, k) [Chen et al. 2021, arXiv 2107.03374], in exact integers.

    Raises:
        ValueError: unless 0 ≤ c ≤ n and 1 ≤ k ≤ n.
    """
    if not 0 <= c <= n:
        raise ValueError(f"correct rollouts must be between 0 and n={n}, got {c}")
    if not 1 <= k <= n:
        raise ValueError(f"k must be between 1 and n={n}, got {k}")
    return 1.0 - comb(n - c, k) / comb(n, k)


def pass_interval(n: int, c: int, level: float = 0.95) -> Interval:
    """Wilson interval of the pass rate c/n; (0, 1) where nothing was graded."""
    return wilson(c, n, level)
