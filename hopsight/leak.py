"""Does a text give a name away? Names and texts are compared in one folded form."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from anyascii import anyascii

_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "ħ": "h",
    }
)
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")
_GROUPED = re.compile(r"(?<=\d)[,\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_SEPARATOR = re.compile(
    r"[\s_'`\u00b4\u2018-\u201f\"«»,;!?()\[\]{}·…]+"
    r"|(?<!\d)[\-/:]|[\-/:](?!\d)|\.(?!\d)"
)
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\x00-\x7f]+")
_SHORTEST_WRITTEN: Final = 4
"""Letters: a shorter name, written in another script, reads like too many ordinary words."""
_FUNCTION_WORDS = frozenset(
    (
        "a am an and are as at be by do go he if in is it me my no of on or so to up us was we who"
    ).split()
)


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """`folded`, remembered: names and short texts come again and again."""
    return folded(text)


def folded(text: str) -> str:
    """Text for comparison: NFKC, casefolded, no accents, words parted by one space.

    Thousands separators are dropped, so "1,381" and "1381" are one number and "381" is another.
    Symbols that tell names apart ("C++", "C#", "$5", a minus before a digit) stay.
    """
    text = _GROUPED.sub("", text)
    text = unicodedata.normalize("NFKC", text).casefold()
    decomposed = unicodedata.normalize("NFD", text)
    text = "".join(char for char in decomposed if not unicodedata.combining(char))
    text = _DASHES.sub("-", text.translate(_LETTERS))
    text = re.sub(r"(?<![\w])-(?=\d)", "\u2212", text)
    return " ".join(_SEPARATOR.sub(" ", text).split())


@lru_cache(maxsize=8192)
def latin(text: str) -> str:
    """`text` folded, with letters of other scripts written in Latin ones, character by character.

    Cyrillic, Greek, Kana and Hangul come out as they are commonly spelled; Han as it is read in
    Mandarin; Arabic and Hebrew without their vowels.
    """
    composed = unicodedata.normalize("NFKC", text)
    return folded(_OTHER_SCRIPT.sub(lambda run: anyascii(run[0]), composed))


def leaks(text: str, names: Iterable[str]) -> list[str]:
    """The names that stand in `text` as whole words, each once, in the order given.

    A name with a qualifier ("Georgia (country)") is also looked for without it. A name of one
    folded character cannot be told from an ordinary word and is skipped; one that reads like a
    function word ("WHO", "US") is looked for in its own case. One in another script than the text's
    is found where both are the same in Latin letters ("Нева" and "Neva"), if it has four or more.
    """
    folded = fold(text)
    found = [name for name in names if any(_stands_in(form, text, folded) for form in _forms(name))]
    return list(dict.fromkeys(found))


def _forms(name: str) -> tuple[str, ...]:
    bare = _QUALIFIER.sub("", name)
    return (name,) if bare in {name, ""} else (name, bare)


def _stands_in(name: str, text: str, folded: str) -> bool:
    wanted = fold(name)
    if wanted.isascii() and folded.isascii():
        return _as_written(name, wanted, text, folded)
    return _as_written(name, wanted, text, folded) or _in_another_script(name, wanted, text, folded)


def _as_written(name: str, wanted: str, text: str, folded: str) -> bool:
    if _UNSPACED.search(wanted):
        return wanted in folded
    if len(wanted) < 2:
        return False
    if wanted in _FUNCTION_WORDS:
        return _whole_word(name).search(text) is not None
    return wanted in folded and _whole_word(wanted).search(folded) is not None


def _in_another_script(name: str, wanted: str, text: str, folded: str) -> bool:
    if not (_OTHER_SCRIPT.search(wanted) or _OTHER_SCRIPT.search(folded)):
        return False
    if len(wanted) < 2:
        return False
    written, told = latin(name), latin(text)
    if len(written) < _SHORTEST_WRITTEN or written not in told or written.isdecimal():
        return False
    return _whole_word(written).search(told) is not None


@lru_cache(maxsize=8192)
def _whole_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)(?!\.\d)")
