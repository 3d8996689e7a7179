"""The form in which answers are compared: what differs in writing only becomes equal.

Kept apart on purpose: signs, currency, symbols, exponents, feet and inches, factorials, brackets,
accents of different kinds, marks of scripts where a mark makes another letter, and capitals where
they tell a unit or a formula. C++ is not C#, $5 is not 5, minus 3 is not 3, CO is not Co, 5 MW is
not 5 mW, A- is not A and 10² is not 102.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_INVISIBLE: Final = re.compile("[\u00ad\u200e\u200f\u2060\ufeff]")
_QUOTES: Final = ('""', "''", "“”", "„“", "«»", "‘’")
_ENVELOPES: Final = (
    re.compile(r"([*`]{1,3})(?=\S)([^*`]+)(?<=\S)\1"),
    re.compile(r"(<answer>)(.*)</answer>", re.IGNORECASE | re.DOTALL),
    re.compile(r"(\\boxed)\{([^{}]*)\}"),
    re.compile(r"((?:final )?answer:)\s+(.*)", re.IGNORECASE | re.DOTALL),
    *(re.compile(f"({first})([^{first}{last}]+){last}") for first, last in _QUOTES),
)
_RAISED: Final = frozenset("⁺⁻⁼⁽⁾₊₋₌₍₎")
_DASHES: Final = re.compile(r"[\u2010-\u2015\u2212]")
_LEADING_MINUS: Final = re.compile(r"(?<![^\s(])-(?=[\d.])")
_GROUPED: Final = re.compile(
    r"(?<![\w.,(\[{\u00a0\u202f])[1-9]\d{0,2}(?:(?:,\d{3})+|(?:[\u00a0\u2009\u202f]\d{3})+)(?!\d|,\d)"
)
_ACRONYM: Final = re.compile(r"(?:[^\W\d_]\.){2,}")
_BETWEEN_LETTERS: Final = re.compile(r"(?<=[^\W\d_])(?:['’`´_]|[,;:]\s)(?=\s?[^\W\d_])")
_INITIALS: Final = re.compile(r"(?<=[^\W\d_])(?<![^\W\d_]{2})\.(?=[^\W\d_])|(?<=[^\W\d_])\.(?=\s)")
_INNER_QUOTE: Final = re.compile(r"[\"“”„«»](?=[^\W\d_])|(?<=[^\W\d_])[\"“”„«»]")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_]{2})-(?=[^\W\d_])|(?<=[^\W\d_])-(?=[^\W\d_]{2})")
_RANGE: Final = re.compile(r"(?<=\d)\s+-\s+(?=\d)")
_LAST_STOP: Final = re.compile(r"(?<=[^\W\d_]{2})[.!]+$|(?<![\d.])\.+$|(?<=\d)\.$|[,;]$")
_ARTICLE: Final = re.compile(r"(?i:the) (?=[^\W\d_])")
_GLUED_UNIT: Final = re.compile(r"(?<=\d)(?=(?:km|m|cm|mm|kg|g)2?$)")
_NOTHING: Final = " .,;:!?'\"()[]{}-*_`|/\\"
_WORD: Final = re.compile(r"[^\W\d_]+")
_AMOUNT_BEFORE: Final = re.compile(r"\d\S*\s?[^\w\s]?$")


@lru_cache(maxsize=8192)
def normalise(answer: str) -> str:
    """The form in which answers are compared; "" for text that says nothing.

    Case (outside of units and short symbols), quotation marks, emphasis, a leading article,
    thousands separators, dashes and a final stop make no difference.
    """
    text = unwrap(answer)
    text = _plain_digits(_set_apart(text))
    text = _GROUPED.sub(_without_separators, text)
    text = unicodedata.normalize("NFKC", text).replace("\u2044", "/")
    text = _LEADING_MINUS.sub("\u2212", _DASHES.sub("-", text))
    text = _LAST_STOP.sub("", _joined(text).strip()).strip()
    text = _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text
    text = _GLUED_UNIT.sub(" ", _RANGE.sub("-", text))
    text = unicodedata.normalize("NFC", _lower(" ".join(text.split())))
    return text if text.strip(_NOTHING) else ""


def unwrap(answer: str) -> str:
    """The answer out of emphasis, quotation marks, an answer tag or "Answer:", if all of it is."""
    text = _INVISIBLE.sub("", answer).strip()
    for _ in range(3):
        matches = (envelope.fullmatch(text) for envelope in _ENVELOPES)
        match = next((match for match in matches if match), None)
        if match is None or not match[2].strip():
            return text
        text = match[2].strip()
    return text


def _set_apart(text: str) -> str:
    """Keep raised, lowered and circled digits from joining the digits beside them."""
    kept: list[str] = []
    for position, char in enumerate(text):
        before = text[position - 1 : position]
        after = text[position + 1 : position + 2]
        if char in _RAISED or (
            unicodedata.category(char) == "No" and (_counts(before) or _counts(after))
        ):
            kept.append("^" + char + ("^" if after.isdecimal() else ""))
        else:
            kept.append(char)
    return "".join(kept)


def _counts(char: str) -> bool:
    return char in _RAISED or char.isdigit() or char.isnumeric()


def _plain_digits(text: str) -> str:
    """Decimal digits of every script as 0–9."""
    return "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() and not char.isascii() else char
        for char in text
    )


def _without_separators(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def _joined(text: str) -> str:
    if _ACRONYM.fullmatch(text):
        return text.replace(".", "")
    text = _INITIALS.sub(" ", _BETWEEN_LETTERS.sub(" ", _INNER_QUOTE.sub("", text)))
    return _HYPHEN.sub(" ", text)


def _lower(text: str) -> str:
    """Lower case, but for a short symbol that stands alone or follows a number."""
    if len(text) <= 3:
        return text.lower() if len(text) > 1 and _is_plain_word(text) else text
    return _WORD.sub(lambda match: _lower_word(match, text), text)


def _lower_word(match: re.Match[str], text: str) -> str:
    word = match[0]
    is_unit = len(word) <= 4 and _AMOUNT_BEFORE.search(text, 0, match.start())
    return word if is_unit else word.lower()


def _is_plain_word(text: str) -> bool:
    return text.isalpha() and text[1:] == text[1:].lower()
