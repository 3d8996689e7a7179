"""When to try again: what the server asked for, else longer and longer, with seeded jitter."""

import email.utils
import math
import random
from collections.abc import Mapping

BASE_S = 0.5
MOST_S = 30.0
LONGEST_ASKED_S = 600.0
"""A server that asks for a longer wait than this has failed for now."""


def backoff(attempt: int, key: str, seed: int, base_s: float = BASE_S) -> float:
    """Seconds to wait after failed attempt `attempt` (0 is the first): exponential, half of it
    jittered, so that calls that failed together do not come back together.
    """
    whole = min(MOST_S, base_s * 2.0**attempt)
    return whole * random.Random(f"{seed}:{key}:{attempt}").uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that an answer asks to wait; None where it does not say, or not readably.

    `now` is the time since the epoch, which a date in the header is held against.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            seconds = float(text) * unit
        except ValueError:
            seconds = _until(text, now)
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def _until(text: str, now: float) -> float:
    """Seconds until an HTTP date; NaN for anything else."""
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return math.nan
