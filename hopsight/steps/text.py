"""Texts of steps: bounded for a prompt, and looked through for values, numbers and names."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from hopsight.harness.render import clip
from hopsight.leak import fold, leaks

LINE: Final = 600
"""Characters of one line of a list."""

BLOCK: Final = 12_000
"""Characters of a whole text."""

_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_RANGE: Final = re.compile(
    r"\b(?:between|from) (?P<a>\d+(?:\.\d+)?)(?: [^\W\d]+){0,3} (?:and|to) (?P<b>\d+(?:\.\d+)?)"
    r"|(?<![\w.-])(?P<c>\d+(?:\.\d+)?)(?:-| to )(?P<d>\d+(?:\.\d+)?)(?![\w.-])"
)
_ENDINGS: Final = (
    "s|es|n|ns|an|ans|ian|ians|ean|eans|ese|ish|ic|ite|ites|er|ers|i|is|like|ness|dom|en"
)
_ENDINGS_OF_A_STEM: Final = "an|ans|ian|ians|ean|eans|ese|ish|ic|ite|ites"
_SHORTEST_STEM: Final = 4
"""Shorter names with an ending read like ordinary words: Ur and us, Lee and lees."""


def line(text: str, limit: int = LINE) -> str:
    """`text` as one line of at most `limit` characters, so that it cannot pass for two."""
    joined = " ".join(text.split())
    return joined if len(joined) <= limit else f"{joined[:limit].rstrip()} [cut]"


def block(text: str, limit: int = BLOCK) -> str:
    """At most `limit` characters of `text`; what was cut is said. "none" for blank text."""
    return clip(text, limit) if text.strip() else "none"


def numbered(texts: Iterable[str], limit: int = LINE) -> str:
    """One line for each text under its number, from 1; "none" where there are none."""
    lines = [f"{number}. {line(text, limit)}" for number, text in enumerate(texts, start=1)]
    return "\n".join(lines) or "none"


def listed(names: Iterable[str]) -> str:
    """One line for each name; "none" where there are none."""
    return "\n".join(line(name) for name in names) or "none"


def holds(text: str, value: str) -> bool:
    """Whether `value` stands in `text` as whole words, in whatever writing `fold` equates."""
    folded = fold(value)
    if len(folded) == 1:
        return folded in fold(text).split()
    return bool(leaks(text, (value,)))


def names_one(text: str, names: Iterable[str], rivals: Iterable[str]) -> bool:
    """Whether `text` holds one of `names`, and not only as a part of a longer name of `rivals`.

    "Boria City" does not name Boria where Boria City is a rival.
    """
    names = tuple(names)
    rest = fold(text)
    for rival in sorted({fold(name) for name in rivals}, key=lambda name: (-len(name), name)):
        if any(holds(rival, name) and not holds(name, rival) for name in names):
            rest = rest.replace(rival, " | ")
    return any(holds(rest, name) for name in names)


def numbers(text: str) -> tuple[float, ...]:
    """The numbers that `text` writes in digits, without their signs, in order."""
    return tuple(float(found[0]) for found in _NUMBER.finditer(fold(text)))


def ranges(text: str) -> tuple[tuple[float, float], ...]:
    """The ranges that `text` writes, as "between 5 and 10", "5 to 10" or "5–10"; lower end first.

    Signs are not read: 310–300 BC is a range from 300 to 310.
    """
    found = (match.groupdict() for match in _RANGE.finditer(fold(text)))
    ends = ((float(m["a"] or m["c"]), float(m["b"] or m["d"])) for m in found)
    return tuple((min(pair), max(pair)) for pair in ends)


def leaked(text: str, names: Iterable[str]) -> list[str]:
    """The names that `text` gives away: as they are, inflected, or as an adjective of a place.

    "Italy's", "Cubans" and "Italian" give away Italy and Cuba; characters that no reader sees
    hide nothing. Irregular adjectives ("Dutch") and parts of a name are not known here: whoever
    needs them kept out hands them over as names.
    """
    seen = "".join(char for char in text if unicodedata.category(char) != "Cf")
    found = set(leaks(text, names := tuple(names))) | set(leaks(seen, names))
    folded = fold(seen)
    return [
        name
        for name in dict.fromkeys(names)
        if name in found or any(form.search(folded) for form in _inflected(name))
    ]


@lru_cache(maxsize=8192)
def _inflected(name: str) -> tuple[re.Pattern[str], ...]:
    """What finds a name with an ending, whole or without the vowel that an ending drops."""
    visible = "".join(char for char in name if unicodedata.category(char) != "Cf")
    bare = fold(re.sub(r"\s*\([^()]*\)\s*$", "", visible)) or fold(visible)
    if len(bare) < _SHORTEST_STEM:
        return ()
    forms = [rf"(?<!\w){re.escape(bare)}(?:{_ENDINGS})(?!\w)"]
    stem = bare.rstrip("aeiouy")
    if _SHORTEST_STEM - 1 <= len(stem) < len(bare):
        forms.append(rf"(?<!\w){re.escape(stem)}(?:{_ENDINGS_OF_A_STEM})(?!\w)")
    return tuple(re.compile(form) for form in forms)


def wrong_numbers(given: Iterable[int], count: int) -> str | None:
    """What is wrong with numbers that should each be one of 1 … `count`, and none twice."""
    given = tuple(given)
    outside = sorted({number for number in given if not 1 <= number <= count})
    if outside:
        return f"number {outside[0]} is not one of 1 to {count}"
    twice = sorted({number for number in given if given.count(number) > 1})
    return f"number {twice[0]} stands twice" if twice else None


def wrong_count(given: Iterable[int], count: int) -> str | None:
    """What is wrong with numbers that should be all of 1 … `count`, each once."""
    given = tuple(given)
    missing = sorted(set(range(1, count + 1)) - set(given))
    return wrong_numbers(given, count) or (f"number {missing[0]} is missing" if missing else None)
