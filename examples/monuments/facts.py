"""What is said of each kind of page: every fact as an infobox value and as a sentence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from examples.monuments.claims import Claim, bare
from examples.monuments.countries import Country
from examples.monuments.waters import WaterClaim
from examples.monuments.wikitext import article, country, escape, link, listed


@dataclass(frozen=True, slots=True)
class Stated:
    """A parameter of an infobox with its value, and the words of the sentence that states it."""

    parameter: str
    value: str
    words: str


def of_monument(claim: Claim) -> Iterator[Stated]:
    """Where a monument stands, what it is, when it was built."""
    subject, verb = claim.subject, "are" if claim.plural else "is"
    if claim.kind:
        yield Stated("kind", claim.kind, f"{subject} {verb} {_a(claim.kind)}")
    if claim.city:
        city = link(claim.city)
        yield Stated("city", city, f"{subject} {verb} in the city of {city}")
    land = link(claim.country)
    yield Stated("country", land, f"{subject} {verb} in the country of {land}")
    if claim.started:
        year = _year(claim.started)
        yield Stated("started", claim.started, f"the construction of {subject} was begun in {year}")
    if claim.completed:
        year = _year(claim.completed)
        yield Stated("completed", claim.completed, f"{subject} was completed in {year}")
    if claim.height_m:
        yield Stated("height_m", claim.height_m, f"{subject} is {claim.height_m} metres high")


def of_city(title: str, lies_in: str, waters: Sequence[WaterClaim]) -> Iterator[Stated]:
    """The country of a city, and the river, lake or sea that it lies on."""
    land = link(lies_in)
    yield Stated("country", land, f"{bare(title)} lies in the country of {land}")
    for claim in waters:
        parameter = "river" if claim.infobox == "river" else "water"
        words = f"{bare(title)} lies on {water(claim)}"
        yield Stated(parameter, link(claim.title), words)


def of_water(claim: WaterClaim) -> Iterator[Stated]:
    """The countries of a river, lake or sea, where a river ends, how long or large it is."""
    subject = claim.subject
    noun = "country" if len(claim.countries) == 1 else "countries"
    lies = f"along {subject}" if claim.infobox == "river" else f"around {subject}"
    lands = listed([country(title) for title in claim.countries])
    words = f"the {noun} {lies} {_is(claim.countries)} {lands}"
    yield Stated("countries", ", ".join(map(link, claim.countries)), words)
    if claim.mouth:
        words = f"{subject} flows into the body of water called {link(claim.mouth)}"
        yield Stated("mouth", link(claim.mouth), words)
    if claim.length_km:
        words = f"the length of {subject} is {int(claim.length_km):,} kilometres"
        yield Stated("length_km", claim.length_km, words)
    if claim.area_km2:
        words = f"the area of {subject} is {int(claim.area_km2):,} square kilometres"
        yield Stated("area_km2", claim.area_km2, words)


def water(claim: WaterClaim) -> str:
    """A link to a water with its article."""
    return ("the " if claim.subject.startswith("the ") else "") + link(claim.title)


def waters(claims: Sequence[WaterClaim], of: str) -> str:
    """The words that lead from a country or a sea to the waters there."""
    return f"among the waters of {of}: {listed([water(each) for each in claims])}"


def of_country(each: Country, borders: Sequence[str], outline: str) -> Iterator[Stated]:
    """What the table says of a country. `outline` is the page of its outline, or empty."""
    yield from _places(each, borders)
    yield from _land_and_people(each, outline)
    yield from _codes(each)


def _places(each: Country, borders: Sequence[str]) -> Iterator[Stated]:
    name = named(each.title)
    if each.capitals:
        capitals = [link(city.title, city.name) for city in each.capitals]
        words = f"the {_number('capital', capitals)} of {name} {_is(capitals)} {listed(capitals)}"
        yield Stated("capital", ", ".join(capitals), words)
    if each.continent:
        continent = link(each.continent)
        yield Stated("continent", continent, f"{name} lies on the continent of {continent}")
    if borders:
        words = f"{name} borders {listed([country(other) for other in borders])}"
        yield Stated("borders", ", ".join(map(link, borders)), words)


def _land_and_people(each: Country, outline: str) -> Iterator[Stated]:
    name, row = named(each.title), each.row
    if row.area > 0:
        area = f"{row.area:,.2f}".rstrip("0").rstrip(".")
        land = f"the [[{outline}|land]]" if outline else "the land"
        words = f"{land} of {name} covers an area of {area} square kilometres"
        yield Stated("area_km2", area, words)
    languages = [escape(language) for language in dict(row.languages).values()]
    if languages:
        noun = f"the official {_number('language', languages)} of {name} {_is(languages)}"
        yield Stated("languages", ", ".join(languages), f"{noun} {listed(languages)}")
    money = [escape(currency.name) for currency in dict(row.currencies).values()]
    if money:
        noun = "currency" if len(money) == 1 else "currencies"
        words = f"the {noun} of {name} {_is(money)} the {listed(money)}"
        yield Stated("currency", ", ".join(money), words)
    if each.demonym:
        demonym = escape(each.demonym)
        yield Stated("demonym", demonym, f"the demonym for the people of {name} is {demonym}")


def _codes(each: Country) -> Iterator[Stated]:
    name, row = named(each.title), each.row
    if each.calling_code:
        words = f"the international calling code of {name} is {each.calling_code}"
        yield Stated("calling_code", each.calling_code, words)
    if len(row.tld) == 1 and row.tld[0].isascii():
        words = f"the internet top-level domain of {name} is {row.tld[0]}"
        yield Stated("tld", row.tld[0], words)
    yield Stated("iso3", row.cca3, f"the three-letter ISO code of {name} is {row.cca3}")


def named(title: str) -> str:
    """A country's name as a sentence has it, without a link."""
    return article(title) + bare(title)


def sights(titles: Mapping[str, bool], of: str) -> str:
    """The words that lead from a place to its monuments, given with whether they take "the"."""
    links = [("the " if the else "") + link(title) for title, the in titles.items()]
    return f"among the sights of {of}: {listed(links)}"


def _number(noun: str, values: Sequence[str]) -> str:
    return noun if len(values) == 1 else f"{noun}s"


def _is(values: Sequence[str]) -> str:
    return "is" if len(values) == 1 else "are"


def _year(year: str) -> str:
    """A year as prose writes it: one below 1000 with its era."""
    return f"AD {year}" if int(year) < 1000 else year


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
