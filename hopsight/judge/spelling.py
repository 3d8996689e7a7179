"""Accents and vowel marks that a writer may leave out without saying something else."""

import unicodedata
from typing import Final

_PLAIN_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ё": "е"}
)
_SHORTEST: Final = 3
"""In a shorter word the accent may be all there is: the village of Å, the letter Ø."""


def written_plainly(text: str) -> str | None:
    """`text` without the marks that are often left out; None if it has none, or is too short.

    That is: accents of Latin and Greek letters, the dots of ё, vowel signs of Arabic and Hebrew.
    A mark of any other script makes another letter (й, が, क्) and stays.
    """
    if len(text) < _SHORTEST:
        return None
    bare = "".join(map(_bare, text)).translate(_PLAIN_LETTERS)
    plain = "".join(char for char in bare if not _is_vowel_sign(char))
    return None if plain == text else plain


def without_vowel_signs(text: str) -> str:
    """`text` without vowel signs of Arabic and Hebrew, which say nothing new in a name."""
    return "".join(char for char in text if not _is_vowel_sign(char))


def _bare(char: str) -> str:
    first, *marks = list(unicodedata.normalize("NFD", char))
    script = unicodedata.name(first, "").split(" ")[0]
    return first if marks and script in {"LATIN", "GREEK"} else char


def _is_vowel_sign(char: str) -> bool:
    return "\u064b" <= char <= "\u0652" or char == "\u0640" or "\u05b0" <= char <= "\u05bc"
