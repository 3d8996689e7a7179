"""The few templates that stand for words or dates, read by name; every other one is no text."""

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
     "bulleted list", "ublist", "cslist", "comma separated entries"}
)  # fmt: skip


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
    if name.startswith(("birth date", "death date", "start date", "end date", "film date")):
        return _date(arguments(template))
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
    return " ".join(values[:2]) if len(values) > 1 else None


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


_READERS: Final = MappingProxyType(
    {
        "convert": _convert,
        "cvt": _convert,
        "lang": _at(1),
        "transliteration": _at(1),
        "transl": _at(1),
        "nowrap": _at(0),
        "nobr": _at(0),
        "small": _at(0),
        "abbr": _at(0),
        "flag": _at(0),
        "flagcountry": _at(0),
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
