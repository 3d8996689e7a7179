"""Numbers in infobox values and how the same number may be written in prose."""

import re
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

_UNITS: Final = MappingProxyType(
    {
        "km2": ("km2", "km²", "km 2", "sq km", "square kilometres", "square kilometers"),
        "m2": ("m2", "m²", "square metres", "square meters"),
        "km": ("km", "kilometres", "kilometers", "kilometre", "kilometer"),
        "cm": ("cm", "centimetres", "centimeters", "centimetre", "centimeter"),
        "mm": ("mm", "millimetres", "millimeters"),
        "m": ("m", "metres", "meters", "metre", "meter"),
        "kg": ("kg", "kilograms", "kilogrammes", "kilogram"),
        "t": ("t", "tonnes", "tons"),
        "g": ("g", "grams", "grammes"),
        "ft": ("ft", "feet"),
        "degree": ("°", "degrees"),
        "mi": ("mi", "miles", "mile"),
    }
)  # fmt: skip
"""Each unit with the ways of writing it."""

_BY_WORD: Final = MappingProxyType({word: unit for unit, words in _UNITS.items() for word in words})
_YEAR_ATTRIBUTE: Final = re.compile(
    r"(?:^|_)(?:year|date|founded|established|started|start|begun|completed|completion|opened"
    r"|opening|inaugurated|built|born|died|published|premiere|release|released|formed|first_ascent"
    r"|invented|discovered|introduced|launched|pub|inception)(?:_|$)"
)
_YEAR: Final = re.compile(r"(?<![\d.,])(\d{3,4})(?![\d.,]*\d)(\s*(?:BC|BCE|v\. Chr\.))?")
_SHORT_YEAR: Final = re.compile(r"(-?\d{1,4})(\s*(?:BC|BCE|AD|CE))?\Z")
_NUMBER: Final = re.compile(
    r"(?P<sign>[-−–]?)(?P<digits>\d{1,3}(?:[,\u00a0\u202f ]\d{3})+|\d+)(?P<rest>\.\d+)?"
)
_RATIO: Final = re.compile(r"density|_per_|_sq_")
"""Parameters whose last part is not the unit of the whole."""

_COORDINATE: Final = frozenset({"latitude", "longitude", "lat", "lon", "long"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit; years have the unit "year" and are negative before our era."""

    number: float
    unit: str


def quantity(attribute: str, value: str) -> Quantity | None:
    """The quantity that a value is, or None if it is words, a code, or a bare count.

    The unit comes from the value's own words, else from the parameter's suffix (`length_km`).
    """
    text = value.strip()
    suffix = attribute.rsplit("_", 1)[-1] if "_" in attribute else ""
    match = _NUMBER.match(text)
    if match:
        number = _float(match)
        unit = _unit(text[match.end() :])
        if unit:
            return Quantity(number, unit)
        if match.end() == len(text):
            if suffix in _UNITS and not _RATIO.search(attribute):
                return Quantity(number, suffix)
            if attribute in _COORDINATE:
                return Quantity(number, "degree")
    return _year(attribute, text)


def _float(match: re.Match[str]) -> float:
    digits = re.sub(r"\D", "", match.group("digits"))
    number = float(digits + (match.group("rest") or ""))
    return -number if match.group("sign") else number


def _unit(rest: str) -> str | None:
    words = rest.strip().lower()
    for word in sorted(_BY_WORD, key=lambda word: (-len(word), word)):
        if words.startswith(word) and not words[len(word) : len(word) + 1].isalnum():
            return _BY_WORD[word]
    return None


def _year(attribute: str, text: str) -> Quantity | None:
    if not _YEAR_ATTRIBUTE.search(attribute):
        return None
    match = _SHORT_YEAR.match(text) or _YEAR.search(text)
    if match is None:
        return None
    year = float(match.group(1))
    before = (match.group(2) or "").strip()
    return Quantity(-year if before and before not in {"AD", "CE"} else year, "year")


@lru_cache(maxsize=4096)
def written_forms(number: float) -> tuple[str, ...]:
    """How prose may write the size of a number: 2850 → "2850", "2,850", "2 850"."""
    size = abs(number)
    plain = f"{size:.6f}".rstrip("0").rstrip(".")
    whole, _, decimals = plain.partition(".")
    grouped = f"{int(whole):,}"
    wholes = dict.fromkeys((whole, grouped, grouped.replace(",", " ")))
    tails = ("." + decimals, "." + decimals.ljust(2, "0")) if decimals else ("", ".0", ".00")
    return tuple(dict.fromkeys(head + tail for head in wholes for tail in tails))


def unit_words(unit: str) -> tuple[str, ...]:
    """The ways of writing a unit; none for years."""
    return _UNITS.get(unit, ())
