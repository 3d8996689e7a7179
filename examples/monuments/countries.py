"""Countries of the world: capital, borders, area, languages, money, flag and outline."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from examples.monuments.leads import Lead, Leads
from hopsight.errors import SourceError

FILE: Final = "package/countries.json"
"""Where the table lies inside the package."""

_NO_COUNTRY: Final = "Antarctic"
"""The region of islands without inhabitants."""

_TITLES: Final = MappingProxyType(
    {
        "IRL": "Republic of Ireland",
        "FSM": "Federated States of Micronesia",
        "COG": "Republic of the Congo",
        "TUR": "Turkey",
    }
)
"""Titles of countries whose short name is the title of something else."""

_CAPITALS: Final = MappingProxyType({"Ulan Bator": "Ulaanbaatar"})
"""Capitals that the articles spell otherwise."""

_IS_COUNTRY: Final = re.compile(
    r"\b(?:country|nation|microstate|city-state|state|territory|region|department|collectivity|dependency|islands"
    r"|commonwealth|principality)\b",
    re.IGNORECASE,
)
_FIRST_WORDS: Final = 200
"""Characters of a lead that stand for a missing description."""
_IS_TOWN: Final = re.compile(r"\b(?:capital|city|town|municipality)\b", re.IGNORECASE)
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ'’().,\- ]{4,60}")


class Name(BaseModel):
    """A country's names in English."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    common: str = Field(min_length=1, max_length=100)
    official: str = Field(min_length=1, max_length=200)


class Money(BaseModel):
    """A currency."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str


class Dialling(BaseModel):
    """The parts of a calling code."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    root: str = ""
    suffixes: tuple[str, ...] = ()


class Row(BaseModel):
    """A row of the table. Areas are in square kilometres; borders are three-letter codes."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: Name
    cca3: str = Field(pattern="^[A-Z]{3}$")
    tld: tuple[str, ...] = ()
    un_member: bool = Field(default=False, alias="unMember")
    currencies: dict[str, Money] | tuple[()] = Field(default_factory=dict)
    idd: Dialling = Dialling()
    capital: tuple[str, ...] = ()
    other_spellings: tuple[str, ...] = Field(default=(), alias="altSpellings")
    region: str = ""
    subregion: str = ""
    languages: dict[str, str] | tuple[()] = Field(default_factory=dict)
    borders: tuple[str, ...] = ()
    area: float
    demonyms: dict[str, dict[str, str]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class City:
    """A capital: its title, the name the table gives it, and the article's lead if there is one."""

    title: str
    name: str
    lead: Lead | None


@dataclass(frozen=True, slots=True)
class Country:
    """A country with its title in the world, its capitals and its other names."""

    title: str
    row: Row
    lead: Lead | None
    capitals: tuple[City, ...]
    names: tuple[str, ...]

    @property
    def continent(self) -> str:
        """The continent; empty where the table's region does not tell it."""
        if self.row.region == "Americas":
            sub = self.row.subregion
            return sub if sub in {"North America", "South America"} else ""
        return self.row.region

    @property
    def calling_code(self) -> str:
        """The calling code; empty where there is not exactly one."""
        suffixes = self.row.idd.suffixes
        return self.row.idd.root + suffixes[0] if len(suffixes) == 1 else ""

    @property
    def demonym(self) -> str:
        """What its people are called; empty where men and women are called differently."""
        words = set(self.row.demonyms.get("eng", {}).values())
        return words.pop() if len(words) == 1 else ""


_ROWS: Final = TypeAdapter(tuple[Row, ...])


def read_countries(data: bytes, leads: Leads) -> tuple[Country, ...]:
    """The countries by title. Raises SourceError where the table has another shape.

    A lead is taken only if its description says that it is about a country (or a city), since
    short names are titles of other things too.
    """
    try:
        rows = [row for row in _ROWS.validate_json(data) if row.region != _NO_COUNTRY]
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise SourceError(
            f"the table of countries is not as expected: {where}: {first['msg']}",
            "fetch the package again, in the version that packages.py names",
        ) from error
    found = [(row, _country_lead(row, leads)) for row in rows]
    titles = {row.cca3: lead.title if lead else _title(row) for row, lead in found}
    capitals = Counter(name for row in rows for name in set(row.capital))
    taken = frozenset(titles.values())
    names = _other_names(rows, titles)
    countries = (
        Country(
            title=titles[row.cca3],
            row=row,
            lead=lead,
            capitals=tuple(
                _capital(name, row, titles[row.cca3], capitals, leads)
                for name in row.capital
                if name not in taken
            ),
            names=names[row.cca3],
        )
        for row, lead in found
    )
    return tuple(sorted(countries, key=lambda country: country.title))


def _title(row: Row) -> str:
    return _TITLES.get(row.cca3, row.name.common)


def _country_lead(row: Row, leads: Leads) -> Lead | None:
    short = row.name.common
    candidates: Sequence[str] = (
        (_TITLES[row.cca3],)
        if row.cca3 in _TITLES
        else (f"{short} (country)", short, f"The {short}", row.name.official, *row.other_spellings)
    )
    for name in candidates:
        lead = leads.by_title.get(name)
        if lead is not None and _IS_COUNTRY.search(lead.description or lead.extract[:_FIRST_WORDS]):
            return lead
    return None


def _capital(name: str, row: Row, country: str, capitals: Mapping[str, int], leads: Leads) -> City:
    lead = leads.find(_CAPITALS.get(name, name))
    if lead is not None and capitals[name] == 1 and _tells_of(lead, row, country):
        return City(lead.title, name, lead)
    return City(name if capitals[name] == 1 and lead is None else f"{name}, {country}", name, None)


def _tells_of(lead: Lead, row: Row, country: str) -> bool:
    text = f"{lead.description} {lead.extract}"
    names = {country, row.name.common, row.name.official}
    return _IS_TOWN.search(lead.description) is not None and any(name in text for name in names)


def _other_names(rows: Iterable[Row], titles: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Other spellings in Latin letters that belong to one country alone."""
    listed = {
        row.cca3: {row.name.common, row.name.official, *row.other_spellings} - {titles[row.cca3]}
        for row in rows
    }
    owners = Counter(name for names in listed.values() for name in names)
    owners.update(titles.values())
    return {
        code: tuple(sorted(n for n in names if owners[n] == 1 and _LATIN.fullmatch(n)))
        for code, names in listed.items()
    }
