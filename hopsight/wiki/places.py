"""Where in a sentence a value stands: as a link, as words, or as a number."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hopsight.wiki.cues import root
from hopsight.wiki.numbers import Quantity, unit_words, written_forms

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MONTH_OR_DAY: Final = re.compile(
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|\b\d{1,2}\b(?=\s+[a-z]{3})|(?<=[a-z] )\d{1,2}\b(?=,)"
)
_DECIMAL: Final = re.compile(r"\d[.,]\d")
_DIGITS: Final = re.compile(r"\d+")
_REMARK: Final = re.compile(r"\([^()]*\)")
_TELLING: Final = 3
"""Spaces in a value that nobody writes by chance: four words or more."""

_DEFINITE: Final = re.compile(r"\b(?:the|this|its|his|her|their)\s+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A link in a sentence: whom it leads to and where its anchor stands in the page's text."""

    target: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: number on the page, offsets, links, its words as (root, length, offset)."""

    number: int
    start: int
    end: int
    text: str
    folded: str
    mentions: tuple[Mention, ...]
    words: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A value to be found: its attribute, its words, the page it is, its quantity."""

    attribute: str
    value: str
    page_id: int | None
    quantity: Quantity | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands in the page's text; `plain` is how plainly it is that value."""

    sentence: Sentence
    start: int
    end: int
    plain: float
    certain: bool


def sentence(number: int, text: str, start: int, end: int, mentions: Iterable[Mention]) -> Sentence:
    """Prepare one sentence of `text` for the search."""
    own = text[start:end]
    words = tuple(
        (root(m.group().lower()), len(m.group()), start + m.start()) for m in _WORD.finditer(own)
    )
    # A few letters change their length in lower case; then only the exact spelling is found.
    folded = own.lower() if len(own.lower()) == len(own) else own
    return Sentence(number, start, end, own, folded, tuple(mentions), words)


def names(held: Sentence, name: str) -> bool:
    """Whether a sentence holds a name as whole words, in whatever case."""
    return bool(name) and next(_spans(held.folded, name.lower()), None) is not None


def places(held: Sentence, wanted: Wanted, title: str) -> list[Place]:
    """Every place in one sentence where the value stands. `title` is the page's own name."""
    if wanted.quantity is not None:
        whole = wanted.quantity.unit != "year" or _holds_date(held, wanted.value)
        return list(_numbers(held, wanted.quantity)) if whole else []
    found = [
        Place(held, mention.start, mention.end, 2.0, certain=True)
        for mention in held.mentions
        if wanted.page_id is not None
        and mention.target == wanted.page_id
        and _holds_numbers(held, wanted.value)
    ]
    return found or list(_words(held, wanted, title))


def _holds_date(held: Sentence, value: str) -> bool:
    """Whether a sentence has the day and month of a date, not just its year."""
    return all(word in held.folded for word in _MONTH_OR_DAY.findall(value.lower()))


def _holds_numbers(held: Sentence, value: str) -> bool:
    """Whether a sentence has the numbers of a value, those of a remark in brackets aside.

    A link to the Ovimbundu does not say that they are 36 % of a people.
    """
    return all(number in held.text for number in _DIGITS.findall(_REMARK.sub("", value)))


def _words(held: Sentence, wanted: Wanted, title: str) -> Iterator[Place]:
    found = list(_spans(held.folded, wanted.value.lower()))
    if not found:
        return
    own = list(_spans(held.folded, title.lower())) if title else []
    for a, b in found:
        if any(x <= a and b <= y and (x, y) != (a, b) for x, y in own):
            continue  # "Lake" in "Lake Lucerne" does not say what kind of water it is
        around = [m for m in held.mentions if m.start <= held.start + a and held.start + b <= m.end]
        if wanted.page_id is not None and any(m.target != wanted.page_id for m in around):
            continue  # "Congo" in a link to "Congo River" is no mention of the country
        exact = held.text[a:b] == wanted.value
        plain = 0.5 if exact else 0.0
        if any((m.start, m.end) == (held.start + a, held.start + b) for m in around):
            plain += 1.0
        elif around:
            plain -= 1.0
        if wanted.value.islower() and _DEFINITE.search(held.text[:a]):
            plain -= 1.5  # "the museum" refers back and states nothing
        telling = exact and wanted.value.count(" ") >= _TELLING
        yield Place(held, held.start + a, held.start + b, plain, certain=telling)


def _spans(folded: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a name stands as whole words."""
    at = folded.find(name)
    while at >= 0:
        end = at + len(name)
        around = folded[max(0, at - 1) : at], folded[end : end + 1]
        if not any(_is_word(side) for side in around) and not _goes_on(folded, at, end):
            yield at, end
        at = folded.find(name, at + 1)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a number there is a part of a longer one: 98 in 98.8 or 1,098."""
    before, after = text[max(0, start - 2) : start + 1], text[end - 1 : end + 2]
    return _DECIMAL.fullmatch(before) is not None or _DECIMAL.fullmatch(after) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _numbers(held: Sentence, quantity: Quantity) -> Iterator[Place]:
    if not any(form in held.text for form in written_forms(quantity.number)):
        return
    for match in _number_pattern(quantity.number).finditer(held.text):
        after = held.text[match.end() : match.end() + 24].lstrip(" -\u00a0").lower()
        unit = any(
            after.startswith(word) and not after[len(word) : len(word) + 1].isalnum()
            for word in unit_words(quantity.unit)
        )
        a, b = held.start + match.start(), held.start + match.end()
        yield Place(held, a, b, 2.0 if unit else 0.0, certain=unit)


@lru_cache(maxsize=4096)
def _number_pattern(number: float) -> re.Pattern[str]:
    forms = sorted(written_forms(number), key=lambda form: (-len(form), form))
    choice = "|".join(re.escape(form) for form in forms)
    return re.compile(rf"(?<![\w.,])(?:{choice})(?![.,]?\d)")
