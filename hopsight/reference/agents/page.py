"""Reading what a visit shows: title, table rows, sentences and the links in them."""

import re
from dataclasses import dataclass
from functools import lru_cache

from hopsight.reference.agents.kinds import kind_of_page, kinds_named, kinds_of_value
from hopsight.reference.agents.lexicon import concepts, content_words

LINK = re.compile(r"\[([^\[\]]+)\]\(((?:[^()\s]|\([^()\s]*\))+)\)")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[\"“])")


_ABOUT = frozenset({"country", "continent"})
"""Kinds that sentences on places name without their links being of that kind."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a page's table; `linked` if its value is a link to a page."""

    label: str
    value: str
    linked: bool
    concepts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Mention:
    """A link with what is said around it.

    `label` holds the ideas of its table row, if any, and `kinds` what the row's label or the
    section's heading makes of its target.
    """

    title: str
    url: str
    label: frozenset[str]
    around: frozenset[str]
    words: frozenset[str]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class PageView:
    """One visited page. `kinds` says what it is about: a person, a river …"""

    url: str
    title: str
    rows: tuple[Row, ...]
    mentions: tuple[Mention, ...]
    lead: frozenset[str]
    kinds: frozenset[str]
    words: frozenset[str]


@lru_cache(maxsize=4096)
def read_page(url: str, markdown: str) -> PageView:
    """Parse the Markdown of a visit to `url`. Unknown lines are prose."""
    title = ""
    rows: list[Row] = []
    lead = ""
    heading = ""
    mentions: list[Mention] = []
    for line in markdown.splitlines():
        stripped = line.strip()
        if stripped.startswith("# ") and not title:
            title = stripped[2:].strip()
        elif stripped.startswith("|"):
            cells = [cell.strip() for cell in stripped.strip("|").split("|")]
            if cells[0] and set(cells[0]) <= {"-", ":", " "}:
                del rows[-1:]  # what stood above the rule is the table's heading
            elif len(cells) >= 2:
                label = cells[0].replace("_", " ")
                rows.append(Row(label, plain(cells[1]), "](" in cells[1], label_concepts(label)))
                mentions += _mentions(cells[1], label_concepts(label), label, kinds_of_value(label))
        elif stripped.startswith("#"):
            heading = stripped.strip("# ")
        elif stripped:
            for sentence in SENTENCE.split(stripped):
                said = plain(sentence)
                kinds = kinds_named(heading) or _only_kind(said)
                found = _mentions(sentence, frozenset(), f"{heading}: {said}", kinds)
                if not lead:
                    # "X is a river in …": the link on the kind of thing leads to no thing.
                    found = [mention for mention in found if not mention.title.islower()]
                    lead = plain(sentence)
                mentions += found
    return PageView(
        url,
        title,
        tuple(rows),
        tuple(mentions),
        content_words(lead),
        kind_of_page(tuple(row.label for row in rows), lead),
        content_words(plain(markdown)),
    )


def _only_kind(sentence: str) -> frozenset[str]:
    """The kind of thing that a sentence speaks of, where it names no other: "cities of …"."""
    kinds = kinds_named(sentence) - _ABOUT
    return kinds if len(kinds) == 1 else frozenset()


def plain(markdown: str) -> str:
    """Text without link targets and emphasis."""
    return LINK.sub(r"\1", markdown).replace("**", "").strip()


@lru_cache(maxsize=1024)
def label_concepts(label: str) -> frozenset[str]:
    """The ideas of a row's label; a bare label such as `mouth` is read like a word of prose."""
    return concepts(label) | _BARE.get(label.split(" (")[0].casefold().strip(), frozenset())


_MADE_BY = frozenset({"works"})
_BARE: dict[str, frozenset[str]] = {
    "architect": frozenset({"architect"}) | _MADE_BY,
    "author": frozenset({"author", "creator"}) | _MADE_BY,
    "composer": frozenset({"composer"}) | _MADE_BY,
    "creator": frozenset({"creator"}) | _MADE_BY,
    "inventor": frozenset({"inventor"}) | _MADE_BY,
    "area km2": frozenset({"area"}),
    "basin km2": frozenset({"basin"}),
    "birth year": frozenset({"birth", "year"}),
    "death year": frozenset({"death", "year"}),
    "iso2": frozenset({"iso", "iso two"}),
    "iso3": frozenset({"iso", "iso three"}),
    "described by": frozenset({"describer"}),
    "described year": frozenset({"describer", "year"}),
    "elevation m": frozenset({"elevation"}),
    "first ascender": frozenset({"ascent"}),
    "first ascent": frozenset({"ascent", "year"}),
    "height m": frozenset({"height"}),
    "highest point": frozenset({"peak"}),
    "houses": frozenset({"housed"}),
    "length km": frozenset({"length"}),
    "location": frozenset({"housed", "located"}),
    "max depth m": frozenset({"depth"}),
    "max length cm": frozenset({"length"}),
    "max mass kg": frozenset({"mass"}),
    "native to": frozenset({"native"}),
    "notable works": frozenset({"works"}),
    "studied at": frozenset({"studied"}),
    "completed": frozenset({"completed", "year"}),
    "founded": frozenset({"founded", "year"}),
    "started": frozenset({"started", "year"}),
    "year": frozenset({"year", "published", "completed"}),
}


def _mentions(
    markdown: str, label: frozenset[str], said: str, kinds: frozenset[str]
) -> list[Mention]:
    around, near = concepts(said), content_words(said)
    return [
        Mention(match.group(1), match.group(2), label, around, near, kinds)
        for match in LINK.finditer(markdown)
    ]
