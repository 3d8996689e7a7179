"""How well a link, a page or a table row goes with what a question says."""

import re
from dataclasses import dataclass

from hopsight.reference.agents.kinds import kinds_of_value
from hopsight.reference.agents.lexicon import COMMON, content_words, weight
from hopsight.reference.agents.measures import Measure, number_of, unit_after, unit_named
from hopsight.reference.agents.page import Mention, PageView, Row
from hopsight.reference.agents.question import Statement

LABEL, AROUND, WORD, MOST_WORDS = 1.0, 0.7, 0.1, 0.5
COMMON_NOUN = 0.4
"""Off for a link on a lone lower-case word: more often a kind of thing than a thing."""
VIOLATED = -2.0
AGREES, DISAGREES = 0.8, -0.8
KIND, SAME_KIND, OTHER_KIND = 0.3, 0.8, -2.0


@dataclass(frozen=True, slots=True)
class Option:
    """A link that may be the next step, and how well the words around it go with a statement."""

    url: str
    title: str
    score: float


def options(page: PageView, statement: Statement) -> list[Option]:
    """Links of a page, best first; each URL once, with its best score.

    What kind of thing a link leads to is the same wherever it stands on the page.
    """
    kinds: dict[str, frozenset[str]] = {}
    for mention in page.mentions:
        kinds[mention.url] = kinds.get(mention.url, frozenset()) | mention.kinds
    best: dict[str, Option] = {}
    for mention in page.mentions:
        score = _link_score(mention, statement, kinds[mention.url])
        known = best.get(mention.url)
        if known is None or score > known.score:
            best[mention.url] = Option(mention.url, mention.title, score)
    return sorted(best.values(), key=lambda option: (-option.score, option.url))


def _link_score(mention: Mention, statement: Statement, kinds: frozenset[str]) -> float:
    labelled = len(mention.label & statement.relation)
    around = sum(weight(c) for c in (mention.around - mention.label) & statement.relation)
    shared = min(MOST_WORDS, WORD * len(mention.words & statement.words))
    common = COMMON_NOUN if mention.title.islower() and " " not in mention.title else 0.0
    kind = KIND * _agreement(kinds, statement.sought)
    return LABEL * labelled + AROUND * around + shared + kind - common


def bond(page: PageView, url: str, statement: Statement) -> float:
    """How well what a page says of the page at `url` goes with a statement."""
    own = [each for each in page.mentions if each.url == url]
    return max((_link_score(each, statement, each.kinds) for each in own), default=0.0)


def _agreement(found: frozenset[str], sought: frozenset[str]) -> int:
    """1 if the kinds agree, -1 if they differ, 0 if either is unknown."""
    if not found or not sought:
        return 0
    return 1 if found & sought else -1


def fit(page: PageView, statement: Statement) -> float:
    """How well a visited page goes with a statement: words found, bounds kept or broken."""
    found = len(statement.words & page.words) / max(1, len(statement.words))
    lead = 0.3 * min(2, len(statement.words & page.lead))
    agreement = _agreement(page.kinds, statement.sought)
    kind = SAME_KIND if agreement > 0 else OTHER_KIND * -agreement
    told = sum(_told(page, idea, statement) for idea in sorted(statement.concepts - COMMON))
    bounds = sum(_measured(page, measure) for measure in statement.measures)
    return found + lead + kind + told + bounds


def _told(page: PageView, idea: str, statement: Statement) -> float:
    """Whether a row of words on an idea of the statement holds a word of it, or others alone."""
    rows = [
        content_words(row.value)
        for row in page.rows
        if idea in row.concepts and not row.linked and number_of(row.value) is None
    ]
    if not rows:
        return 0.0
    return AGREES if any(row & statement.words for row in rows) else DISAGREES


def _measured(page: PageView, measure: Measure) -> float:
    """+1 if the page's value lies within the bounds, a penalty if outside, 0 if none is found."""
    values = [
        (_closeness(row, measure), number)
        for row in page.rows
        if (number := number_of(row.value)) is not None and _units_agree(row, measure)
    ]
    values = [pair for pair in values if pair[0] > 0]
    if not values:
        return 0.0
    closest = max(closeness for closeness, _ in values)
    admitted = any(measure.admits(number) for close, number in values if close == closest)
    return 1.0 if admitted else VIOLATED


def _closeness(row: Row, measure: Measure) -> float:
    same_unit = 0.5 if measure.unit is not None and unit_of(row) == measure.unit else 0.0
    return same_unit + sum(weight(c) for c in row.concepts & measure.concepts)


def _units_agree(row: Row, measure: Measure) -> bool:
    unit = unit_of(row)
    return unit is None or unit == measure.unit


def unit_of(row: Row) -> str | None:
    """The unit of a row: the one after its number, else the last word of its label."""
    digits = row.value.lstrip("0123456789,.−- ")
    last = row.label.split(" ")[-1].strip("()")
    return unit_after(digits) or (last if last in {"km", "km2", "m", "kg", "cm"} else None)


def answer_row(page: PageView, ask: Statement) -> Row | None:
    """The row that says what is asked; None if no row shares an idea with the asking words."""
    scored = [(_row_score(row, ask), row) for row in page.rows]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] > 0 else None


def _row_score(row: Row, ask: Statement) -> float:
    label = frozenset(row.label.casefold().split())
    shared = row.concepts & ask.concepts
    kind = _agreement(kinds_of_value(row.label), ask.sought)
    if not shared and not label & ask.words and kind <= 0:
        return 0.0
    missed = 0.1 * len(row.concepts - ask.concepts)
    said = sum(weight(c) for c in shared)
    return said + 0.4 * len(label & ask.words) + _suits(row, ask) + KIND * kind - missed


def _suits(row: Row, ask: Statement) -> float:
    """Whether a row is of the kind that the asking word wants: a year, a place, a number."""
    text = ask.text.casefold()
    number = number_of(row.value)
    is_year = "year" in row.concepts
    asked_in = unit_named(text)
    if asked_in is not None:
        return 0.8 if unit_of(row) == asked_in else -0.8
    if re.search(r"\b(when|year|date)\b", text):
        return 0.8 if is_year else -0.8
    if re.search(r"\bwhere\b|\bwho\b|\bwhom\b", text):
        return 0.8 if row.linked else 0.4 if number is None else -0.8
    if re.search(r"\bhow\b", text):
        return 0.4 if number is not None and not is_year else -0.8
    return -0.2 if is_year else 0.0
