"""The templates that stand for words, dates or lists, read by name; any other one is no text."""

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from mwparserfromhell.nodes import Template

_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

LIST_TEMPLATES: Final = frozenset(
    {"ubl", "unbulleted list", "plainlist", "plain list", "hlist", "flatlist", "flat list",
     "bulleted list", "ublist", "cslist", "comma separated entries", "vunblist", "vunbl",
     "ordered list", "collapsible list", "br separated entries", "unbullet", "hlist-comma"}
)  # fmt: skip
SEPARATORS: Final = frozenset({"•", "·", "dot", "bull", "bullet", "middot", "•w", "·w", "pipe"})
"""Templates that stand between the members of a list."""

WRAPPERS: Final = MappingProxyType(
    {
        "nowrap": 0, "nobr": 0, "no wrap": 0, "small": 0, "smaller": 0, "big": 0, "nobold": 0,
        "nobreak": 0, "longitem": -1, "center": 0, "nw": 0, "marriage": 0, "based on": 0,
        "lang": 1, "native name": 1, "abbr": 0, "tooltip": 0, "sort": 1,
    }
)  # fmt: skip
"""Templates around a value, with the number of the unnamed argument that holds it."""

FLAGS: Final = frozenset({"flag", "flagcountry", "flagu", "flaglist", "country flag"})
"""Templates that show a flag and link to the page of their argument."""


def template_name(template: Template) -> str:
    """The name in lower case with single spaces."""
    return " ".join(str(template.name).replace("_", " ").split()).lower()


def arguments(template: Template) -> list[str]:
    """The values of the unnamed arguments, stripped, as plain words."""
    return [
        str(parameter.value.strip_code()).strip()
        for parameter in template.params
        if not parameter.showkey
    ]


def inline_text(template: Template) -> str | None:
    """The words that a template stands for in running text, or None if it stands for none."""
    name = template_name(template)
    reader = _READERS.get(name)
    if reader is not None:
        return reader(arguments(template))
    if name in _NAMED:
        return _NAMED[name](template)
    if _DATES.match(name):
        return _date(arguments(template))
    if name in _MONEY:
        values = arguments(template)
        return _MONEY[name] + values[0] if values else None
    if name.startswith("lang-"):
        return _at(0)(arguments(template))
    return None


def _at(index: int) -> Callable[[list[str]], str | None]:
    def read(values: list[str]) -> str | None:
        return values[index] if len(values) > index else None

    return read


def _always(text: str) -> Callable[[list[str]], str | None]:
    return lambda _: text


def _convert(values: list[str]) -> str | None:
    """`2850|km` → "2850 km", `30|–|35|km` → "30–35 km", `6|ft|4|in|m` → "6 ft 4 in"."""
    if len(values) < 2:
        return None
    first, second, *rest = values
    if second.lower() in _RANGES and len(rest) > 1:
        return f"{first}{_RANGES[second.lower()]}{rest[0]} {rest[1]}"
    if (second, *rest[1:2]) in _COMPOUND and _AMOUNT.fullmatch(rest[0]):
        return f"{first} {second} {rest[0]} {rest[1]}"
    return f"{first} {second}"


def _height(template: Template) -> str | None:
    """`ft=6|in=2` → "6 ft 2 in", `m=1.96` → "1.96 m"."""
    parts = (f"{_named(template, unit)} {unit}" for unit in ("ft", "in", "m", "cm")
             if _named(template, unit))  # fmt: skip
    return " ".join(parts) or None


def _duration(template: Template) -> str | None:
    """`m=47|s=03` → "47:03"."""
    values = [*arguments(template), "", "", ""]
    hours, minutes, seconds = (
        _named(template, key) or values[at] for at, key in enumerate(("h", "m", "s"))
    )
    parts = [part for part in (hours, minutes or "0", seconds.rjust(2, "0")) if part]
    return ":".join(parts) if minutes or seconds else None


def _as_of(values: list[str]) -> str | None:
    date = _date(values)
    return None if date is None else "as of " + date


def _named(template: Template, key: str) -> str:
    if not template.has(key, ignore_empty=True):
        return ""
    return str(template.get(key).value.strip_code()).strip()


def _date(values: list[str]) -> str | None:
    parts = [value for value in values[:3] if value.isdecimal()]
    if not parts:
        return values[0] if values else None
    year, *rest = parts
    if not rest or not 1 <= int(rest[0]) <= len(_MONTHS):
        return year
    month = _MONTHS[int(rest[0]) - 1]
    return f"{int(rest[1])} {month} {year}" if len(rest) > 1 else f"{month} {year}"


def _circa(values: list[str]) -> str | None:
    return "c. " + values[0] if values else "c."


def _number(values: list[str]) -> str | None:
    return re.sub(r"[^\d.−-]", "", values[0]) if values else None


_AMOUNT: Final = re.compile(r"[\d.,/]+")
_COMPOUND: Final = frozenset({("ft", "in"), ("lb", "oz"), ("st", "lb"), ("mi", "yd")})
_RANGES: Final = MappingProxyType(
    {"–": "–", "-": "–", "to": " to ", "and": " and ", "or": " or ", "x": " × ", "by": " by "}
)
_DATES: Final = re.compile(
    r"(?:birth|death|start|end|film|release|launch|opening|disestablished)[ -](?:date|year)"
)
_MONEY: Final = MappingProxyType(
    {"us$": "US$", "usd": "US$", "gbp": "£", "£": "£", "€": "€", "euro": "€", "eur": "€",
     "inr": "₹", "jpy": "¥", "¥": "¥", "cny": "¥", "a$": "A$", "c$": "C$", "aud": "A$"}
)  # fmt: skip
_NAMED: Final = MappingProxyType({"height": _height, "duration": _duration})

_READERS: Final = MappingProxyType(
    {
        "convert": _convert,
        "cvt": _convert,
        "lang": _at(1),
        "transliteration": _at(1),
        "transl": _at(1),
        "nowrap": _at(0),
        "nobr": _at(0),
        "as of": _as_of,
        "small": _at(0),
        "abbr": _at(0),
        "flag": _at(0),
        "flagcountry": _at(0),
        "flagu": _at(0),
        "circa": _circa,
        "c.": _circa,
        "formatnum": _number,
        "val": _number,
        "nbsp": _always(" "),
        "snd": _always(" – "),
        "spaced ndash": _always(" – "),
        "spnd": _always(" – "),
        "ndash": _always("–"),
        "endash": _always("–"),
        "mdash": _always("—"),
        "emdash": _always("—"),
        "'": _always("'"),
        "'s": _always("'s"),
    }
)
