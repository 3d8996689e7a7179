"""Constraints solved over the facts of a world, as sets of articles.

An infobox that says nothing about a condition leaves it open, so its article may meet it. A
relation is read from both ends: a painting is by a painter if its infobox or his says so.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.checker.looks import shows
from tests.checker.words import tokens
from tests.checker.world import Article, Value, World, unit_of

Relation = tuple[str, bool]

LINKED = "linked"
"""The relation of a hop that does not say how the two have to do with each other."""

PICTURE = "picture"
"""The attribute of a condition on what the article's picture shows."""

_MAKERS = ("creator", "architect", "author", "composer", "inventor", "described_by")
SAYS_TOO: dict[str, tuple[Relation, ...]] = {
    "mouth": (("tributary_of", False),),
    "tributary_of": (("mouth", False),),
    "countries": (("source_country", False), ("highest_point", True)),
    "country": (("capital", True),),
    "range": (("highest_peak", True),),
    "borders": (("borders", True),),
    "location": (("houses", True),),
    "houses": (("location", True),),
    "notable_works": tuple((maker, True) for maker in _MAKERS),
    **dict.fromkeys(_MAKERS, (("notable_works", True),)),
}
"""What else states a relation, as (attribute, whether from the other end)."""

PLACES = frozenset(
    "birth_place death_place setting premiere_place location native_to country".split()
)
"""Relations to a place that hold for every larger place around it."""


class MalformedError(Exception):
    """Constraints that are not of the declared form; the message says how."""


class UnsolvedError(Exception):
    """Constraints that do not lead to one answer; the message says where they fail."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on an article: a value, or a range whose open end is None."""

    attribute: str
    value: str | None = None
    low: float | None = None
    high: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """From one article to the next. Not inverse: the fact stands with the first of the two."""

    relation: str
    inverse: bool
    conditions: frozenset[Condition]


@dataclass(frozen=True, slots=True)
class Riddle:
    """What a row's constraints say."""

    picture: str
    steps: tuple[Step, ...]
    ask: str


@dataclass(frozen=True, slots=True)
class Solution:
    """The one way from the picture to the answer; `values` has one member."""

    path: tuple[str, ...]
    value: Value


def read_riddle(text: str) -> Riddle:
    """Constraints from their JSON. Raises MalformedError."""
    try:
        data = json.loads(text)
        if set(data) != {"anchor", "hops", "ask"} or set(data["anchor"]) != {"image"}:
            raise MalformedError("constraints have other keys than anchor.image, hops and ask")
        steps = tuple(_step(hop) for hop in data["hops"])
        riddle = Riddle(data["anchor"]["image"], steps, data["ask"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise MalformedError(f"constraints cannot be read: {error!r}") from error
    if not steps or not isinstance(riddle.picture, str) or not isinstance(riddle.ask, str):
        raise MalformedError("constraints lack hops, a picture or an asked attribute")
    return riddle


def _step(hop: dict[str, Any]) -> Step:
    if set(hop) != {"relation", "inverse", "constraints"} or not isinstance(hop["inverse"], bool):
        raise MalformedError(f"a hop has other keys than expected: {sorted(hop)}")
    return Step(hop["relation"], hop["inverse"], frozenset(map(_condition, hop["constraints"])))


_FIELDS = {"is": {"value"}, "shows": {"value"}, "between": {"low", "high", "unit"}}


def _condition(data: dict[str, Any]) -> Condition:
    allowed = _FIELDS.get(data["op"])
    if allowed is None or not set(data) - {"attribute", "op"} <= allowed:
        raise MalformedError(f"a condition is neither a value, a range nor a look: {data}")
    if (data["attribute"] == PICTURE) != (data["op"] == "shows"):
        raise MalformedError(f"a condition is of a picture by half: {data}")
    condition = Condition(
        data["attribute"], data.get("value"), data.get("low"), data.get("high"), data.get("unit")
    )
    if data["op"] != "between" and not isinstance(condition.value, str):
        raise MalformedError(f"a condition has no value: {data}")
    if data["op"] == "between":
        if condition.low is None and condition.high is None:
            raise MalformedError(f"a range has no bound: {data}")
        if condition.unit != unit_of(condition.attribute):
            raise MalformedError(f"{condition.attribute} is not measured in {condition.unit}")
    return condition


def meets(article: Article, condition: Condition) -> bool | None:
    """Whether an article meets a condition; None where its infobox or picture leaves it open."""
    if condition.attribute == "infobox":
        return None if article.kind is None else article.kind == condition.value
    if condition.attribute == PICTURE:
        return shows(article.look.facts, condition.value or "")
    values = article.facts.get(condition.attribute, ())
    if condition.value is not None:
        wanted = tokens(condition.value)
        said = [form for value in values for form in (value.text, value.page) if form is not None]
        return None if not said else any(tokens(form) == wanted for form in said)
    numbers = [value.number for value in values if value.number is not None]
    if not numbers:
        return None
    low = float("-inf") if condition.low is None else condition.low
    high = float("inf") if condition.high is None else condition.high
    return any(low <= number <= high for number in numbers)


def related(world: World, title: str, relation: str, inverse: bool) -> set[str]:
    """The articles at the other end of a relation, whichever of the two says so."""
    if relation == LINKED:
        return world.linked.get(title, set())
    found: set[str] = set()
    for attribute, turned in ((relation, False), *SAYS_TOO.get(relation, ())):
        if inverse == turned:
            found |= world.pages(title, attribute)
        else:
            found |= world.holders.get((attribute, title), set())
    return found - {title}


def placed(world: World, title: str, step: Step) -> set[str]:
    """The articles for which a relation to a place holds because one place lies in another.

    What is set in a city is set in its country, whether or not the infobox says so.
    """
    if step.relation not in PLACES:
        return set()
    if step.inverse:
        inside = {other for other in world.articles if title in world.around(other)}
        return {
            other for place in inside for other in world.holders.get((step.relation, place), ())
        }
    return {place for value in world.pages(title, step.relation) for place in world.around(value)}


def candidates(world: World, title: str, step: Step) -> set[str]:
    """Every article that stands in the relation and meets, or may meet, every condition.

    Relations that follow from where places lie count only with conditions that are surely met.
    """
    direct = related(world, title, step.relation, step.inverse)
    found = {other for other in direct if fits(world, other, step.conditions, None)}
    for other in placed(world, title, step) - {title}:
        if fits(world, other, step.conditions):
            found.add(other)
    return found


def fits(world: World, title: str, conditions: Iterable[Condition], *also: bool | None) -> bool:
    """Whether the article surely meets every condition; with None, whether it may meet them."""
    allowed = (True, *also)
    return all(meets(world.articles[title], each) in allowed for each in conditions)


def solve(world: World, riddle: Riddle) -> Solution:
    """The way and the answer. Raises UnsolvedError where none or several things fit."""
    found: Iterable[str] = world.pictured.get(riddle.picture, [])
    path = [_only(found, "articles have the picture")]
    for number, step in enumerate(riddle.steps, start=1):
        fitting = candidates(world, path[-1], step)
        path.append(_only(fitting, f"articles fit hop {number} ({step.relation}) from {path[-1]}"))
    values = world.articles[path[-1]].facts.get(riddle.ask, ())
    if len(values) != 1:
        raise UnsolvedError(f"{len(values)} values of {riddle.ask} at {path[-1]}, not one")
    return Solution(tuple(path), values[0])


def _only(found: Iterable[str], what: str) -> str:
    titles = sorted(found)
    if len(titles) != 1:
        raise UnsolvedError(f"{len(titles)} {what}, not one: {', '.join(titles[:5])}")
    return titles[0]
