"""What can be checked of a text that a model worded: its figures and words, not its grammar.

No pattern reads such a text. What the constraints say with a figure or a word of their own must
still stand in it, and it must point at a picture and ask one thing.
"""

import re
from collections.abc import Iterator

from tests.checker.solve import Condition, Riddle
from tests.checker.words import contains, tokens

_PICTURE = re.compile(
    r"\b(?:image|picture|photo|photograph|map|sign|plaque|label|flag|shown|pictured|depicted)\b",
    re.IGNORECASE,
)
_BY_NOUN = frozenset({"infobox"})
"""Attributes that many nouns say."""


def wording_problems(text: str, riddle: Riddle) -> list[str]:
    """What a worded text lacks, one line each."""
    lost = [
        f"text_lost: hop {number} no longer says {told}"
        for number, step in enumerate(riddle.steps, start=1)
        for condition in sorted(step.conditions, key=repr)
        for told in _told(condition)
        if not contains(text, told)
    ]
    if not _PICTURE.search(text):
        lost.append("text_lost: it points at no picture")
    if not text.endswith("?") or text.count("?") > 1:
        lost.append("text_form: it does not ask one thing, at its end")
    return lost


def _told(condition: Condition) -> Iterator[str]:
    if condition.attribute in _BY_NOUN:
        return
    if condition.value is not None:
        yield condition.value
    for figure in (condition.low, condition.high):
        if figure is not None:
            yield " ".join(tokens(f"{abs(figure):.10g}"))
