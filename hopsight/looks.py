"""What a picture shows, cut into phrases that several pictures may share.

A whole visual fact ("three horizontal bands, from top to bottom: red, blue, orange") would tell one
picture from all others. Its parts do not: "three horizontal bands", "the colour orange", "a red
band at the top". Every picture is cut in the same way, so a part that is missing is not shown.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

COLOURS: Final = tuple(
    "black blue bronze brown charcoal cream green grey ivory ochre orange pink purple red rose "
    "sand slate turquoise white yellow".split()
)
FAMILIES: Final = {
    "gold": "yellow",
    "light-blue": "blue",
    "maroon": "red",
    "navy": "blue",
    "navy-blue": "blue",
    "saffron": "orange",
}
"""Colours that two people may name differently: each is told by its family's name."""
FIGURES: Final = ("star", "crescent", "disc", "cross", "triangle", "rectangle", "sun", "wheel")
_BANDS: Final = re.compile(r"^(\w+) (horizontal|vertical) bands\b(?:[^:]*: (.+))?$")
_ENDS: Final = {
    "horizontal": ("at the top", "at the bottom"),
    "vertical": ("on the left", "on the right"),
}
_WORD: Final = re.compile(r"[a-z]+(?:-[a-z]+)*")
_CASED: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_NEGATED: Final = frozenset({"no", "not", "without"})
_NO_CONTENT: Final = frozenset({"a", "an", "the", "colour", "several"})
MAX_WORDS: Final = 7
_UNSAYABLE: Final = re.compile(
    r"\b(?:and|bears|is|it|its|name|no|stands?|the|them|title)\b|[,:;()\"]"
)
"""A fact with one of these is a clause, or speaks of other parts of the picture."""


def looks_of(visual_facts: Sequence[str]) -> tuple[str, ...]:
    """Phrases that are true of a picture with these visual facts, in their order, each once."""
    facts = (_in_families(" ".join(fact.split())) for fact in visual_facts)
    return tuple(dict.fromkeys(phrase for fact in facts for phrase in _phrases(fact)))


def may_show(visual_facts: Sequence[str], phrase: str) -> bool:
    """Whether one fact has all words of a phrase, however it puts them.

    Then the picture cannot be said not to show it: "a white cross whose arms do not reach the
    edges" gives no phrase of its own, and shows white.
    """
    wanted = _words(phrase) - _NO_CONTENT
    return any(wanted <= _words(fact) for fact in visual_facts)


@lru_cache(maxsize=8192)
def _words(fact: str) -> frozenset[str]:
    """Words in lower case, colours by their families; facts are held against every phrase."""
    return frozenset(_WORD.findall(_in_families(" ".join(fact.split())).casefold()))


def _in_families(fact: str) -> str:
    return _CASED.sub(lambda word: FAMILIES.get(word.group().casefold(), word.group()), fact)


def _phrases(fact: str) -> Iterator[str]:
    bands = _BANDS.match(fact)
    if bands is not None:
        yield f"{bands[1]} {bands[2]} bands"
        if bands[3]:
            yield from _edges(bands[2], [each.strip() for each in bands[3].split(",")])
    elif fact and len(fact.split()) <= MAX_WORDS and not _UNSAYABLE.search(fact):
        yield fact
    words = _WORD.findall(fact.casefold())
    if not _NEGATED.isdisjoint(words):
        return
    yield from (f"the colour {word}" for word in words if word in COLOURS)
    for word in words:
        if word in FIGURES or word.removesuffix("s") in FIGURES or word == "crosses":
            yield f"a {word}" if word in FIGURES else f"several {word}"


def _edges(way: str, colours: Sequence[str]) -> Iterator[str]:
    first, last = _ENDS[way]
    for colour, place in ((colours[0], first), (colours[-1], last)):
        if colour in COLOURS:
            article = "an" if colour[0] in "aeio" else "a"
            yield f"{article} {colour} band {place}"
