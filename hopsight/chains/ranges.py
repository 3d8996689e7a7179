"""Round number ranges around a value, from narrow to wide."""

from math import floor, log10

YEAR_SPANS = (10, 20, 50, 100)
QUANTITY_SPANS = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Spans as multiples of the value's power of ten."""


def ranges_around(value: float, unit: str | None) -> list[tuple[float, float]]:
    """Ranges that hold `value` strictly inside, so that no bound gives it away.

    Years get spans of decades; quantities must be positive and get spans in proportion.
    """
    if unit == "year":
        spans = [float(span) for span in YEAR_SPANS]
    elif value <= 0:
        return []
    else:
        spans = _quantity_spans(value)
    found = [_aligned(value, span) for span in spans]
    usable = [pair for pair in found if _is_sayable(pair, unit)]
    return list(dict.fromkeys(usable))


def _quantity_spans(value: float) -> list[float]:
    power = 10.0 ** floor(log10(value))
    spans = [part * power for part in QUANTITY_SPANS]
    return [span for span in spans if span >= 1] if value >= 5 else spans[2:]


def _aligned(value: float, span: float) -> tuple[float, float]:
    """The range of that span whose lower bound is a multiple of half the span."""
    half = span / 2
    low = floor(value / half) * half
    if value - low < half / 4:
        low -= half
    return _clean(low), _clean(low + span)


def _clean(number: float) -> float:
    return round(number, 6)


def _is_sayable(pair: tuple[float, float], unit: str | None) -> bool:
    """Years have no year 0 and no range across the eras; quantities start above 0."""
    low, high = pair
    if unit == "year":
        return low * high > 0
    return low > 0 and low == round(low, 2) and high == round(high, 2)
