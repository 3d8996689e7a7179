"""Cutting plain text into sentences, each as a character span of the text."""

import re
from collections.abc import Iterable, Set
from typing import Final

_BACK: Final = 100
"""Characters before a full stop that are looked at."""

_END: Final = re.compile(r"[.!?…]+[\"'”’»“‘)\]]*(?=\s+[\"'“‘«„»(\[]*[^\W_])|[。！？]+[”’」』）》]*")
_LINE: Final = re.compile(r"[^\n]+")
_LAST_WORD: Final = re.compile(r"[^\s(\[\"'“‘«–—]+$")
_NEXT_WORD: Final = re.compile(r"\s+[\"'“‘«(\[]*([^\s.,;:!?)]+)")
_ROMAN: Final = re.compile(r"[IVX]$")

_NEVER: Final = frozenset(
    {"st", "ste", "mt", "ft", "dr", "mr", "mrs", "ms", "prof", "rev", "gen", "col", "lt",
     "sgt", "capt", "cmdr", "adm", "hon", "gov", "sen", "rep", "pres", "fr", "sr", "op",
     "no", "nos", "nr", "vol", "vols", "p", "pp", "ch", "fig", "figs", "ed", "eds", "cf",
     "vs", "v", "c", "ca", "approx", "circa", "b", "d", "r", "fl", "i.e", "e.g", "viz", "al",
     "bros", "messrs", "mlle", "mme", "msgr", "trans", "lat", "lon", "dept", "est", "subsp",
     "var", "sp", "cv", "bzw", "evtl", "ggf", "inkl", "vgl", "geb", "gest", "sog", "ehem",
     "hl", "z.b", "d.h", "u.a", "v.a", "o.ä", "nördl", "südl"}
)  # fmt: skip
"""Abbreviations after which a sentence goes on, in lower case without the last full stop."""

_SOMETIMES: Final = frozenset(
    {"jr", "sr", "etc", "inc", "ltd", "co", "corp", "ph.d", "b.c", "a.d", "bc.e", "b.c.e",
     "c.e", "a.m", "p.m", "u.s", "u.k", "u.s.s.r", "d.c", "u.n"}
)  # fmt: skip
"""Abbreviations that may also end a sentence: what follows decides."""

_AFTER_ORDINAL: Final = frozenset(
    "januar februar märz april mai juni juli august september oktober november dezember"
    " jahrhundert jahrhunderts jh jahrtausend jahrestag jänner".split()
)
"""German words before which a number with a full stop is an ordinal."""

_STARTERS: Final = frozenset(
    {"the", "a", "an", "it", "its", "in", "on", "at", "he", "she", "they", "his", "her",
     "their", "this", "that", "these", "those", "there", "when", "while", "after", "before",
     "during", "from", "by", "for", "as", "although", "since", "with", "today", "both",
     "one", "two", "many", "most", "some", "another", "other", "several", "however", "but",
     "and"}
)  # fmt: skip
"""Words that, written with a capital, begin a sentence rather than a name."""


def split_sentences(
    text: str, whole: Iterable[tuple[int, int]] = ()
) -> tuple[tuple[int, int], ...]:
    """Spans (start, end) of the sentences of `text`, in order and without overlap.

    A line end always ends a sentence; a heading line (`## …`) holds none. Spans begin and end
    with a character that is no space, and together hold every such character outside headings.
    No sentence ends within a span of `whole` (a link, a title in italics).
    """
    barred = {at for start, end in whole for at in range(start + 1, end)}
    spans: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        if not is_heading(line.group()):
            spans.extend(_split_line(text, line.start(), line.end(), barred))
    return tuple(spans)


def is_heading(line: str) -> bool:
    """Whether a line of plain text is a section heading (`## Title`, `### Title`, …)."""
    return line.startswith("##") and line.lstrip("#").startswith(" ")


def _split_line(text: str, start: int, end: int, barred: Set[int]) -> list[tuple[int, int]]:
    spans = []
    begin = start
    for match in _END.finditer(text, start, end):
        if match.end() not in barred and _ends_sentence(text, begin, match):
            spans.append(_trimmed(text, begin, match.end()))
            begin = match.end()
    spans.append(_trimmed(text, begin, end))
    return [(a, b) for a, b in spans if a < b]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _ends_sentence(text: str, begin: int, match: re.Match[str]) -> bool:
    if match.group()[0] in "。！？":
        return True
    following = _NEXT_WORD.match(text, match.end())
    next_word = following.group(1) if following else ""
    if next_word[:1].islower():
        return False
    if not match.group().startswith(".") or match.group().startswith(".."):
        return True
    before = text[max(begin, match.start() - _BACK) : match.start()]
    last = _LAST_WORD.search(before)
    word = last.group() if last else ""
    initials = following is not None and text.startswith(".", following.end())
    if initials and len(word) == 1 and word.islower() and len(next_word) == 1:
        return False  # "z. B."
    return _full_stop_ends(word, before, next_word)


def _full_stop_ends(word: str, before: str, next_word: str) -> bool:
    bare = word.lower()
    if bare.isdigit() and len(bare) < 3 and next_word.lower() in _AFTER_ORDINAL:
        return False
    starter = next_word.lower() in _STARTERS and next_word[:1].isupper() and next_word != "A"
    if len(word) == 1 and word.isupper():
        return starter or (bool(_ROMAN.match(word)) and _after_name(before, next_word))
    if bare in _NEVER and not (word.isupper() and len(word) > 1):
        # "no" and "p" are words too: they abbreviate only before a number.
        return bare in {"no", "nos", "p", "pp", "c", "v"} and not next_word[:1].isdigit()
    if bare in _SOMETIMES or re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word):
        return starter
    return True


def _after_name(before: str, next_word: str) -> bool:
    """Whether the numeral I, V or X ends a name ("Leopold I."), so that it is no initial."""
    words = before.split()
    return len(words) > 2 and words[-2][:1].isupper() and len(next_word) > 1
