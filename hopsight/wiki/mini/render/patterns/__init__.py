"""Hand-written sentence patterns, one module per kind of page."""

from types import MappingProxyType
from typing import Final

from hopsight.wiki.mini.render.patterns import (
    artworks,
    books,
    buildings,
    cities,
    continents,
    countries,
    inventions,
    inverse_people,
    inverse_places,
    inverse_works,
    mountains,
    music,
    organisms,
    persons,
    ranges,
    rivers,
    waters,
)

_MODULES = (
    artworks,
    books,
    buildings,
    cities,
    continents,
    countries,
    inventions,
    mountains,
    music,
    organisms,
    persons,
    ranges,
    rivers,
    waters,
)
_BY_KIND = {module.__name__.rpartition(".")[2]: module for module in _MODULES}

LEADS: Final = MappingProxyType({kind: module.LEAD for kind, module in _BY_KIND.items()})
"""Patterns of first sentences, by kind."""

PATTERNS: Final = MappingProxyType({kind: module.PATTERNS for kind, module in _BY_KIND.items()})
"""Patterns of a kind's attributes, by attribute; `a+b` states two attributes at once."""

SECTIONS: Final = MappingProxyType({kind: module.SECTIONS for kind, module in _BY_KIND.items()})
"""Sections of a kind: heading, then attributes and (after `<`) relations read backwards."""

INVERSE: Final = MappingProxyType(
    {**inverse_places.INVERSE, **inverse_people.INVERSE, **inverse_works.INVERSE}
)
"""Relations read backwards: `rivers.mouth` to the heading and the patterns on the mouth's page."""

COUNTERPARTS: Final = MappingProxyType(
    {
        "artworks.creator": ("notable_works",),
        "books.author": ("notable_works",),
        "music.composer": ("notable_works",),
        "buildings.architect": ("notable_works",),
        "inventions.inventor": ("notable_works",),
        "organisms.described_by": ("notable_works",),
        "persons.notable_works": (
            "creator",
            "author",
            "composer",
            "architect",
            "inventor",
            "described_by",
        ),
        "artworks.location": ("houses",),
        "buildings.houses": ("location",),
        "countries.borders": ("borders",),
    }
)
"""Columns of the target page that state a relation already, so that it is not told twice."""
