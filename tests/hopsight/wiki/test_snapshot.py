from dataclasses import replace

import pytest

from hopsight.errors import SourceError, StoreError
from hopsight.store import DataStore
from hopsight.store.images import ImageStore
from hopsight.types import PageImage
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.tables import write_tables
from tests.worlds import Pictures


@pytest.fixture
def tables(export, redirect, tmp_path):
    path = export(
        (
            "Georgia (country)",
            "{{Infobox country|capital=[[Tbilisi]]}} Its capital is [[Tbilisi]].",
        ),
        ("Tbilisi", "{{Infobox city|country=[[Georgia (country)|Georgia]]}} In [[Sakartvelo]]."),
        ("Batumi", "{{Infobox city|country=[[Georgia (country)]]}} '''Batumi''' or '''Port'''."),
        ("Poti", "'''Poti''' or '''Port''', after [[Tbilisi]] and [[Batumi]]."),
        redirect("Sakartvelo", "Georgia (country)"),
    )
    return build_snapshot(path, None, None, ImageStore(tmp_path / "store"))


@pytest.fixture
def snapshot(tables):
    return Snapshot(tables)


def test_pages_are_found_by_id_title_redirect_and_address(snapshot):
    assert snapshot.ids() == (1, 2, 3, 4)
    assert snapshot.page(2).title == "Tbilisi"
    assert snapshot.by_title("georgia_(country)") == 1
    assert snapshot.by_title("Sakartvelo") == 1
    assert snapshot.by_title("Atlantis") is None
    assert snapshot.by_url(snapshot.page(2).url + "#History") == 2


def test_a_name_that_two_pages_share_leads_nowhere(snapshot):
    assert snapshot.by_title("Port") is None


def test_an_unknown_page_is_an_error_with_a_remedy(snapshot):
    with pytest.raises(SourceError, match="no page 77"):
        snapshot.page(77)


def test_names_hold_title_bare_title_and_aliases(snapshot):
    assert snapshot.names(1) == ("Georgia (country)", "Georgia", "Sakartvelo")


def test_relations_are_found_from_both_ends(snapshot):
    assert [fact.value_page for fact in snapshot.facts(1)] == [2]
    assert [fact.page_id for fact in snapshot.facts_with_value("country", 1)] == [2, 3]
    assert snapshot.facts_with_value("capital", 1) == ()


def test_links_come_in_the_order_of_the_text(snapshot):
    assert [link.target for link in snapshot.links(4)] == [2, 3]
    assert snapshot.linked(2, 1)
    assert not snapshot.linked(3, 1)


def test_a_page_without_a_picture_has_none(snapshot):
    assert snapshot.image(1) is None


def test_a_stored_snapshot_answers_as_the_built_one(tables, snapshot, tmp_path):
    store = DataStore(tmp_path / "data")
    write_tables(tables, store)

    loaded = Snapshot.load(store)

    assert loaded.tables.pages == tables.pages
    for page_id in snapshot.ids():
        assert loaded.facts(page_id) == snapshot.facts(page_id)
        assert loaded.links(page_id) == snapshot.links(page_id)
        assert loaded.names(page_id) == snapshot.names(page_id)
    assert loaded.facts_with_value("country", 1) == snapshot.facts_with_value("country", 1)


def test_pictures_come_back_from_a_store_in_the_order_of_the_page(tables, tmp_path):
    pictures = Pictures()
    shown = [
        PageImage(
            page_id=1, file=f"{n}.png", place=n, image=pictures.add(n), visual_facts=(), text=()
        )
        for n in range(6)
    ]
    store = DataStore(tmp_path / "data")
    write_tables(replace(tables, images=tuple(shown)), store)

    loaded = Snapshot.load(store)

    assert list(loaded.images(1)) == shown
    assert loaded.image(1) == shown[0]


def test_a_store_without_a_snapshot_is_an_error(tmp_path):
    with pytest.raises(StoreError):
        Snapshot.load(DataStore(tmp_path / "data"))
