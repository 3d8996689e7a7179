"""Rivers, lakes and seas: a table made by hand, and held against the packages' words.

The table (`waters.csv`) holds names and lengths, no sentences. As with the monuments, a claim that
neither the water's first paragraph nor that of the place bears out is an error.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from examples.monuments.claims import bare, says
from examples.monuments.countries import Country
from examples.monuments.leads import Lead, Leads
from hopsight.errors import SourceError

TABLE: Final = Path(__file__).parent / "waters.csv"


@dataclass(frozen=True, slots=True)
class WaterClaim:
    """One row of the table: everything but title and infobox may be empty.

    `names` are other names that the texts have for it.
    """

    title: str
    infobox: str
    countries: tuple[str, ...]
    cities: tuple[str, ...]
    mouth: str
    length_km: str
    area_km2: str
    names: tuple[str, ...]

    @property
    def subject(self) -> str:
        """How a sentence names the water."""
        name = bare(self.title)
        return name if name.startswith("Lake ") else f"the {name}"


@dataclass(frozen=True, slots=True)
class Water:
    """A river, lake or sea with its claims, all borne out, and the lead of its article."""

    claim: WaterClaim
    lead: Lead


def read_waters(path: Path = TABLE) -> tuple[WaterClaim, ...]:
    """The rows of the table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(
            WaterClaim(
                row["title"],
                row["infobox"],
                _parts(row["countries"]),
                _parts(row["cities"]),
                row["mouth"],
                row["length_km"],
                row["area_km2"],
                _parts(row["names"]),
            )
            for row in csv.DictReader(stream)
        )


def checked_waters(
    claims: tuple[WaterClaim, ...], countries: tuple[Country, ...], leads: Leads
) -> tuple[Water, ...]:
    """Each water with its claims. Raises SourceError for what the packages do not bear out."""
    found = []
    for claim in claims:
        lead = leads.by_title.get(claim.title)
        if lead is None:
            raise SourceError(f"no text tells of {claim.title}", "take it out of waters.csv")
        wrong = unsupported_water(claim, lead, countries, leads)
        if wrong:
            raise SourceError(
                f"the packages do not say of {claim.title}: {', '.join(wrong)}",
                "take it out of waters.csv",
            )
        found.append(Water(claim, lead))
    return tuple(found)


def unsupported_water(
    claim: WaterClaim, lead: Lead, countries: tuple[Country, ...], leads: Leads
) -> list[str]:
    """The claims that the texts do not hold, as `attribute value`.

    A country is held by its name or by what its people are called; a place may also be held by
    its own text, where that names the water.
    """
    words = f"{lead.description}\n{lead.extract}"
    digits = words.replace(",", "")
    own = {country.title: _lead_words(country.lead) for country in countries}
    cities = {city.title: _lead_words(city.lead) for c in countries for city in c.capitals}
    names = {country.title: _names(country) for country in countries}
    wrong = [
        f"country {title}"
        for title in claim.countries
        if title not in names or not _held(words, names[title], own[title], claim)
    ]
    wrong += [
        f"city {title}"
        for title in claim.cities
        if title not in cities or not _held(words, {bare(title)}, cities[title], claim)
    ]
    if claim.mouth:
        there = _lead_words(leads.by_title.get(claim.mouth))
        if not _held(words, {bare(claim.mouth)}, there, claim):
            wrong.append(f"mouth {claim.mouth}")
    numbers: Mapping[str, str] = {"length_km": claim.length_km, "area_km2": claim.area_km2}
    return wrong + [f"{name} {each}" for name, each in numbers.items() if not says(digits, each)]


def _held(words: str, names: set[str], there: str, claim: WaterClaim) -> bool:
    own = (bare(claim.title), *claim.names)
    return any(says(words, name) for name in names) or any(says(there, name) for name in own)


def _names(country: Country) -> set[str]:
    return {bare(country.title), country.row.name.common, country.demonym} - {""}


def _lead_words(lead: Lead | None) -> str:
    return "" if lead is None else lead.extract


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split(";") if part)
