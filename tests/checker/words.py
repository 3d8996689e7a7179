"""Texts made comparable: case, accents, thousands separators and punctuation do not count."""

import re
import unicodedata
from functools import lru_cache

_THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_MINUS = re.compile(r"(?<![\w])[\u2010-\u2015\u2212-](?=\d)")
_TOKEN = re.compile(r"(?<!\w)[+.\u2212](?=\w)\w+|\d+\.\d+|\w+")
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")


@lru_cache(maxsize=100_000)
def tokens(text: str) -> tuple[str, ...]:
    """The words and numbers of a text. "12,500" is one token; so are "+33", ".fr" and "−331"."""
    text = _MINUS.sub("\u2212", _THOUSANDS.sub("", text))
    text = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(char for char in text if not unicodedata.combining(char))
    return tuple(_TOKEN.findall(bare.translate(_PLAIN)))


def same(one: str, other: str) -> bool:
    """Whether two texts say the same words and numbers."""
    return tokens(one) == tokens(other)


def contains(text: str, name: str) -> bool:
    """Whether the words of `name` stand in `text` one after the other."""
    wanted, given = tokens(name), tokens(text)
    size = len(wanted)
    return size > 0 and any(
        given[start : start + size] == wanted for start in range(len(given) - size + 1)
    )


def bare(title: str) -> str:
    """A title without the parenthesis that tells it from namesakes."""
    return _PARENTHESIS.sub("", title) or title
