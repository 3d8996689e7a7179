"""The world of monuments, built from the real packages: counts, licences, facts, paths."""

import csv
import io
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from curation.paths import enumerate_paths
from curation.recipe import path_rules
from curation.seeds import seed_entities
from examples.monuments.build import build, main
from examples.monuments.claims import TABLE
from examples.monuments.flags import draw_flag
from examples.monuments.packages import LEADS, PACKAGES
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.errors import PictureError
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.snapshot import Snapshot

CONFIG = RoundConfig()

FACTS = {
    "Taj Mahal": {("city", "Agra"), ("country", "India"), ("kind", "mausoleum")},
    "Eiffel Tower": {
        ("city", "Paris"),
        ("country", "France"),
        ("kind", "tower"),
        ("started", "1887"),
        ("completed", "1889"),
    },
    "Colosseum": {
        ("city", "Rome"),
        ("country", "Italy"),
        ("kind", "amphitheatre"),
        ("started", "72"),
        ("completed", "80"),
    },
    "Christ the Redeemer (statue)": {
        ("city", "Rio de Janeiro"),
        ("country", "Brazil"),
        ("started", "1922"),
        ("completed", "1931"),
        ("height_m", "30"),
    },
    "Machu Picchu": {("country", "Peru"), ("kind", "citadel")},
    "Charminar": {
        ("city", "Hyderabad"),
        ("country", "India"),
        ("kind", "monument"),
        ("completed", "1591"),
    },
    "Brandenburg Gate": {("city", "Berlin"), ("country", "Germany")},
    "Schwerin Palace": {("country", "Germany"), ("kind", "palace"), ("completed", "1857")},
    "Castillo de San Marcos": {
        ("city", "St. Augustine"),
        ("country", "United States"),
        ("completed", "1695"),
    },
    "Red Pyramid": {("country", "Egypt"), ("kind", "pyramid"), ("height_m", "104")},
}
"""What an encyclopedia says of ten monuments, as far as the world states it."""


@pytest.fixture(scope="module")
def packages():
    folder = os.environ.get("HOPSIGHT_MONUMENTS_PACKAGES")
    assert folder, "run tests/services/run, which fetches the packages and says where they are"
    return Path(folder)


@pytest.fixture(scope="module")
def world(packages, tmp_path_factory):
    out = Path(tmp_path_factory.mktemp("monuments"))
    build(packages, out)
    return out


@pytest.fixture(scope="module")
def rows(world):
    lines = (world / "pictures.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def tables(world, tmp_path_factory):
    store = ImageStore(Path(tmp_path_factory.mktemp("store")))
    return build_snapshot(world / "world.xml", world / "pictures", world / "pictures.jsonl", store)


@pytest.fixture(scope="module")
def monuments():
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return {row["title"] for row in csv.DictReader(stream)}


def test_the_world_ingests_whole(tables):
    assert len(tables.pages) >= 1000
    assert len(tables.links) >= 5000
    assert len(tables.facts) >= 3300
    assert len(tables.aliases) >= 500
    assert len(tables.images) >= 450
    assert tables.rejected == ()
    assert [fact for fact in tables.facts if fact.evidence is None] == []
    assert max(page.in_degree for page in tables.pages) <= CONFIG.explore.max_hub_in_degree


def test_every_picture_opens_and_has_its_author_terms_and_source(world, rows, monuments):
    notice = (world / "NOTICE.md").read_text(encoding="utf-8")
    for row in rows:
        with Image.open(world / "pictures" / row["file"]) as image:
            image.load()
            assert image.size == (row["width"], row["height"])
        assert row["author"]
        assert row["license"]
        assert row["source"].startswith("https://")
        assert f"| {row['file']} | {row['title']} |" in notice
        assert row["title"].casefold() not in row["file"]
    photographs = [row for row in rows if row["kind"] == "photograph"]
    assert {row["title"] for row in photographs} == monuments
    terms = Counter(row["license"] for row in photographs)
    assert terms == {"Public domain": 30, "CC0-1.0": 16, "CC-BY-SA-4.0": 3}
    assert all("commons.wikimedia.org" in row["source"] for row in photographs)
    kinds = Counter(row["kind"] for row in rows)
    assert kinds["flag"] >= 240
    assert kinds["outline"] >= 165


def test_no_flag_stands_for_two_countries(world, rows):
    flags = [row["sha256"] for row in rows if row["kind"] == "flag"]
    assert len(set(flags)) == len(flags)
    facts = {row["title"]: row["visual_facts"] for row in rows}
    assert facts["Mali"] == [
        "three vertical bands, from left to right: green, yellow, red",
        "the flag is wider than high",
    ]
    assert facts["Nepal"] == []


@pytest.mark.parametrize("title", FACTS)
def test_the_facts_of_ten_monuments_are_right(tables, title):
    page_id = next(page.page_id for page in tables.pages if page.title == title)
    stated = {(fact.attribute, fact.value) for fact in tables.facts if fact.page_id == page_id}
    assert stated == FACTS[title]


def test_countries_know_their_capitals_neighbours_and_codes(tables):
    page_id = next(page.page_id for page in tables.pages if page.title == "France")
    stated = {(fact.attribute, fact.value) for fact in tables.facts if fact.page_id == page_id}
    assert {
        ("capital", "Paris"),
        ("continent", "Europe"),
        ("area_km2", "551,695"),
        ("borders", "Spain"),
        ("currency", "Euro"),
        ("languages", "French"),
        ("calling_code", "+33"),
        ("iso3", "FRA"),
    } <= stated
    neighbours = {value for attribute, value in stated if attribute == "borders"}
    assert neighbours == {
        *("Andorra", "Belgium", "Germany", "Italy", "Luxembourg", "Monaco", "Spain"),
        "Switzerland",
    }


def test_most_monuments_start_a_path_of_two_hops(tables, monuments):
    snapshot = Snapshot(tables)
    rules = CONFIG.seed_entities
    seeds = seed_entities(
        snapshot,
        count=len(tables.pages),
        weights=rules.per_domain,
        min_in_degree=rules.min_in_degree,
        max_in_degree=rules.max_in_degree,
        min_picture_px=rules.min_picture_px,
        seed=CONFIG.seed,
    ).kept
    walker = Walker(snapshot, path_rules(CONFIG))
    starting = [
        page.title
        for page in seeds
        if page.title in monuments and next(iter(enumerate_paths(walker, [page], (2,))), None)
    ]
    assert len(starting) >= 40


def test_the_same_packages_give_the_same_bytes(packages, world, tmp_path):
    build(packages, tmp_path)
    names = sorted(path.relative_to(world) for path in world.rglob("*") if path.is_file())
    again = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert names == again
    changed = [
        name for name in names if (world / name).read_bytes() != (tmp_path / name).read_bytes()
    ]
    assert changed == []


def test_a_changed_package_is_refused_by_the_command(packages, tmp_path, caplog):
    for package in PACKAGES:
        (tmp_path / package.file).write_bytes((packages / package.file).read_bytes())
    with (tmp_path / LEADS.file).open("ab") as stream:
        stream.write(b"more")
    assert main([str(tmp_path / "out"), "--packages", str(tmp_path)]) == 1
    assert "is not the file that its sha256 names" in caplog.text
    assert not (tmp_path / "out").exists()


def svg(body, box="0 0 3 2"):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">'
    return f"{head}{body}</svg>".encode()


def test_a_flag_is_drawn_on_white_with_512_pixels_on_its_shorter_side():
    flag = draw_flag(svg('<path fill="#f00" d="M0 0h1v2H0z"/>'))
    assert flag.size == (768, 512)
    assert flag.getpixel((10, 10)) == (255, 0, 0)
    assert flag.getpixel((700, 10)) == (255, 255, 255)
    assert draw_flag(svg("", "0 0 2 3")).size == (512, 768)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"<svg",
        svg('<image href="/etc/passwd"/>'),
        svg('<use href="other.svg#a"/>'),
        svg("<text>words</text>"),
        svg("", "0 0 100 1"),
        b'<!DOCTYPE svg [<!ENTITY a "a">]>' + svg(""),
    ],
)
def test_a_drawing_that_is_none_or_reaches_outside_is_refused(data):
    with pytest.raises(PictureError):
        draw_flag(data)


def test_pictures_keep_the_photographs_own_bytes(world, rows):
    for row in rows:
        if row["kind"] == "photograph":
            data = (world / "pictures" / row["file"]).read_bytes()
            assert Image.open(io.BytesIO(data)).format == "WEBP"
