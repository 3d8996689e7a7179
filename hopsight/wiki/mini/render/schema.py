"""The columns of the fact tables: for each kind, what a cell may hold and how it is shown."""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Cell(StrEnum):
    """How the value of a column is read and shown."""

    PAGE = "page"
    TEXT = "text"
    YEAR = "year"
    KM = "km"
    KM2 = "km2"
    METRES = "m"
    CM = "cm"
    KG = "kg"
    LATITUDE = "latitude"
    LONGITUDE = "longitude"


META: Final = ("title", "aliases", "source")
"""Columns that every table has and that no sentence states."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One table: its infobox, the word for its pages, the column that refines that word."""

    name: str
    infobox: str
    noun: str
    columns: MappingProxyType[str, Cell]
    noun_column: str | None = None
    italic: bool = False


def _columns(**groups: str) -> MappingProxyType[str, Cell]:
    found = {name: Cell(cell) for cell, names in groups.items() for name in names.split()}
    return MappingProxyType(found)


_KINDS = (
    Kind("continents", "continent", "continent", _columns(page="highest_peak")),
    Kind(
        "countries",
        "country",
        "country",
        _columns(
            page="capital continent borders languages currency highest_point",
            km2="area_km2",
            text="driving_side calling_code tld iso2 iso3 demonym",
        ),
    ),
    Kind(
        "cities",
        "settlement",
        "city",
        _columns(
            page="country river water",
            year="founded",
            m="elevation_m",
            latitude="latitude",
            longitude="longitude",
        ),
    ),
    Kind(
        "rivers",
        "river",
        "river",
        _columns(
            page="mouth countries source_country tributary_of",
            km="length_km",
            km2="basin_km2",
        ),
    ),
    Kind(
        "mountains",
        "mountain",
        "mountain",
        _columns(page="countries range first_ascender", m="elevation_m", year="first_ascent"),
    ),
    Kind(
        "ranges",
        "mountain range",
        "mountain range",
        _columns(page="countries continent highest_peak", km="length_km"),
    ),
    Kind(
        "waters",
        "body of water",
        "body of water",
        _columns(page="countries outflow", km2="area_km2", m="max_depth_m", text="kind"),
        noun_column="kind",
    ),
    Kind(
        "buildings",
        "building",
        "building",
        _columns(
            page="city country architect houses",
            year="started completed",
            m="height_m",
            text="kind style",
        ),
        noun_column="kind",
    ),
    Kind(
        "persons",
        "person",
        "person",
        _columns(
            page="birth_place death_place country field studied_at notable_works teacher",
            year="birth_year death_year",
            text="occupation",
        ),
        noun_column="occupation",
    ),
    Kind(
        "artworks",
        "artwork",
        "work",
        _columns(
            page="creator location subject",
            year="year",
            cm="height_cm",
            text="kind material",
        ),
        noun_column="kind",
        italic=True,
    ),
    Kind(
        "books",
        "book",
        "book",
        _columns(page="author setting characters", year="year", text="kind language"),
        noun_column="kind",
        italic=True,
    ),
    Kind(
        "music",
        "musical composition",
        "work",
        _columns(page="composer premiere_place librettist", year="year", text="kind key"),
        noun_column="kind",
        italic=True,
    ),
    Kind(
        "inventions",
        "invention",
        "invention",
        _columns(page="inventor country named_after", year="year", text="kind"),
        noun_column="kind",
    ),
    Kind(
        "organisms",
        "organism",
        "species",
        _columns(
            page="native_to described_by national_symbol_of",
            year="described_year",
            cm="max_length_cm",
            kg="max_mass_kg",
            text="scientific_name class order family diet status_note",
        ),
        noun_column="class",
    ),
)

KINDS: Final = MappingProxyType({kind.name: kind for kind in _KINDS})
"""Every kind of page, by the name of its table."""
