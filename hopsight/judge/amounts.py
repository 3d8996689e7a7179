"""Numbers with a unit, and dates: the ways of writing one value that need no judgment.

Units are never converted and nothing is rounded: what would need either is left to a model.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from hopsight.judge.normal import normalise

_UNIT_NAMES: Final = MappingProxyType(
    {
        "km2": "square kilometres,square kilometers,square kilometre,square kilometer,sq km",
        "m2": "square metres,square meters,square metre,square meter,sq m",
        "km": "kilometres,kilometers,kilometre,kilometer",
        "cm": "centimetres,centimeters,centimetre,centimeter",
        "mm": "millimetres,millimeters,millimetre,millimeter",
        "m": "metres,meters,metre,meter",
        "kg": "kilograms,kilogrammes,kilogram,kilogramme",
        "g": "grams,grammes,gram,gramme",
        "t": "tonnes,tonne",
        "ft": "feet,foot",
        "mi": "miles,mile",
        "MW": "megawatts,megawatt",
        "kW": "kilowatts,kilowatt",
        "°C": "degrees celsius",
        "°F": "degrees fahrenheit",
        "%": "percent,per cent",
        "$": "dollars,dollar",
        "€": "euros,euro",
    }
)
_BY_NAME: Final = MappingProxyType(
    {name: unit for unit, names in _UNIT_NAMES.items() for name in names.split(",")}
)
_SMALL: Final = MappingProxyType(
    {
        word: number
        for number, word in enumerate(
            "zero one two three four five six seven eight nine ten eleven twelve".split()
        )
    }
)
_ORDINALS: Final = MappingProxyType(
    {
        word: f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(number, 'th')}"
        for number, word in enumerate(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh "
            "twelfth".split(),
            start=1,
        )
    }
)
_MONTHS: Final = MappingProxyType(
    {
        name: number
        for number, names in enumerate(
            "january,jan february,feb march,mar april,apr may june,jun july,jul august,aug "
            "september,sep,sept october,oct november,nov december,dec".split(),
            start=1,
        )
        for name in names.split(",")
    }
)
_AMOUNT: Final = re.compile(
    r"(?P<sign>\u2212|minus )?(?P<currency>[$€])?"
    r"(?P<number>\d{1,18}(?:\.\d{1,12})?|[a-z]{3,6})(?P<times> (?:thousand|million))?"
    r"(?: ?(?P<unit>\D{1,30}))?"
)
_DATES: Final = (
    re.compile(r"(?P<day>\d{1,2})(?:st|nd|rd|th)? (?P<name>[a-z]{3,9}),? (?P<year>\d{4})"),
    re.compile(r"(?P<name>[a-z]{3,9}) (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})"),
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"),
)
_TIMES: Final = MappingProxyType({" thousand": 10**3, " million": 10**6})


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and its unit ("" for none)."""

    number: Decimal
    unit: str


def amount(text: str) -> Amount | None:
    """The amount that the whole of `text` is, or None.

    Without a unit, "2.50" is none: it may be a version or a section, where 2.50 is not 2.5.
    """
    match = _AMOUNT.fullmatch(normalise(text))
    if match is None:
        return None
    number = _number(match["number"])
    unit = _unit(match["currency"], (match["unit"] or "").strip())
    if number is None or unit is None:
        return None
    number *= _TIMES.get(match["times"] or "", 1)
    is_signed_zero = bool(match["sign"]) and number == 0
    if is_signed_zero or (unit == "" and number != number.to_integral_value()):
        return None
    return Amount(-number if match["sign"] else number, unit)


def ordinal(text: str) -> str | None:
    """ "3rd" for "third" and "3rd"; None for anything but an ordinal up to the twelfth."""
    folded = normalise(text).lower()
    return _ORDINALS.get(folded, folded if folded in _ORDINALS.values() else None)


def date(text: str) -> tuple[int, int, int] | None:
    """Year, month and day, where the way of writing leaves no doubt which is which."""
    folded = normalise(text).lower()
    match = next((found for form in _DATES if (found := form.fullmatch(folded))), None)
    if match is None:
        return None
    parts = match.groupdict()
    month = int(parts["month"]) if parts.get("month") else _MONTHS.get(parts.get("name") or "", 0)
    day = int(parts["day"])
    return (int(parts["year"]), month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _number(text: str) -> Decimal | None:
    if text[0].isdigit():
        return None if re.match(r"0\d", text) else Decimal(text)
    return Decimal(_SMALL[text]) if text in _SMALL else None


def _unit(currency: str | None, written: str) -> str | None:
    """The unit; None where what follows the number is no unit that is known."""
    if currency:
        return currency if not written else None
    return written if written in {"", *_UNIT_NAMES} else _BY_NAME.get(written.lower())
