import asyncio
import time
from pathlib import Path

import pytest

from hopsight.errors import StoreError
from hopsight.harness.backends.build import build_local_index
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.backends.markdown import with_links
from tests.hopsight.harness import world as w


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def test_a_page_reads_as_title_infobox_and_linked_prose(world: w.World) -> None:
    page = asyncio.run(world.backend.visit(f"{w.HOST}Alda"))
    assert page is not None
    assert page.markdown == (
        "# Alda\n\n"
        "| attribute | value |\n| --- | --- |\n"
        "| countries | Norland, Ost\\|land |\n"
        f"| mouth | [Grey Sea]({w.HOST}Grey_Sea) |\n\n"
        f"Alda is a river. It flows through [Bergen]({w.HOST}Bergen) and ends in the "
        f"[Grey Sea]({w.HOST}Grey_Sea).\n"
    )
    assert page.images == world.shown[:1]


def test_sections_are_headings_of_the_page(world: w.World) -> None:
    page = asyncio.run(world.backend.visit(f"{w.HOST}Bergen"))
    assert page is not None
    assert "\n## History\n" in page.markdown


@pytest.mark.parametrize(
    "url",
    [
        "https://wiki.example/wiki/Grey_Sea",
        "http://WIKI.example/wiki/Grey Sea#Depth",
        "wiki.example/wiki/Grey%20Sea/",
    ],
)
def test_one_page_answers_to_the_forms_of_its_address(world: w.World, url: str) -> None:
    page = asyncio.run(world.backend.visit(url))
    assert page is not None
    assert page.title == "Grey Sea"


def test_an_unknown_address_is_no_page(world: w.World) -> None:
    for url in ("https://elsewhere.example/Alda", "", "file:///etc/passwd", "\ud800"):
        assert asyncio.run(world.backend.visit(url)) is None


def test_pages_are_found_by_other_names_and_by_infobox_values(world: w.World) -> None:
    assert asyncio.run(world.backend.web_search("Mare Griseum", 1))[0].title == "Grey Sea"
    assert asyncio.run(world.backend.web_search("Norland", 1))[0].title == "Alda"


def test_image_search_finds_only_pages_with_pictures(world: w.World) -> None:
    hits = asyncio.run(world.backend.image_search("Bergen", 3))
    assert [(hit.page_title, hit.image) for hit in hits] == [("Bergen", world.shown[1])]
    assert asyncio.run(world.backend.image_search("Grey Sea", 3)) == []


def test_a_word_inside_another_word_is_no_anchor() -> None:
    text = "Romania is not Roma."
    link = w.link(1, 2, "Bergen").model_copy(update={"anchor": "Roma", "start": 0, "end": 20})
    assert with_links(text, [link], {2: "u"}) == "Romania is not [Roma](u)."


def test_two_links_of_one_anchor_take_two_places() -> None:
    base = w.link(1, 2, "Bergen").model_copy(update={"anchor": "Ada", "start": 0, "end": 12})
    text = "Ada and Ada."
    links = [base, base.model_copy(update={"target": 3})]
    linked = with_links(text, links, {2: "u", 3: "v"})
    assert sorted(linked.removesuffix(".").split(" and ")) == ["[Ada](u)", "[Ada](v)"]


def test_the_order_of_records_does_not_change_the_index(world: w.World, tmp_path: Path) -> None:
    other = build_local_index(
        w.PAGES[::-1], w.LINKS[::-1], w.FACTS[::-1], w.ALIASES, (), world.images.bytes,
        tmp_path / "index",
    )  # fmt: skip
    for query in ("Alda", "city on a river", "sea"):
        found = asyncio.run(other.web_search(query, 5))
        assert found == asyncio.run(world.backend.web_search(query, 5)) != []
    for name in ("Alda", "Bergen"):
        ours, theirs = (
            asyncio.run(backend.visit(w.HOST + name)) for backend in (other, world.backend)
        )
        assert ours is not None
        assert theirs is not None
        assert ours.markdown == theirs.markdown


def test_opening_is_quick(world: w.World) -> None:
    start = time.process_time()
    LocalBackend(world.root / "index")
    assert time.process_time() - start < 1.0


def test_a_missing_or_older_index_names_the_remedy(world: w.World, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="build it"):
        LocalBackend(tmp_path)
    (tmp_path / "index.json").write_text('{"format": 0}')
    with pytest.raises(StoreError, match="format 0"):
        LocalBackend(tmp_path)
