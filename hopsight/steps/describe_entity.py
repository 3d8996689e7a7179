"""Describe an entity by its facts, without a name that would give it away."""

import math
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from hopsight.reference.generator import BOOK
from hopsight.reference.generator.book import choose
from hopsight.reference.generator.numbers import written
from hopsight.steps.step import Step
from hopsight.steps.text import (
    holds,
    leaked,
    line,
    listed,
    numbered,
    numbers,
    ranges,
    wrong_numbers,
)
from hopsight.types import Fact, Part

MAX_TEXT: Final = 600
_DECADE: Final = 10.0


class EntityFacts(Part):
    """An entity: the kind of its infobox ("person"), its facts, and the names to avoid.

    `use` is how many of the facts the description states.
    """

    kind: str
    facts: tuple[Fact, ...] = Field(min_length=1, max_length=60)
    avoid: tuple[str, ...]
    use: int = Field(ge=1, le=8)


class Description(Part):
    """A noun phrase that describes the entity, and the numbers (from 1) of the facts it states."""

    text: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=1, max_length=MAX_TEXT
    )
    used: tuple[int, ...] = Field(max_length=8)


def _fill(entity: EntityFacts) -> dict[str, str]:
    return {
        "kind": line(entity.kind),
        "facts": numbered(fact_line(fact) for fact in entity.facts),
        "avoid": listed(entity.avoid),
        "use": str(entity.use),
    }


def fact_line(fact: Fact) -> str:
    """A fact as a prompt shows it: attribute and value."""
    unit = "" if fact.unit in {None, "year"} or not fact.value.isdigit() else f" {fact.unit}"
    return f"{fact.attribute.replace('_', ' ')}: {fact.value}{unit}"


def check(entity: EntityFacts, described: Description) -> str | None:
    """No name, the wanted number of facts, each of them stated, and no number from elsewhere.

    A number may be told by two numbers that hold it between them. Whether the words are true is
    for other steps.
    """
    names = leaked(described.text, entity.avoid)
    if names:
        return f"the description gives away the name {names[0]!r}"
    wrong = wrong_numbers(described.used, len(entity.facts))
    if wrong:
        return f"used: {wrong}"
    if len(described.used) != entity.use:
        return f"{len(described.used)} facts are used, {entity.use} are wanted"
    used = [entity.facts[number - 1] for number in described.used]
    unsaid = next((fact for fact in used if not _says(described.text, fact)), None)
    if unsaid is not None:
        return f"the description does not state {fact_line(unsaid)!r}"
    return _foreign_number(described.text, used)


def _says(text: str, fact: Fact) -> bool:
    if fact.number is None:
        return holds(text, fact.value)
    return _is_told(text, abs(fact.number))


def _is_told(text: str, size: float) -> bool:
    return size in numbers(text) or any(low <= size <= high for low, high in ranges(text))


def _foreign_number(text: str, used: list[Fact]) -> str | None:
    sizes = [abs(fact.number) for fact in used if fact.number is not None]
    allowed = {*sizes, *(number for fact in used for number in numbers(fact.value))}
    for low, high in ranges(text):
        if any(low <= size <= high for size in sizes):
            allowed |= {low, high}
    foreign = next((number for number in numbers(text) if number not in allowed), None)
    return None if foreign is None else f"no fact used says {foreign:g}"


def reference(entity: EntityFacts) -> Description:
    """The first facts that the generator's phrasebook can say; numbers become ranges."""
    phrases: dict[int, str] = {}
    for number, fact in enumerate(entity.facts, start=1):
        phrase = _phrase(entity.kind, fact)
        if phrase and len(phrases) < entity.use and not leaked(phrase, entity.avoid):
            phrases[number] = phrase
    noun = BOOK.nouns.get(entity.kind, "thing")
    article = "an" if noun[0] in "aeio" else "a"
    text = " ".join([article, noun, " and ".join(phrases.values())]).strip()
    return Description(text=text[:MAX_TEXT], used=tuple(phrases))


def _phrase(kind: str, fact: Fact) -> str | None:
    key = (kind, fact.attribute)
    if fact.number is not None and key in BOOK.ranges:
        low, high = _around(fact.number, fact.unit)
        template = choose(BOOK.ranges[key], fact.attribute, fact.value)
        return template.format(low=written(low, fact.unit), high=written(high, fact.unit))
    if fact.number is None and key in BOOK.categories:
        return choose(BOOK.categories[key], fact.attribute, fact.value).format(value=fact.value)
    return None


def _around(number: float, unit: str | None) -> tuple[float, float]:
    """Round bounds: a year's decade, else one step of the number's first digit."""
    size = max(1.0, abs(number))
    step = _DECADE if unit == "year" else 10.0 ** math.floor(math.log10(size))
    low = math.floor(number / step) * step
    return low, low + step


DESCRIBE_ENTITY: Final = Step(
    name="describe_entity",
    role="generator",
    input=EntityFacts,
    output=Description,
    fill=_fill,
    check=check,
    reference=reference,
)
