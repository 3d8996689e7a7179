"""Numbers with bounds in running text: "between 200 and 300 km", "before 1900", "over 2 m"."""

import re
from dataclasses import dataclass

from hopsight.reference.agents.lexicon import concepts

NUMBER = re.compile(r"(?<![\w.,])[−-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.,])[−-]?\d+(?:\.\d+)?")
ABOVE = re.compile(
    r"\b(more than|over|above|at least|exceed\w*|longer than|larger than|taller than|higher than|"
    r"deeper than|heavier than|greater than|bigger than|after|since|later than|not before|"
    r"no earlier than|no less than|from|upwards of)\b"
)
BELOW = re.compile(
    r"\b(less than|under|below|at most|shorter than|smaller than|lower than|before|until|by|"
    r"earlier than|no later than|not after|no more than|up to|lighter than|fewer than|to)\b"
)
PAIR = re.compile(r"^\s*(?:[a-z²³]+\s+)?(?:and|to|–|-|or)\s*$")
UNIT = re.compile(
    r"^\s*(km²|km2|square kilomet|sq km|kilomet|km|metre|meter|m\b|kilogram|kg|centimet|cm)"
)
UNITS = {"square kilomet": "km2", "sq km": "km2", "km²": "km2", "kilomet": "km", "metre": "m"} | {
    "meter": "m",
    "kilogram": "kg",
    "centimet": "cm",
}
NAMED_UNIT = re.compile(rf"\b({'|'.join(UNITS)})")
REACH = 28
"""Characters before a number in which its bound may stand."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A bounded number, its unit if one follows, the ideas around it, and where it stands."""

    low: float | None
    high: float | None
    unit: str | None
    concepts: frozenset[str]
    start: int
    end: int

    def admits(self, number: float) -> bool:
        """Whether a number lies within the bounds, ends included."""
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )


def number_of(text: str) -> float | None:
    """The first number in a text, thousands separators read."""
    match = NUMBER.search(text)
    return None if match is None else _value(match.group())


def read_measures(text: str) -> tuple[Measure, ...]:
    """Every bounded number of a text, from left to right."""
    matches = list(NUMBER.finditer(text))
    found: list[Measure] = []
    position = 0
    while position < len(matches):
        match = matches[position]
        following = matches[position + 1] if position + 1 < len(matches) else None
        around = text[max(0, match.start() - 60) : match.end() + 40]
        if following and PAIR.match(text[match.end() : following.start()].casefold()):
            low, high = sorted((_value(match.group()), _value(following.group())))
            unit = unit_after(text[following.end() :])
            place = match.start(), following.end()
            found.append(Measure(low, high, unit, concepts(around), *place))
            position += 2
            continue
        bounds = _bounds(text[max(0, match.start() - REACH) : match.start()].casefold())
        if bounds is not None:
            value = _value(match.group())
            low_bound = value if bounds == "above" else None
            high_bound = value if bounds == "below" else None
            unit = unit_after(text[match.end() :])
            place = match.start(), match.end()
            found.append(Measure(low_bound, high_bound, unit, concepts(around), *place))
        position += 1
    return tuple(found)


def unit_after(text: str) -> str | None:
    """The unit that a text begins with: km, km2, m, kg or cm."""
    match = UNIT.match(text.casefold())
    return None if match is None else UNITS.get(match.group(1), match.group(1))


def unit_named(text: str) -> str | None:
    """The unit that a text asks for in words: "in square kilometres"."""
    match = NAMED_UNIT.search(text.casefold())
    return None if match is None else UNITS[match.group(1)]


def _bounds(before: str) -> str | None:
    above = [match.end() for match in ABOVE.finditer(before)]
    below = [match.end() for match in BELOW.finditer(before)]
    if not above and not below:
        return None
    return "above" if max(above, default=-1) > max(below, default=-1) else "below"


def _value(digits: str) -> float:
    return float(digits.replace(",", "").replace("−", "-"))
