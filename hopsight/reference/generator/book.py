"""A phrasebook: everything a rule-based generator can say, as data, with its fingerprint."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from hopsight.types import PromptRef, content_hash

Phrases = Mapping[tuple[str, str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """Templates keyed by (infobox, attribute); see `relations` and `attributes` for their slots.

    `ahead` and `back` say relations whose fact stands on the predecessor or on the new entity,
    `linked` that there is one; `shows` says what the picture of an entity shows.
    """

    name: str
    version: str
    nouns: Mapping[str, str]
    kind_nouns: Mapping[str, frozenset[str]]
    ahead: Phrases
    back: Phrases
    ranges: Phrases
    categories: Phrases
    asks: Phrases
    anchors: Mapping[str, tuple[str, ...]]
    linked: tuple[str, ...]
    shows: Mapping[str, tuple[str, ...]]

    def says_relation(self, holder: str, relation: str, inverse: bool) -> bool:
        """Whether a hop by a fact on a page with infobox `holder` can be put into words."""
        return (holder, relation) in (self.back if inverse else self.ahead)

    def says_range(self, infobox: str, attribute: str) -> bool:
        """Whether "between" on this attribute can be put into words."""
        return (infobox, attribute) in self.ranges

    def says_category(self, infobox: str, attribute: str) -> bool:
        """Whether "is" on this attribute can be put into words."""
        return (infobox, attribute) in self.categories

    def says_kind(self, infobox: str, kind: str) -> bool:
        """Whether the kind is a noun of its own ("lake"), used in place of the infobox's."""
        return kind in self.kind_nouns.get(infobox, ())

    def asks_for(self, infobox: str, attribute: str) -> bool:
        """Whether a question can ask for this attribute."""
        return (infobox, attribute) in self.asks

    def says_picture(self, infobox: str) -> bool:
        """Whether what its picture shows can be said of such an entity."""
        return infobox in self.shows

    def says_entity(self, infobox: str | None) -> bool:
        """Whether such an entity has a noun."""
        return infobox in self.nouns

    @property
    def prompt(self) -> PromptRef:
        """The rules' name, version and hash, for the provenance of a question."""
        return PromptRef(name=self.name, version=self.version, sha256=content_hash(_plain(self)))


def choose(options: tuple[str, ...], *key: object) -> str:
    """One of the options, the same for the same key on every machine."""
    digest = sha256("|".join(str(part) for part in key).encode()).digest()
    return options[int.from_bytes(digest[:8], "big") % len(options)]


def _plain(book: Phrasebook) -> list[object]:
    tables = (book.ahead, book.back, book.ranges, book.categories, book.asks)
    return [[[*key, *table[key]] for key in sorted(table)] for table in tables] + [
        sorted(book.nouns.items()),
        [[infobox, *sorted(kinds)] for infobox, kinds in sorted(book.kind_nouns.items())],
        [[infobox, *phrases] for infobox, phrases in sorted(book.anchors.items())],
        [*book.linked],
        [[infobox, *phrases] for infobox, phrases in sorted(book.shows.items())],
    ]
