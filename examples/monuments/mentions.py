"""Links for plain text: titles that it mentions, each linked where it stands first."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 7
"""Words of the longest title that is looked for."""

_WORD: Final = re.compile(r"\w+(?:[-.’']\w+)*")
_END: Final = re.compile(r"[.!?]['\"”’)]*\s*$|\n\s*$")
_POSSESSIVE: Final = re.compile(r"['’]s$")
_SMALL: Final = frozenset(
    "The A An In On At Of By For From And With To Its His Her When While After Before During As"
    " Since Like Near Both Although Under Between Today Modern".split()
)
"""Words that may begin a sentence without being part of the name after them."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A title that a text mentions, and where."""

    start: int
    end: int
    title: str


def mentions(text: str, titles: Mapping[str, str]) -> Iterator[Mention]:
    """Mentions in the order of the text, without overlap; the longest name wins.

    `titles` gives for each name, as it may stand in prose, the title of its page. A name counts
    only where it stands alone: between other capitalised words it is part of a longer name
    ("Mexico" in "New Mexico", "Paris" in "Paris International Exhibition").
    """
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        found = _longest(text, words, at, titles)
        if found is None:
            at += 1
            continue
        mention, count = found
        if _stands_alone(text, words, at, at + count):
            yield mention
        at += count


def _longest(
    text: str, words: list[re.Match[str]], at: int, titles: Mapping[str, str]
) -> tuple[Mention, int] | None:
    start = words[at].start()
    if not (text[start].isupper() or text[start].isdigit()):
        return None
    for count in range(min(LONGEST, len(words) - at), 0, -1):
        end = words[at + count - 1].end()
        for stop in (end + 1, end, end - 2):
            name = text[start:stop]
            if stop < end and not _POSSESSIVE.search(text[start:end]):
                continue
            if stop > end and not name.endswith("."):
                continue
            if name in titles:
                return Mention(start, stop, titles[name]), count
    return None


def _stands_alone(text: str, words: list[re.Match[str]], first: int, after: int) -> bool:
    if first > 0:
        before, between = words[first - 1], text[words[first - 1].end() : words[first].start()]
        if between in {" ", "-", "–"} and _is_name(text, before):
            return False
    if after < len(words):
        between = text[words[after - 1].end() : words[after].start()]
        if between in {" ", "-", "–"} and words[after].group()[0].isupper():
            return False
    return True


def _is_name(text: str, word: re.Match[str]) -> bool:
    """Whether a word before a name belongs to it: a capital that no sentence start explains."""
    if not word.group()[0].isupper():
        return False
    begins = word.start() == 0 or _END.search(text[: word.start()]) is not None
    return not (begins and word.group() in _SMALL)
