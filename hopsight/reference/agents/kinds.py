"""Kinds of things: which nouns name them, which table rows they have, which rows lead to them."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from hopsight.reference.agents.lexicon import words

NOUNS: dict[str, str] = {
    "country": "country nation state land republic kingdom realm homeland power",
    "continent": "continent landmass supercontinent",
    "city": "city town settlement village capital metropolis municipality birthplace hometown "
    "conurbation",
    "water": "lake sea ocean gulf bay strait channel waters waterbody",
    "river": "river stream waterway tributary watercourse",
    "mountain": "mountain peak summit volcano mount",
    "range": "range chain massif",
    "person": "person man woman human individual author writer poet novelist painter sculptor "
    "artist composer architect inventor scientist naturalist zoologist botanist explorer climber "
    "mountaineer creator teacher pupil student scholar engineer physicist designer builder maker",
    "species": "species animal plant bird mammal fish insect tree flower reptile amphibian "
    "organism creature beast lifeform taxon being fungus shrub herb mollusc crustacean",
    "building": "building structure edifice museum gallery university college school church "
    "cathedral temple mosque palace castle fortress bridge tower theatre stadium monument "
    "landmark basilica abbey library mausoleum shrine citadel institution skyscraper edifice",
    "artwork": "artwork painting sculpture statue canvas fresco mural portrait work creation "
    "masterpiece",
    "book": "book novel poem play drama text epic tale story volume publication work creation "
    "writing",
    "music": "opera symphony ballet overture concerto sonata composition music piece song work "
    "creation",
    "invention": "invention device machine instrument spacecraft vehicle apparatus technology "
    "contraption craft innovation gadget creation",
}
"""Kind → nouns that name a thing of the kind; a noun may name several."""

PHRASES: dict[str, tuple[str, ...]] = {
    "body of water": ("water",),
    "living thing": ("species",),
    "living being": ("species",),
    "life form": ("species",),
    "form of life": ("species",),
    "kind of animal": ("species",),
    "kind of plant": ("species",),
    "animal or plant": ("species",),
    "plant or animal": ("species",),
    "mountain range": ("range",),
    "mountain chain": ("range",),
    "work of art": ("artwork",),
    "work of literature": ("book",),
    "literary work": ("book",),
    "piece of writing": ("book",),
    "mountain system": ("range",),
    "opera house": ("building",),
    "piece of music": ("music",),
    "musical composition": ("music",),
    "musical instrument": ("invention",),
}

ROWS: dict[str, tuple[str, ...]] = {
    "country": (
        "calling code",
        "capital",
        "currency",
        "demonym",
        "driving side",
        "iso2",
        "tld",
    ),
    "person": (
        "birth year",
        "birth place",
        "death year",
        "death place",
        "occupation",
        "studied at",
    ),
    "species": (
        "scientific name",
        "class",
        "order",
        "described by",
        "native to",
        "diet",
    ),
    "mountain": (
        "elevation m",
        "first ascent",
        "first ascender",
    ),
    "river": (
        "mouth",
        "source country",
        "basin km2",
        "tributary of",
    ),
    "water": (
        "max depth m",
        "outflow",
    ),
    "city": (
        "founded",
        "water",
        "river",
    ),
    "building": (
        "architect",
        "started",
        "completed",
        "style",
        "houses",
    ),
    "artwork": (
        "creator",
        "material",
        "subject",
    ),
    "book": (
        "author",
        "setting",
        "characters",
    ),
    "music": (
        "composer",
        "librettist",
        "premiere place",
        "key",
    ),
    "invention": ("inventor",),
}
"""Kind → labels of rows that a table about such a thing has and others seldom have."""

LEADS_TO: dict[str, tuple[str, ...]] = {
    "person": (
        "architect",
        "author",
        "composer",
        "creator",
        "inventor",
        "described by",
        "first ascender",
        "teacher",
        "librettist",
    ),
    "country": (
        "borders",
        "country",
        "countries",
        "native to",
        "national symbol of",
        "source country",
    ),
    "city": (
        "capital",
        "city",
        "birth place",
        "death place",
    ),
    "mountain": (
        "highest point",
        "highest peak",
    ),
    "range": (
        "range",
        "highest peak",
    ),
    "river": (
        "river",
        "mouth",
        "tributary of",
        "outflow",
    ),
    "water": (
        "water",
        "mouth",
    ),
    "building": (
        "studied at",
        "location",
        "notable works",
        "premiere place",
    ),
    "artwork": (
        "houses",
        "notable works",
    ),
    "book": ("notable works",),
    "music": ("notable works",),
    "invention": ("notable works",),
    "continent": ("continent landmass supercontinent",),
}
"""Kind → labels of rows whose value is such a thing."""


def _by_item(table: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for kind, items in table.items():
        for item in items:
            found.setdefault(item, set()).add(kind)
    return {item: frozenset(kinds) for item, kinds in found.items()}


_NOUN_KINDS = _by_item({kind: nouns.split() for kind, nouns in NOUNS.items()})
_ROW_KINDS = _by_item(ROWS)
_VALUE_KINDS = _by_item(LEADS_TO)
_HEAD = "|".join(sorted([*PHRASES, *_NOUN_KINDS], key=lambda noun: (-len(noun), noun)))
NOUN = rf"(?:{_HEAD})(?:e?s)?"
"""A pattern for every noun that names a kind, longest first."""
_NAMED = re.compile(rf"\b({_HEAD}|countries|cities)(?:e?s)?\b")
_PLURALS = {"countries": "country", "cities": "city"}


@lru_cache(maxsize=65536)
def kinds_named(text: str) -> frozenset[str]:
    """The kinds whose nouns stand in a text."""
    found: set[str] = set()
    for match in _NAMED.finditer(text.casefold()):
        noun = _PLURALS.get(match.group(1), match.group(1))
        found |= set(PHRASES.get(noun, ())) or _NOUN_KINDS[noun]
    return frozenset(found)


def kind_of_page(labels: tuple[str, ...], lead: str) -> frozenset[str]:
    """What kind of thing a page is about: by its table if that tells, else by its first words."""
    votes: dict[str, int] = {}
    for label in labels:
        for kind in _ROW_KINDS.get(_key(label), ()):
            votes[kind] = votes.get(kind, 0) + 1
    most = max(votes.values(), default=0)
    if most:
        return frozenset(kind for kind, count in votes.items() if count == most)
    return kinds_named(lead)


def kinds_of_value(label: str) -> frozenset[str]:
    """What kind of thing the value of a row with this label is; empty if that is unknown."""
    return _VALUE_KINDS.get(_key(label), frozenset())


def _key(label: str) -> str:
    return " ".join(words(label.replace("_", " ")))
