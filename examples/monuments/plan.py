"""Which pages the world holds, and by which names prose may mention them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from examples.monuments.claims import Checked, bare
from examples.monuments.countries import Country
from examples.monuments.leads import Lead, Leads
from examples.monuments.mentions import mentions
from examples.monuments.waters import Water

_ONE_WORD_TOPICS: Final = frozenset({"Geography", "People"})
"""Fields whose titles of one word are names; others are common words with a capital."""
_SHORTEST: Final = 4
"""Letters of the shortest name that is looked for."""
CONTINENTS: Final = ("Africa", "Asia", "Europe", "North America", "Oceania", "South America")


@dataclass(frozen=True, slots=True)
class CityPlan:
    """A city's page: the country it lies in, and the countries that it is the capital of."""

    title: str
    lead: Lead | None
    country: str
    capital_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The pages by kind, the names of pages in prose, and the redirects (name → title)."""

    monuments: tuple[Checked, ...]
    countries: tuple[Country, ...]
    cities: tuple[CityPlan, ...]
    waters: tuple[Water, ...]
    continents: tuple[Lead, ...]
    mentioned: tuple[Lead, ...]
    names: Mapping[str, str]
    redirects: Mapping[str, str]


def make_plan(
    monuments: tuple[Checked, ...],
    countries: tuple[Country, ...],
    waters: tuple[Water, ...],
    leads: Leads,
) -> Plan:
    """The monuments, all countries with their capitals, the monuments' cities, waters, the
    continents, and every other article that the texts of these mention."""
    cities = _cities(monuments, countries, leads)
    continents = tuple(leads.by_title[name] for name in CONTINENTS)
    titles = {each.claim.title for each in monuments}
    titles |= {country.title for country in countries} | {city.title for city in cities}
    titles |= set(CONTINENTS) | {water.claim.title for water in waters}
    redirects = _redirects(monuments, countries, cities, titles, leads)
    own = {name: name for name in titles} | redirects
    own = {name: title for name, title in own.items() if len(name) >= _SHORTEST}
    known = {name: name for name in leads.by_title if _is_name(leads.by_title[name])} | own
    others = (*continents, *(water.lead for water in waters))
    found = {
        mention.title
        for text in _texts(monuments, countries, cities, others)
        for mention in mentions(text, known)
    }
    mentioned = tuple(leads.by_title[title] for title in sorted(found - titles))
    names = own | {lead.title: lead.title for lead in mentioned}
    return Plan(monuments, countries, cities, waters, continents, mentioned, names, redirects)


def _cities(
    monuments: Iterable[Checked], countries: Iterable[Country], leads: Leads
) -> tuple[CityPlan, ...]:
    lead_of: dict[str, Lead | None] = {}
    lies_in: dict[str, str] = {}
    capital_of: dict[str, list[str]] = {}
    for country in countries:
        for city in country.capitals:
            lead_of[city.title] = city.lead
            lies_in.setdefault(city.title, country.title)
            capital_of.setdefault(city.title, []).append(country.title)
    for each in monuments:
        if each.claim.city and each.claim.city not in lies_in:
            lead_of[each.claim.city] = leads.by_title.get(each.claim.city)
            lies_in[each.claim.city] = each.claim.country
    return tuple(
        CityPlan(title, lead_of[title], lies_in[title], tuple(capital_of.get(title, ())))
        for title in sorted(lies_in)
    )


def _redirects(
    monuments: Iterable[Checked],
    countries: Iterable[Country],
    cities: Iterable[CityPlan],
    titles: set[str],
    leads: Leads,
) -> dict[str, str]:
    """Other names of pages; a name of two pages, or of another article, is none."""
    pairs = {(name, country.title) for country in countries for name in country.names}
    for each in monuments:
        claim = each.claim
        said = {*claim.names, bare(claim.title), each.monument.name.removesuffix(", India")}
        pairs |= {(name, claim.title) for name in said}
        if claim.city:
            pairs.add((bare(claim.city), claim.city))
    pairs |= {(bare(city.title), city.title) for city in cities if city.lead is not None}
    # A wiki writes the first letter of every title large.
    pairs = {(name[:1].upper() + name[1:], title) for name, title in pairs}
    owners = Counter(name for name, _ in pairs)
    return {
        name: title
        for name, title in sorted(pairs)
        if owners[name] == 1 and name not in titles and name not in leads.by_title
    }


def _is_name(lead: Lead) -> bool:
    """Whether a title in prose means its article: a name of a place or person, or of several
    words that all but the smallest begin with a capital."""
    words = lead.title.split()
    if len(lead.title) < _SHORTEST or not lead.title[0].isalpha():
        return False
    if len(words) == 1:
        return lead.topic in _ONE_WORD_TOPICS
    return all(word[0].isupper() or not word[0].isalpha() for word in words if len(word) > 3)


def _texts(
    monuments: Iterable[Checked],
    countries: Iterable[Country],
    cities: Iterable[CityPlan],
    others: Iterable[Lead],
) -> Iterable[str]:
    for each in monuments:
        yield each.monument.description
    leads = [
        *(each.lead for each in monuments),
        *(each.lead for each in countries),
        *(each.lead for each in cities),
        *others,
    ]
    for lead in leads:
        if lead is not None:
            yield lead.extract
