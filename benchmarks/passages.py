"""Passages and labelled queries for the text benchmark: pages of the worlds and real leads.

Queries are titles and paraphrased facts of the mini world; every passage beyond its pages is one
more to be told from the right one: leads of the English Wikipedia, whole, then again and again
with their sentences in another order and a third of them left out.
"""

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from examples.monuments.leads import FILE, read_leads
from examples.monuments.packages import LEADS, open_package, read_wheel
from hopsight.search import TextDoc
from hopsight.wiki.tables import SnapshotTables

FOLDER: Final = Path(".services/monuments")
TITLES: Final = 500
FACTS: Final = 500
KEPT: Final = 0.67

# How people ask for an attribute; what is not listed is asked for by its own words.
ASKED: Final = {
    "architect": "designed by",
    "birth_place": "a native of",
    "birth_year": "somebody born in",
    "borders": "a neighbour of",
    "capital": "governed from",
    "city": "in the town of",
    "continent": "lies in",
    "country": "situated in",
    "creator": "made by",
    "currency": "people pay in",
    "death_place": "whose life ended in",
    "death_year": "somebody who died in",
    "demonym": "whose people are called",
    "described_by": "first told of by",
    "field": "who worked in",
    "languages": "where people speak",
    "mouth": "a river that flows into",
    "native_to": "an animal that lives in",
    "notable_works": "whose hand made",
    "studied_at": "a student of",
    "water": "on the shore of",
}


@dataclass(frozen=True, slots=True)
class Query:
    """Words, and the address of the one page they mean."""

    text: str
    url: str


def world_documents(tables: SnapshotTables) -> list[TextDoc]:
    """Every page with its names and facts."""
    names: dict[int, set[str]] = defaultdict(set)
    facts: dict[int, set[str]] = defaultdict(set)
    for alias in tables.aliases:
        names[alias.page_id].add(alias.name)
    for fact in tables.facts:
        facts[fact.page_id].add(f"{fact.attribute.replace('_', ' ')}: {fact.value}")
    return [
        TextDoc(
            page.url,
            page.title,
            tuple(sorted(names[page.page_id])),
            page.text,
            "\n".join(sorted(facts[page.page_id])),
        )
        for page in tables.pages
    ]


def lead_documents(count: int) -> list[TextDoc]:
    """`count` passages from real leads, the first of each lead whole."""
    leads = _leads()
    rng = random.Random(1)
    docs = []
    for number in range(count):
        title, text = leads[number % len(leads)]
        turn = number // len(leads)
        if turn:
            sentences = re.split(r"(?<=[.!?]) ", text)
            kept = max(1, round(KEPT * len(sentences)))
            text = " ".join(rng.sample(sentences, kept))
        docs.append(TextDoc(f"https://leads.invalid/{turn}/{title}", title, (), text))
    return docs


def labelled(tables: SnapshotTables) -> dict[str, list[Query]]:
    """Titles, and two or three facts of a page in other words, without its title."""
    rng = random.Random(1)
    urls = {page.page_id: page.url for page in tables.pages}
    titles = [Query(page.title, page.url) for page in tables.pages]
    stated: dict[int, list[str]] = defaultdict(list)
    for fact in tables.facts:
        asked = ASKED.get(fact.attribute, fact.attribute.replace("_", " "))
        stated[fact.page_id].append(f"{asked} {fact.value}")
    several = [page for page in sorted(stated) if len(stated[page]) >= 3]
    by_facts = [
        Query(
            "which one is " + " and ".join(rng.sample(stated[page], rng.choice((2, 3)))), urls[page]
        )
        for page in rng.sample(several, min(FACTS, len(several)))
    ]
    return {"titles": rng.sample(titles, min(TITLES, len(titles))), "facts": by_facts}


def joined(doc: TextDoc) -> str:
    """All of a passage as one text, as engines without fields take it."""
    return "\n".join([doc.title, *doc.names, doc.body, doc.facts])


def _leads() -> Sequence[tuple[str, str]]:
    found = read_leads(read_wheel(open_package(FOLDER, LEADS), FILE)).by_title
    return [(title, found[title].extract) for title in sorted(found)]
