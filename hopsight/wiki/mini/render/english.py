"""Small English: numbers with units, lists, articles, genitives, and plain text from wikitext."""

import re
from collections.abc import Sequence

from hopsight.wiki.mini.render.schema import Cell

_UNITS = {Cell.KM: "km", Cell.KM2: "km²", Cell.METRES: "m", Cell.CM: "cm", Cell.KG: "kg"}
_VOWEL_SOUND = re.compile(
    r"(?!uni|use|usu|eu|one\b|uk\b|ura)[aeiou]|hour|honou?r|heir", re.IGNORECASE
)
_PLURAL = re.compile(r"(?<!serie)(?<![sui])s$")
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_REF = re.compile(r"<ref[^>]*>.*?</ref>|<ref[^>]*/>", re.DOTALL)
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")


def number(text: str) -> str:
    """Digits with thousands separators: `8848` to `8,848`; decimals are kept as written."""
    whole, dot, rest = text.lstrip("-").partition(".")
    sign = "-" if text.startswith("-") else ""
    return f"{sign}{int(whole):,}{dot}{rest}"


def year(text: str) -> str:
    """A year; negative ones are before Christ: `-753` to `753 BC`."""
    value = int(float(text))
    return f"{-value} BC" if value < 0 else str(value)


def shown(cell: Cell, text: str) -> str:
    """The readable form of a value, in the unit of its column."""
    if cell is Cell.YEAR:
        return year(text)
    if cell is Cell.LATITUDE:
        return f"{text.lstrip('-')}° {'S' if text.startswith('-') else 'N'}"
    if cell is Cell.LONGITUDE:
        return f"{text.lstrip('-')}° {'W' if text.startswith('-') else 'E'}"
    if cell in _UNITS:
        return f"{number(text)} {_UNITS[cell]}"
    return text


def join(parts: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def countable(phrase: str) -> str:
    """A phrase that may follow `a`: `concertos` to `set of concertos`, and music by the piece."""
    bare = plain(phrase)
    if _PLURAL.search(bare):
        return f"set of {phrase}"
    return f"piece of {phrase}" if bare.endswith(" music") else phrase


def with_a(phrase: str) -> str:
    """The phrase with `a` or `an` before it, judged by its plain text."""
    phrase = countable(phrase)
    return f"{'an' if _VOWEL_SOUND.match(plain(phrase)) else 'a'} {phrase}"


def genitive(name: str) -> str:
    """`Paris` to `Paris's`, `the Alps` (plural) is the caller's to avoid."""
    return f"{name}'s"


def upper_first(text: str) -> str:
    """Raise the first letter that a reader sees, inside link brackets, quotes of style or not."""
    match = re.match(r"('{2,5})?(\[\[(?:[^\[\]|]*\|)?)?('{2,5})?", text)
    at = match.end() if match else 0
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def plain(text: str) -> str:
    """What a reader sees: links become their anchors; notes, templates and quote marks go."""
    text = _REF.sub("", text)
    text = _TEMPLATE.sub("", text)
    text = _LINK.sub(r"\1", text)
    return re.sub(r"'{2,5}", "", text).strip()
