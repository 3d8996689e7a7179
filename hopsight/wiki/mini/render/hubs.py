"""General articles that very many pages link to: continents, and the kinds of things."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hopsight.wiki.mini.render import hub_people, hub_places

_GROUPS = (
    (hub_places.CONTINENTS, "Continents"),
    (hub_places.PLACES, "Geography"),
    (hub_places.BUILDINGS, "Kinds of buildings"),
    (hub_people.PEOPLE, "Occupations"),
    (hub_people.WORKS, "Kinds of works"),
    (hub_people.FIELDS, "Fields"),
    (hub_people.LIFE, "Groups of living things"),
)


@dataclass(frozen=True, slots=True)
class Hub:
    """A general article: its opening text as wikitext, and its category."""

    text: str
    category: str


HUBS: Final = MappingProxyType(
    {title: Hub(text, category) for texts, category in _GROUPS for title, text in texts.items()}
)
"""Every hub article, by title."""

CONTINENTS: Final = tuple(name for name in hub_places.CONTINENTS if name != "Continent")
"""Names of the continents."""
