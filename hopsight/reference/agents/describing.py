"""Finding, in a question, the words that tell how something looks."""

import re
from dataclasses import dataclass
from typing import Final

from hopsight.reference.agents.figure_words import TOKEN
from hopsight.reference.agents.kinds import kinds_named
from hopsight.reference.agents.looks import Look, read_look

PICTURED: Final = (
    r"(?:flags?|banners?|ensigns?|pictures?|images?|photos?|photographs?|illustrations?|drawings?|"
    r"paintings?|posters?|signs?|signboards?|boards?|plaques?|plates?|labels?|maps?|emblems?|"
    r"symbols?|covers?|bills?|cards?|sheets?|logos?|arms)"
)
CUE: Final = re.compile(
    rf"\b(?:{PICTURED}|pictured|depicted|shown|drawn|painted|photographed|illustrated|looks?|"
    r"appears?)\b"
)
POINTING: Final = re.compile(
    r"\b(?:in|on|from|of|by|at|behind) (?:the|this|that|your|our|my) (?:given |attached |first )?"
    r"(?:image|picture|photo|photograph|illustration)\b|"
    r"\b(?:shown|pictured|depicted|seen|displayed|attached|given) (?:here|above|below|to you)\b|"
    r"\b(?:this|the given|the attached) (?:image|picture|photo|photograph|illustration)\b"
)
"""Words that point to the picture which the question comes with."""
OPENER: Final = re.compile(
    r"(?:^|(?<=[,;:]))\s*(?:and )?|\b(?:and )?(?:whose|which|that|who|where|with|its|their|has|"
    r"under|flying|flies|bearing|showing|displaying|having|using|recogni[sz](?:ed|able)|identified|"
    r"pictured|depicted|shown|drawn|painted|photographed|illustrated)\b",
    re.IGNORECASE,
)
CLAUSE: Final = frozenset({"whose", "which", "that", "who", "where", "its", "their", "has"})
ABOUT_LOOKS: Final = re.compile(
    r"^(?:that|which) (?:points?|narrows?|widens?|spreads?|reach(?:es)?|meets?|runs?|stands? on)\b",
    re.IGNORECASE,
)
STRONG: Final = frozenset({"word", "bands", "figure", "points", "slanting"})
GLUE: Final = frozenset({"article", "count", "joint"})
SENTENCE: Final = re.compile(r"[^.?!]*(?:[.?!](?!\s|$)[^.?!]*)*[.?!]*\s*")
MARK: Final = 0xE000
"""The first of the private characters that stand for what was taken out."""
MOST: Final = 64


@dataclass(frozen=True, slots=True)
class Described:
    """A text without its visual descriptions: a mark stands for each of `parts`."""

    text: str
    parts: tuple[tuple[str, Look], ...]

    def restored(self, piece: str) -> str:
        """A piece of the text with the words back in place of the marks."""
        return "".join(
            self.parts[ord(each) - MARK][0] if self._is_mark(each) else each for each in piece
        )

    def look(self, piece: str) -> Look:
        """What the descriptions in a piece of the text say together."""
        found = Look()
        for each in piece:
            if self._is_mark(each):
                found += self.parts[ord(each) - MARK][1]
        return found

    def plain(self, piece: str) -> str:
        """A piece of the text without marks."""
        return "".join(each for each in piece if not self._is_mark(each))

    def _is_mark(self, character: str) -> bool:
        return MARK <= ord(character) < MARK + len(self.parts)


def set_apart(text: str) -> Described:
    """Take the descriptions of looks out of a text."""
    clean = "".join(each for each in text if not MARK <= ord(each) < MARK + MOST)
    pieces: list[str] = []
    parts: list[tuple[str, Look]] = []
    for sentence in SENTENCE.findall(clean):
        done = 0
        for start, end in _runs(sentence):
            said = sentence[start:end]
            look = read_look(said)
            if look and len(parts) < MOST:
                pieces += [sentence[done:start], chr(MARK + len(parts))]
                parts.append((said, look))
                done = end
        pieces.append(sentence[done:])
    return Described("".join(pieces), tuple(parts))


def _runs(sentence: str) -> list[tuple[int, int]]:
    """Where the descriptions of a sentence stand."""
    starts = sorted({match.start() for match in OPENER.finditer(sentence)} | {0})
    bounds = list(zip(starts, [*starts[1:], len(sentence)], strict=True))
    runs: list[tuple[int, int]] = []
    current: tuple[int, int] | None = None
    for start, end in bounds:
        segment = sentence[start:end]
        goes_on = current is not None and _goes_on(segment)
        if goes_on and current is not None:
            current = (current[0], end)
            continue
        if current is not None:
            runs.append(current)
        current = (start, end) if _begins(segment) else None
    if current is not None:
        runs.append(current)
    trimmed = [_trimmed(sentence, start, end) for start, end in runs]
    return [(start, end) for start, end in trimmed if _is_description(sentence[start:end])]


def _begins(segment: str) -> bool:
    said = segment.strip()
    return not POINTING.search(said) and bool(CUE.search(said) or _strong(said))


def _goes_on(segment: str) -> bool:
    said = segment.strip(" ,;:").removeprefix("and ")
    if POINTING.search(said):
        return False
    if not said or ABOUT_LOOKS.search(said):
        return True
    first = said.split(" ", 1)[0].casefold()
    if first in CLAUSE:
        return _strong(said)
    if kinds_named(said):
        return _strong(said)
    return bool(CUE.search(said)) or any(
        match.lastgroup not in GLUE for match in TOKEN.finditer(said)
    )


def _strong(said: str) -> bool:
    return any(match.lastgroup in STRONG for match in TOKEN.finditer(said))


def _trimmed(sentence: str, start: int, end: int) -> tuple[int, int]:
    said = sentence[start:end]
    lead = re.match(r"[\s,;:]*(?:and\s+)?", said)
    tail = re.search(r"(?:[\s,;:.?!]|\band\b)*$", said)
    begin = start + (lead.end() if lead else 0)
    return begin, max(begin, start + (tail.start() if tail else len(said)))


def _is_description(said: str) -> bool:
    return bool(CUE.search(said.casefold()) and _strong(said))
