"""What a picture shows and what is written in it, from the sidecar `pictures.jsonl`.

A question says it in phrases ("three horizontal bands", "the colour red", "a red band at the top",
"several stars", or a visual fact as it stands), which are held against the visual facts here.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SIDECAR = "pictures.jsonl"
_COLOUR = re.compile(r"the colour ([a-z-]+)")
_BANDS = re.compile(r"[a-z]+ (?:horizontal|vertical) bands")
_EDGE = re.compile(r"an? (.+) band (at the top|at the bottom|on the left|on the right)")
_FIGURE = re.compile(r"(?:an?|several) ([a-z]+)")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_ENDS = {
    "at the top": ("horizontal", 0),
    "at the bottom": ("horizontal", -1),
    "on the left": ("vertical", 0),
    "on the right": ("vertical", -1),
}

_ALSO_CALLED = {
    "gold": "yellow",
    "light-blue": "blue",
    "maroon": "red",
    "navy": "blue",
    "navy-blue": "blue",
    "saffron": "orange",
}
"""Colours that questions call by a plainer word."""


@dataclass(frozen=True, slots=True)
class Look:
    """Visual facts, and the words that stand in the picture."""

    facts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def read_looks(pictures: Path) -> dict[str, Look]:
    """Looks by file name, from the sidecar in the folder or beside it; none without a sidecar."""
    for path in (pictures / SIDECAR, pictures.parent / SIDECAR):
        if path.is_file():
            rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            return {
                row["file"].replace("_", " "): Look(
                    tuple(row.get("visual_facts", ())), tuple(row.get("text", ()))
                )
                for row in rows
            }
    return {}


def shows(facts: Sequence[str], phrase: str) -> bool | None:
    """Whether the visual facts bear a phrase out; None where there are none."""
    if not facts:
        return None
    plain = [_WORD.sub(_plain_colour, fact) for fact in facts]
    return phrase in plain or any(_bears(fact, phrase) for fact in plain)


def _plain_colour(word: re.Match[str]) -> str:
    return _ALSO_CALLED.get(word.group(), word.group())


def _bears(fact: str, phrase: str) -> bool:
    words = _WORD.findall(fact.casefold())
    if found := _COLOUR.fullmatch(phrase):
        return found.group(1) in words
    if _BANDS.fullmatch(phrase):
        return words[:3] == phrase.split()
    if found := _EDGE.fullmatch(phrase):
        return _at_edge(fact, found.group(1), found.group(2))
    figure = _FIGURE.fullmatch(phrase)
    return figure is not None and figure.group(1) in words


def _at_edge(fact: str, colour: str, place: str) -> bool:
    """Of "three horizontal bands, from top to bottom: red, white, blue" the first and the last."""
    way, index = _ENDS[place]
    head, colon, listed = fact.partition(": ")
    if not colon or _WORD.findall(head)[1:3] != [way, "bands"]:
        return False
    return [each.strip() for each in listed.split(",")][index] == colour
