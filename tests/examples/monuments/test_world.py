"""A world of two monuments and two countries, from their rows to the snapshot."""

import json
from pathlib import Path

import pytest
from PIL import Image

from examples.monuments.articles import Writer
from examples.monuments.boards import Credit, Monument
from examples.monuments.claims import Checked, Claim
from examples.monuments.countries import read_countries
from examples.monuments.export import export_xml
from examples.monuments.leads import read_leads
from examples.monuments.notice import notice
from examples.monuments.pictures import Picture
from examples.monuments.plan import make_plan
from examples.monuments.waters import Water, WaterClaim
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.dump import read_dump
from hopsight.wiki.mini.render.page import MAIN, Page
from hopsight.wiki.snapshot import Snapshot

LEADS = {
    "Alund": (
        "Alund lies beside Boria, on the Long River.",
        "Country in Asia",
        "Geography",
    ),
    "Long River": ("The Long River flows to the sea.", "River", "Geography"),
    "Low Hills": ("The Low Hills are hills.", "", "Geography"),
    "Common Word": ("A Common Word is common.", "", "Arts"),
    "Baths": ("Baths are for washing.", "", "Arts"),
    **{
        name: (f"{name} is a continent.", "Continent", "Geography")
        for name in ("Africa", "Asia", "Europe", "North America", "Oceania", "South America")
    },
}
ROWS = [
    {
        "name": {"common": "Alund", "official": "Realm of Alund"},
        "cca3": "ALU",
        "area": 1234567.5,
        "region": "Asia",
        "capital": ["Alund City"],
        "borders": ["BOR", "XXX"],
        "languages": {"a": "Alundish", "b": "Borish"},
        "currencies": {"ALD": {"name": "Alund crown"}},
        "idd": {"root": "+9", "suffixes": ["7"]},
        "tld": [".al"],
        "demonyms": {"eng": {"f": "Alundian", "m": "Alundian"}},
    },
    {
        "name": {"common": "Boria", "official": "Boria"},
        "cca3": "BOR",
        "area": 20,
        "region": "Asia",
    },
]


LONG_RIVER = WaterClaim("Long River", "river", ("Alund", "Boria"), (), "", "1200", "", ())


def claim(title, **more):
    given = {
        "key": f"alund/{title}",
        "title": title,
        "lead": "",
        "the": True,
        "plural": False,
        "infobox": "building",
        "kind": "tower",
        "city": "",
        "country": "Alund",
        "started": "",
        "completed": "",
        "height_m": "",
        "names": (),
    }
    return Claim(**given | more)


def monument(each, text):
    credit = Credit("An Author", "CC0-1.0", "https://commons.example/x")
    return Checked(each, Monument(each.key, each.title, text, b"", "webp", credit), None)


@pytest.fixture(scope="module")
def plan():
    leads = read_leads(
        json.dumps(
            {
                title: {"title": title, "extract": text, "description": about, "topic": topic}
                for title, (text, about, topic) in LEADS.items()
            }
        ).encode()
    )
    tower = claim(
        "High Tower",
        city="Rivertown",
        started="90",
        completed="1200",
        names=("Tall Tower", "Common Word"),
    )
    baths = claim("Old Baths", plural=True, kind="")
    return make_plan(
        (
            monument(tower, "The High Tower & its [walls] stand by the Low Hills in Alund."),
            monument(baths, "The Baths of Alund."),
        ),
        read_countries(json.dumps(ROWS).encode(), leads),
        (Water(LONG_RIVER, leads.by_title["Long River"]),),
        leads,
    )


@pytest.fixture(scope="module")
def snapshot(plan, tmp_path_factory):
    folder = Path(tmp_path_factory.mktemp("world"))
    sights = {"Alund": plan.monuments, "Rivertown": plan.monuments[:1]}
    writer = Writer(plan.names, {"High Tower": "mon-1.png"}, sights, {}, {"Alund": [LONG_RIVER]})
    texts = {each.claim.title: writer.monument(each) for each in plan.monuments}
    for country in plan.countries:
        texts[country.title] = writer.country(country, ["Boria"] * (country.title == "Alund"))
    texts |= {water.claim.title: writer.water(water) for water in plan.waters}
    texts |= {city.title: writer.city(city) for city in plan.cities}
    texts |= {lead.title: writer.plain(lead) for lead in (*plan.continents, *plan.mentioned)}
    pages = [Page(title, MAIN, text) for title, text in texts.items()]
    pages += [
        Page(name, MAIN, f"#REDIRECT [[{title}]]", title) for name, title in plan.redirects.items()
    ]
    (folder / "world.xml").write_text(export_xml(pages), encoding="utf-8")
    (folder / "pictures").mkdir()
    Image.new("RGB", (600, 600), "red").save(folder / "pictures" / "mon-1.png")
    row = {"file": "mon-1.png", "license": "CC0-1.0", "author": "An Author"}
    (folder / "pictures.jsonl").write_text(json.dumps(row) + "\n")
    return Snapshot(
        build_snapshot(
            folder / "world.xml",
            folder / "pictures",
            folder / "pictures.jsonl",
            ImageStore(folder / "store"),
        )
    )


def facts(snapshot, title):
    page_id = next(i for i in snapshot.ids() if snapshot.page(i).title == title)
    return {(fact.attribute, fact.value) for fact in snapshot.facts(page_id)}


def test_only_articles_that_the_texts_mention_by_name_are_pages(plan):
    assert [lead.title for lead in plan.mentioned] == ["Low Hills"]
    assert [city.title for city in plan.cities] == ["Alund City", "Rivertown"]
    assert plan.redirects == {"Realm of Alund": "Alund", "Tall Tower": "High Tower"}


def test_every_fact_has_a_sentence_and_nothing_is_rejected(snapshot):
    found = [fact for page_id in snapshot.ids() for fact in snapshot.facts(page_id)]
    assert [fact for fact in found if fact.evidence is None] == []
    assert snapshot.tables.rejected == ()


def test_a_monument_states_its_claims(snapshot):
    assert facts(snapshot, "High Tower") == {
        ("kind", "tower"),
        ("city", "Rivertown"),
        ("country", "Alund"),
        ("started", "90"),
        ("completed", "1200"),
    }
    assert facts(snapshot, "Old Baths") == {("country", "Alund")}
    assert facts(snapshot, "Rivertown") == {("country", "Alund")}


def test_a_country_states_what_the_table_says(snapshot):
    assert facts(snapshot, "Alund") == {
        ("capital", "Alund City"),
        ("continent", "Asia"),
        ("borders", "Boria"),
        ("area_km2", "1,234,567.5"),
        ("languages", "Alundish"),
        ("languages", "Borish"),
        ("currency", "Alund crown"),
        ("calling_code", "+97"),
        ("tld", ".al"),
        ("iso3", "ALU"),
        ("demonym", "Alundian"),
    }


def test_prose_reads_well_and_shows_the_packages_words(snapshot):
    page_id = next(i for i in snapshot.ids() if snapshot.page(i).title == "High Tower")
    text = snapshot.page(page_id).text
    assert text.startswith("The High Tower is a sight of Rivertown, Alund.")
    assert "The High Tower & its [walls] stand by the Low Hills in Alund." in text
    assert "The construction of the High Tower was begun in AD 90." in text
    assert snapshot.image(page_id).image.author == "An Author"
    baths = next(i for i in snapshot.ids() if snapshot.page(i).title == "Old Baths")
    assert "The Old Baths are in the country of Alund." in snapshot.page(baths).text


def test_the_export_reads_back_as_it_was_written(tmp_path):
    pages = [Page("B & <c>", MAIN, "a < b &amp; c"), Page("A", MAIN, "#REDIRECT [[B]]", 'B "b"')]
    (tmp_path / "world.xml").write_text(export_xml(pages), encoding="utf-8")
    read = list(read_dump(tmp_path / "world.xml"))
    assert [(page.title, page.text, page.redirect) for page in read] == [
        ("A", "#REDIRECT [[B]]", 'B "b"'),
        ("B & <c>", "a < b &amp; c", None),
    ]


def test_the_notice_names_author_terms_and_source_of_every_picture():
    picture = Picture(
        "High Tower", "photograph", "mon-1.png", b"", 1, 1, "CC0-1.0", "A | B", "https://x", ()
    )
    line = "| mon-1.png | High Tower | photograph | A \\| B | CC0-1.0 | https://x |"
    assert line in notice([picture]).splitlines()
