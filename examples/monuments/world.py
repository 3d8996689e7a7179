"""The whole world from the packages: pages, redirects and pictures."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from examples.monuments import countries as country_table
from examples.monuments import leads as lead_texts
from examples.monuments.articles import Writer
from examples.monuments.boards import read_monuments
from examples.monuments.claims import Checked, checked, read_claims
from examples.monuments.countries import read_countries
from examples.monuments.leads import read_leads
from examples.monuments.packages import (
    COUNTRIES,
    LEADS,
    PHOTOGRAPHS,
    debian_data,
    open_package,
    read_tar,
    read_wheel,
)
from examples.monuments.pictures import Picture, flags, outline_title, outlines, photograph
from examples.monuments.plan import Plan, make_plan
from examples.monuments.rcc import read_rcc
from examples.monuments.waters import WaterClaim, checked_waters, read_waters
from hopsight.wiki.mini.render.page import FILE, MAIN, Page

RESOURCES = "usr/share/gcompris-qt/rcc/explore_monuments.rcc"


@dataclass(frozen=True, slots=True)
class World:
    """Pages of every kind, and the pictures by file name."""

    pages: tuple[Page, ...]
    pictures: tuple[Picture, ...]


def make_world(packages: Path) -> World:
    """Read the packages of a folder and write the pages. Raises SourceError or PictureError."""
    leads = read_leads(read_wheel(open_package(packages, LEADS), lead_texts.FILE))
    files = read_tar(open_package(packages, COUNTRIES), [country_table.FILE], (".svg", ".geo.json"))
    countries = read_countries(files[country_table.FILE], leads)
    debian = debian_data(open_package(packages, PHOTOGRAPHS))
    monuments = read_monuments(read_rcc(read_tar(debian, [RESOURCES])[RESOURCES]))
    claims = checked(read_claims(), monuments, leads)
    waters = checked_waters(read_waters(), countries, leads)
    plan = make_plan(claims, countries, waters, leads)
    pictures = [
        *map(photograph, plan.monuments),
        *flags(countries, files),
        *outlines(countries, files),
    ]
    pictures.sort(key=lambda picture: picture.file)
    return World(tuple(_pages(plan, pictures)), tuple(pictures))


def _pages(plan: Plan, pictures: list[Picture]) -> Iterable[Page]:
    writer = _writer(plan, pictures)
    titles = {country.row.cca3: country.title for country in plan.countries}
    texts = {each.claim.title: writer.monument(each) for each in plan.monuments}
    for country in plan.countries:
        borders = sorted(titles[code] for code in country.row.borders if code in titles)
        texts[country.title] = writer.country(country, borders)
        if country.title in writer.outlines:
            texts[writer.outlines[country.title]] = writer.outline(country)
    for city in plan.cities:
        texts[city.title] = writer.city(city)
    for water in plan.waters:
        texts[water.claim.title] = writer.water(water)
    for lead in plan.continents:
        texts[lead.title] = writer.plain(lead, "continent")
    for lead in plan.mentioned:
        texts[lead.title] = writer.plain(lead)
    for title, text in texts.items():
        yield Page(title, MAIN, text)
    for name, title in plan.redirects.items():
        yield Page(name, MAIN, f"#REDIRECT [[{title}]]", redirect=title)
    for picture in pictures:
        yield Page(f"File:{picture.file}", FILE, _file_page(picture))


def _writer(plan: Plan, pictures: list[Picture]) -> Writer:
    files = {picture.page: picture.file for picture in pictures}
    sights: dict[str, list[Checked]] = defaultdict(list)
    for each in plan.monuments:
        sights[each.claim.country].append(each)
        if each.claim.city:
            sights[each.claim.city].append(each)
    waters: dict[str, list[WaterClaim]] = defaultdict(list)
    for claim in (water.claim for water in plan.waters):
        # A city says itself which water it lies on; a country and a sea say what waters they have.
        for place in dict.fromkeys((*claim.countries, *claim.cities, claim.mouth)):
            waters[place].append(claim)
    outlined = {
        country.title: outline_title(country)
        for country in plan.countries
        if outline_title(country) in files
    }
    return Writer(plan.names, files, sights, outlined, waters)


def _file_page(picture: Picture) -> str:
    """Author and terms of a picture; the description is the same for all of a kind."""
    return (
        "== Summary ==\n{{Information\n| description = A picture for an article\n"
        f"| source = {picture.source}\n| author = {picture.author}\n"
        f"| permission = {picture.license}\n}}}}\n"
    )
