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
        "m3": ("m3", "m³", "cubic metres", "cubic meters"),
        "km3": ("km3", "km³", "cubic kilometres", "cubic kilometers"),
        "m3/s": ("m3/s", "m³/s", "cubic metres per second", "cubic meters per second"),
        "sqmi": ("sqmi", "sq mi", "square miles"),
        "acre": ("acre", "acres"),
        "ha": ("ha", "hectares", "hectare"),
        "minute": ("minutes", "minute", "min"),
    }
)  # fmt: skip
"""Each unit with the ways of writing it."""

_BY_WORD: Final = MappingProxyType({word: unit for unit, words in _UNITS.items() for word in words})
_YEAR_ATTRIBUTE: Final = re.compile(
    r"(?:^|_)(?:year|date|founded|established|started|start|begun|completed|completion|opened"
    r"|opening|inaugurated|built|born|died|published|premiere|release|released|formed|first_ascent"
    r"|invented|discovered|introduced|launched|pub|inception|end|begin|open|closed|coronation"
    r"|baptised|recorded|first_flight|introduction|laid_down|commissioned|decommissioned|dissolved"
    r"|demolished|abolished|disestablished|unveiled|consecrated|retired)(?:_|$|\d)"
)
_YEAR: Final = re.compile(r"(?<![\d.,])(\d{3,4})(?![\d.,]*\d)(\s*(?:BC|BCE|v\. Chr\.))?")
_SPAN: Final = re.compile(r"[–—]|\s-\s|\d\s*(?:to|until)\s")
"""What stands between the ends of a span of time: two years are no year."""

_MORE: Final = re.compile(r"\S+\s+\d")
"""After the first unit a second amount follows: 6 ft 2 in."""

_SHORT_YEAR: Final = re.compile(r"(-?\d{1,4})(\s*(?:BC|BCE|AD|CE))?\Z")
_NUMBER: Final = re.compile(
    r"(?P<sign>[-−–]?)(?P<digits>\d{1,3}(?:[,\u00a0\u202f ]\d{3})+|\d+)(?P<rest>\.\d+)?"
)
_AMOUNT: Final = re.compile(r"\d[\d.,]*\d")
_SWAPPED: Final = str.maketrans(".,", ",.")
_RATIO: Final = re.compile(r"density|_per_|_sq_")
"""Parameters whose last part is not the unit of the whole."""

_COORDINATE: Final = frozenset({"latitude", "longitude", "lat", "lon", "long"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit; years have the unit "year" and are negative before our era."""

    number: float
    unit: str


def quantity(attribute: str, value: str, *, decimal_comma: bool = False) -> Quantity | None:
    """The quantity that a value is, or None if it is words, a code, or a bare count.

    The unit comes from the value's own words, else from the parameter's suffix (`length_km`).
    `decimal_comma` reads 1.234,5 as 1234.5.
    """
    text = value.strip()
    if decimal_comma:
        text = _AMOUNT.sub(lambda match: match.group().translate(_SWAPPED), text)
    suffix = attribute.rsplit("_", 1)[-1] if "_" in attribute else ""
    match = _NUMBER.match(text)
    if match:
        number = _float(match)
        rest = text[match.end() :].strip()
        unit = None if _MORE.match(rest) else _unit(rest)
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
    dated = _YEAR_ATTRIBUTE.search(attribute) and not attribute.startswith(("num_", "number_"))
    if not dated or _SPAN.search(text):
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
