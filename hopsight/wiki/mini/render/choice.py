"""Stable choices: the same words give the same number on every machine and in every run."""

import hashlib

HELD_OUT_ONE_IN = 5


def pick(count: int, *words: str) -> int:
    """A number in [0, count) that depends on the words alone."""
    digest = hashlib.sha256("\x1f".join(words).encode()).digest()
    return int.from_bytes(digest[:8], "big") % count


def is_held_out(title: str) -> bool:
    """Whether a page is written in the held-out patterns: about one page in five."""
    return pick(HELD_OUT_ONE_IN, title, "held-out") == 0
