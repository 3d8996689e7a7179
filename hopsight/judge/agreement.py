"""How far several judges agree on the same answers, beyond chance."""

from collections import Counter
from collections.abc import Sequence


def plain_agreement(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of items on which two judges say the same. ValueError for none or unequal lengths."""
    _check((first, second))
    return sum(a == b for a, b in zip(first, second, strict=True)) / len(first)


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's kappa (1960): (p_o − p_e) / (1 − p_e), from each judge's own shares.

    None where both always say one and the same thing: agreement by chance is then certain.
    """
    observed = plain_agreement(first, second)
    shares = [Counter(judge) for judge in (first, second)]
    items = len(first) ** 2
    expected = sum(shares[0][word] * shares[1][word] for word in sorted(shares[0])) / items
    return None if expected == 1 else (observed - expected) / (1 - expected)


def fleiss_kappa(judges: Sequence[Sequence[str]]) -> float | None:
    """Fleiss' kappa (1971) of two or more judges over the same items; None as for Cohen's."""
    _check(judges)
    n, items = len(judges), len(judges[0])
    counts = [Counter(votes) for votes in zip(*judges, strict=True)]
    pairs = n * (n - 1)
    observed = sum((sum(k * k for k in row.values()) - n) / pairs for row in counts) / items
    total = Counter(word for judge in judges for word in judge)
    expected = sum((k / (n * items)) ** 2 for _, k in sorted(total.items()))
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _check(judges: Sequence[Sequence[str]]) -> None:
    if len(judges) < 2 or not judges[0] or len({len(judge) for judge in judges}) != 1:
        raise ValueError("agreement needs two or more judges of the same items, at least one item")
