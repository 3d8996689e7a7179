import io
import json
import logging

import pytest
from PIL import Image

from hopsight.errors import SourceError
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot


@pytest.fixture
def store(tmp_path):
    return ImageStore(tmp_path / "store")


def reasons(tables):
    return {row.reason: row.detail for row in tables.rejected}


def by_title(tables):
    return {page.title: page for page in tables.pages}


def test_articles_become_pages_with_text_domain_and_address(export, store):
    path = export(("Danube (river)", "{{Infobox river|length_km=2850}}\nIt is 2850 km long."))

    (page,) = build_snapshot(path, None, None, store).pages

    assert (page.page_id, page.revision, page.text) == (1, 1001, "It is 2850 km long.")
    assert (page.infobox, page.domain) == ("river", "location")
    assert page.url == "https://test.invalid/wiki/Danube_(river)"


def test_links_through_redirects_reach_the_article(export, store, redirect):
    path = export(
        ("Vienna", "On the [[Donau]] and the [[Delta]]."),
        redirect("Donau", "Duna"),
        redirect("Duna", "Danube"),
        redirect("Delta", "Danube#Delta"),
        ("Danube", "x"),
    )

    tables = build_snapshot(path, None, None, store)

    assert [(link.source, link.target, link.anchor) for link in tables.links] == [
        (1, 5, "Donau"),
        (1, 5, "Delta"),
    ]
    assert [(alias.page_id, alias.name) for alias in tables.aliases] == [(5, "Donau"), (5, "Duna")]
    assert reasons(tables) == {"redirect_to_section": "Delta → Danube#Delta"}


def test_a_link_to_nowhere_is_counted_and_rejected(export, store):
    path = export(("A", "To [[Nowhere]], [[Nowhere|there]] and [[Gone]]. To [[A]]."))

    tables = build_snapshot(path, None, None, store)

    assert tables.links == ()
    assert reasons(tables) == {
        "link_to_nowhere": "3 links: Nowhere (2), Gone",
        "link_to_itself": "1 links: A",
    }
    assert {row.record_id for row in tables.rejected} == {"wiki:1"}


def test_links_to_lists_disambiguations_and_other_namespaces_are_rejected(export, store):
    path = export(
        ("A", "See [[List of things]], [[Mercury]], [[Help:Me]] and [[wikt:a|a]]."),
        ("List of things", "* [[A]]"),
        ("Mercury", "'''Mercury''' may be [[A]]. {{disambig}}"),
    )

    tables = build_snapshot(path, None, None, store)

    assert set(reasons(tables)) == {
        "link_to_list", "link_to_disambiguation", "link_to_other_namespace", "link_to_other_wiki",
    }  # fmt: skip
    pages = by_title(tables)
    assert pages["List of things"].is_list
    assert pages["Mercury"].is_disambiguation


def test_in_degree_counts_articles_that_link_in_prose_once_each(export, store):
    path = export(
        ("A", "x"),
        ("B", "[[A]] and [[A|again]]. {{Navbox|[[C]]}}"),
        ("C", "[[A]]"),
        ("List of all", "[[A]] [[B]]"),
    )

    tables = build_snapshot(path, None, None, store)

    assert {title: page.in_degree for title, page in by_title(tables).items()} == {
        "A": 2,
        "B": 0,
        "C": 0,
        "List of all": 0,
    }
    assert tables.in_degree_counts == "prose"


def test_pages_of_other_namespaces_are_counted_not_silent(export, store):
    path = export(("A", "x"), ("Template:T", "y", 10, None), ("Template:U", "y", 10, None))

    tables = build_snapshot(path, None, None, store)

    assert reasons(tables) == {"page_of_other_namespace": "2 pages: Template:T, Template:U"}
    assert tables.entered == 3


def test_redirects_that_lead_nowhere_or_in_circles_are_rejected(export, store, redirect):
    path = export(("A", "x"), redirect("B", "C"), redirect("C", "B"), redirect("D", "Gone"))

    tables = build_snapshot(path, None, None, store)

    assert sorted((row.reason, row.record_id) for row in tables.rejected) == [
        ("redirect_cycle", "wiki:redirect:B"),
        ("redirect_cycle", "wiki:redirect:C"),
        ("redirect_to_nowhere", "wiki:redirect:D"),
    ]


def test_a_page_that_comes_twice_is_taken_once(export, store):
    tables = build_snapshot(export(("A", "one"), ("A", "two")), None, None, store)

    assert [page.text for page in tables.pages] == ["one"]
    assert set(reasons(tables)) == {"duplicate_page"}


def test_a_page_that_comes_twice_with_one_id_is_taken_once(export, store):
    path = export(("A", "To [[B]]."), ("B", "two"))
    text = path.read_text()
    page = text[text.index("<page><title>A") : text.index("<page><title>B")]
    path.write_text(text.replace("</mediawiki>", page + "</mediawiki>"))

    tables = build_snapshot(path, None, None, store)

    assert [page.title for page in tables.pages] == ["A", "B"]
    assert set(reasons(tables)) == {"duplicate_page"}


def test_file_pages_are_counted_where_no_pictures_are_wanted(export, store):
    path = export(("A", "x"), ("File:X.png", "{{Information|author=Ann}}", 6, None))

    tables = build_snapshot(path, None, None, store)

    assert reasons(tables) == {"page_of_other_namespace": "1 pages: File:X.png"}


def test_bold_names_of_the_lead_are_aliases(export, store):
    path = export(("Danube", "The '''Danube''' ('''Donau''') is a river."))

    tables = build_snapshot(path, None, None, store)

    assert [alias.name for alias in tables.aliases] == ["Donau"]


def test_a_page_beyond_mediawikis_own_limit_is_rejected(export, store):
    tables = build_snapshot(export(("A", "x"), ("B", "y " * 2_000_001)), None, None, store)

    assert [page.title for page in tables.pages] == ["A"]
    assert set(reasons(tables)) == {"page_too_large"}


def test_an_export_of_redirects_alone_is_an_empty_world(export, store, redirect):
    with pytest.raises(SourceError, match="holds no article"):
        build_snapshot(export(redirect("A", "B")), None, None, store)


def _pictures(tmp_path, *rows):
    folder = tmp_path / "pictures"
    folder.mkdir()
    out = io.BytesIO()
    Image.new("RGB", (16, 8), "red").save(out, "PNG")
    (folder / "flag.png").write_bytes(out.getvalue())
    (folder / "bad.png").write_bytes(b"no picture")
    sidecar = tmp_path / "pictures.jsonl"
    sidecar.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder, sidecar


def test_pictures_are_taken_and_bad_ones_are_rejected_not_fatal(export, store, tmp_path):
    folder, sidecar = _pictures(
        tmp_path,
        {"file": "flag.png", "license": "CC0", "author": "a", "visual_facts": ["red"]},
        {"file": "bad.png", "license": "CC0", "author": "a"},
    )
    path = export(
        ("A", "{{Infobox country|image=flag.png}}"),
        ("B", "{{Infobox country|image=bad.png}}"),
        ("C", "{{Infobox country|image=none.png}}"),
    )

    tables = build_snapshot(path, folder, sidecar, store)

    assert [(image.page_id, image.visual_facts) for image in tables.images] == [(1, ("red",))]
    assert sorted(row.reason for row in tables.rejected) == ["picture_missing", "picture_unusable"]


def test_the_file_page_gives_the_licence_the_sidecar_lacks(export, store, tmp_path):
    folder, sidecar = _pictures(tmp_path, {"file": "flag.png"})
    path = export(
        ("A", "{{Infobox country|image=Flag.png}}"),
        ("File:Flag.png", "{{Information|author=Ann|permission=CC-BY-4.0}}", 6, None),
    )

    (image,) = build_snapshot(path, folder, sidecar, store).images

    assert (image.image.license, image.image.author) == ("CC-BY-4.0", "Ann")


def test_the_same_export_gives_the_same_records(export, store):
    path = export(
        ("A", "{{Infobox city|country=[[B]]|twin=[[X]], [[Y]]}} In [[B]]. [[Z]]"), ("B", "[[A]]")
    )

    assert build_snapshot(path, None, None, store) == build_snapshot(path, None, None, store)


def test_the_build_says_what_in_degree_counts(export, store, caplog):
    with caplog.at_level(logging.INFO):
        build_snapshot(export(("A", "x")), None, None, store)

    assert "in_degree_counts=prose" in caplog.text
