"""What of a page speaks of a goal: its passages that share the goal's words, in reading order."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from hopsight.harness.backends import PageText
from hopsight.search.analysis import body_analyzer, clean_query

PASSAGE_CHARS = 600
SHOWN_CHARS = 4_000

_HEADING = re.compile(r"#{1,6} ")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+")


class PageReader(Protocol):
    """Takes from a page what answers a goal."""

    async def read(self, page: PageText, goal: str) -> str | None:
        """Text for the policy; None where the page says nothing about the goal.

        Raises ProviderError where a model behind it fails.
        """
        ...


@dataclass(frozen=True, slots=True)
class Passages:
    """The reader by rule: nothing is written, only chosen, so that nothing can be made up."""

    shown_chars: int = SHOWN_CHARS

    async def read(self, page: PageText, goal: str) -> str | None:
        """The best passages under their headings, `…` where something is left out."""
        passages = split(page.markdown)
        scores = _scores([passage.text for passage in passages], goal)
        order = sorted(range(len(passages)), key=lambda n: (-scores[n], n))
        chosen: list[int] = []
        room = self.shown_chars
        for number in order:
            if scores[number] <= 0:
                break
            if len(passages[number].text) > room:
                continue
            chosen.append(number)
            room -= len(passages[number].text)
        return _told(passages, sorted(chosen)) if chosen else None


@dataclass(frozen=True, slots=True)
class Passage:
    """At most PASSAGE_CHARS of a page, and the heading that it stands under ("" before any)."""

    heading: str
    text: str


def split(markdown: str) -> list[Passage]:
    """A page in passages: lines, and long lines at the ends of sentences."""
    found: list[Passage] = []
    heading = ""
    for line in filter(None, map(str.strip, markdown.splitlines())):
        if _HEADING.match(line):
            heading = line
            continue
        found += [Passage(heading, part) for part in _parts(line)]
    return found


def _parts(line: str) -> list[str]:
    parts = [""]
    for sentence in _SENTENCE_END.split(line):
        for start in range(0, max(1, len(sentence)), PASSAGE_CHARS):
            piece = sentence[start : start + PASSAGE_CHARS]
            if parts[-1] and len(parts[-1]) + 1 + len(piece) > PASSAGE_CHARS:
                parts.append(piece)
            else:
                parts[-1] = f"{parts[-1]} {piece}".strip()
    return parts


def _scores(texts: list[str], goal: str) -> list[float]:
    """For each passage the idf of the goal's terms in it, over the root of its length in terms."""
    analyzer = body_analyzer()
    wanted = set(analyzer.analyze(clean_query(goal)))
    terms = [Counter(analyzer.analyze(text)) for text in texts]
    holding = Counter(term for counts in terms for term in counts.keys() & wanted)
    idf = {term: math.log1p(len(texts) / count) for term, count in holding.items()}
    return [
        sum(idf[term] for term in sorted(counts.keys() & wanted))
        / math.sqrt(max(8, counts.total()))
        for counts in terms
    ]


def _told(passages: list[Passage], chosen: list[int]) -> str:
    lines: list[str] = []
    before, heading = -1, ""
    for number in chosen:
        passage = passages[number]
        if number > before + 1:
            lines.append("…")
        if passage.heading and passage.heading != heading:
            lines.append(heading := passage.heading)
        lines.append(passage.text)
        before = number
    if before < len(passages) - 1:
        lines.append("…")
    return "\n".join(lines)
