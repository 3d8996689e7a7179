"""A question's text read back into what it says, by patterns of this package's own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tests.checker.phrases import ANCHORS, CONDITIONS, NOUNS, RELATIONS, REQUESTS
from tests.checker.solve import Condition, Step
from tests.checker.world import unit_of

_FIGURE = r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+| BC)?"
_RANGE = f"between (?P<low>{_FIGURE}) and (?P<high>{_FIGURE})"
_SLOTS = {
    "{N}": "(?P<next>.+)",
    "{P}": "@",
    "{R}": "@",
    "{range}": _RANGE,
    "{value}": "(?P<value>.+)",
    "{looks}": "(?P<looks>.+)",
}
_SENTENCE_END = re.compile(r"\. (?=[A-Z])")
_DETERMINER = re.compile(r"(another|a certain|an?) ")
_NEXT_CONDITION = re.compile(r" and (?=(?:that|who|whose) )")
_EVERY_KIND = "any"

Kinds = Mapping[str, set[str]]


class UnreadableError(Exception):
    """A text that no pattern reads; the message names the part."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says: the anchor's kind, the way, and the asked attribute."""

    anchor: str
    steps: tuple[Step, ...]
    ask: str


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table: the infoboxes it counts for, its cells, and its pattern."""

    kinds: frozenset[str]
    cells: tuple[str, ...]
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Entity:
    """Where the text has got to: a kind, its noun, and how the next sentence must call it."""

    kind: str
    noun: str
    reference: str


def read_question(text: str, kinds: Kinds) -> set[Reading]:
    """Every way to read a text, more than one if it is ambiguous. Raises UnreadableError.

    `kinds` are nouns that are narrower than an infobox, with the infoboxes that they may mean.
    """
    *statements, request = _SENTENCE_END.split(text)
    if not statements or not request.endswith("?"):
        raise UnreadableError("no sentences that end in a question")
    states: list[tuple[_Entity, tuple[Step, ...], str]] = [
        (entity, (), entity.kind) for entity in _anchors(statements[0])
    ]
    for statement in statements:
        states = [
            (entity, (*steps, step), anchor)
            for before, steps, anchor in states
            for step, entity in _statement(_lower(statement), before, kinds)
        ]
        if not states:
            raise UnreadableError(f"no pattern reads: {statement}")
    found = {
        Reading(anchor, steps, ask)
        for entity, steps, anchor in states
        for ask in _request(_lower(request[:-1]), entity)
    }
    if not found:
        raise UnreadableError(f"no pattern reads: {request}")
    return found


@lru_cache
def _rows(table: str) -> tuple[_Row, ...]:
    found = []
    for line in table.strip().splitlines():
        kinds, *cells, pattern = line.split(" | ")
        for slot, meaning in _SLOTS.items():
            pattern = pattern.replace(slot, meaning)
        found.append(_Row(frozenset(kinds.split(", ")), tuple(cells), re.compile(pattern)))
    return tuple(found)


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _anchors(statement: str) -> Iterator[_Entity]:
    for row in _rows(ANCHORS):
        phrase = row.pattern.search(_lower(statement))
        for kind in row.kinds if phrase else ():
            noun = next(noun for noun, other in NOUNS.items() if other == kind)
            yield _Entity(kind, noun, phrase.group() if phrase else "")


def _statement(statement: str, before: _Entity, kinds: Kinds) -> Iterator[tuple[Step, _Entity]]:
    statement = statement.replace(before.reference, "@", 1)
    for row in _rows(RELATIONS):
        relation, direction = row.cells
        inverse = direction == "<"
        found = row.pattern.fullmatch(statement)
        if found is None or not (inverse or row.kinds & {before.kind, _EVERY_KIND}):
            continue
        for entity, conditions in _described(found.group("next"), before.noun, kinds):
            if not inverse or entity.kind in row.kinds:
                yield Step(relation, inverse, frozenset(conditions)), entity


def _described(
    phrase: str, last_noun: str, kinds: Kinds
) -> Iterator[tuple[_Entity, list[Condition]]]:
    """The entities that "a river that is … and whose …" may describe."""
    start = _DETERMINER.match(phrase)
    if start is None:
        return
    rest = phrase[start.end() :]
    for noun in sorted({*NOUNS, *kinds}):
        tail = rest.removeprefix(noun)
        if tail == rest or (tail and not tail.startswith(" ")):
            continue
        # Two of a kind in a row have to be told apart.
        again = noun == last_noun
        if (start.group(1) == "another") != again:
            continue
        reference = f"that other {noun}" if again else f"that {noun}"
        for kind, said in _meanings(noun, kinds):
            conditions = _conditions(tail.strip(), kind)
            if conditions is not None:
                yield _Entity(kind, noun, reference), [*said, *conditions]


def _meanings(noun: str, kinds: Kinds) -> Iterator[tuple[str, tuple[Condition, ...]]]:
    if noun in NOUNS:
        yield NOUNS[noun], (Condition("infobox", NOUNS[noun]),)
        return
    for kind in sorted(kinds[noun]):
        yield kind, (Condition("infobox", kind), Condition("kind", noun))


def _conditions(text: str, kind: str) -> list[Condition] | None:
    """The conditions of "that … and whose …"; None if one of them cannot be read."""
    if not text:
        return []
    found = [_read_part(part, kind) for part in _NEXT_CONDITION.split(text)]
    return [condition for part in found for condition in part] if all(found) else None


def _read_part(text: str, kind: str) -> list[Condition]:
    """One condition, or each thing that a picture shows; none if the part cannot be read."""
    for row in _rows(CONDITIONS):
        found = row.pattern.fullmatch(text) if kind in row.kinds else None
        if found is not None:
            (attribute,) = row.cells
            said = found.groupdict()
            if "looks" in said:
                return [Condition(attribute, value=look) for look in _listed(said["looks"])]
            if "value" in said:
                return [Condition(attribute, value=said["value"])]
            low, high = _number(said["low"]), _number(said["high"])
            return [Condition(attribute, low=low, high=high, unit=unit_of(attribute))]
    return []


def _listed(looks: str) -> list[str]:
    """The members of "A", "A and B", "A, B and C"; but for the last, one may hold an "and"."""
    before, joined, last = looks.rpartition(" and ")
    return [*before.split(", "), last] if joined else [last]


def _number(text: str) -> float:
    bare = text.removesuffix(" BC")
    size = float(bare.replace(",", ""))
    return size if bare == text else -size


def _request(request: str, entity: _Entity) -> Iterator[str]:
    request = request.replace(entity.reference, "@", 1)
    for row in _rows(REQUESTS):
        if entity.kind in row.kinds and row.pattern.fullmatch(request):
            yield row.cells[0]
