import io
import json
import logging

import pyarrow as pa
import pytest
from PIL import Image

from hopsight.errors import SourceError
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot, build_tables
from hopsight.wiki.dump import read_dump, read_site
from hopsight.wiki.titles import Namespaces, TitleIndex


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
    assert reasons(tables) == {"redirect_to_section": "1 redirects: Delta"}


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

    assert reasons(tables) == {
        "redirect_cycle": "2 redirects: B, C",
        "redirect_to_nowhere": "1 redirects: D",
    }


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


def _selection(path, store, wanted, **options):
    """Tables of some pages of an export, with the titles of all of it."""
    site = read_site(path)
    titles = TitleIndex(Namespaces(site))
    pages = [page for page in read_dump(path) if titles.add(page)]
    chosen = [page for page in pages if page.title in wanted]
    given = {"in_degree": None, "closed": lambda _: False, "pictures": None} | options
    return build_tables(chosen, site, titles, images=store, entered=len(pages), **given)


def test_what_leads_out_of_a_selection_is_counted_not_kept(export, store, redirect):
    path = export(
        ("A", "{{Infobox city|mayor=[[C]]|country=[[B]]}} By [[B]] and [[C|her]]."),
        ("B", "x"),
        ("C", "x"),
        redirect("See", "C"),
        redirect("Bee", "B"),
    )

    tables = _selection(path, store, {"A", "B"})

    assert [(link.source, link.target) for link in tables.links] == [(1, 2)]
    assert [(fact.value, fact.value_page) for fact in tables.facts] == [("B", 2), ("C", None)]
    assert [alias.name for alias in tables.aliases] == ["Bee"]
    assert reasons(tables) == {
        "link_to_page_left_out": "1 links: her",
        "value_page_left_out": "1 values: C",
        "redirect_to_page_left_out": "1 redirects: See",
    }


def test_in_degree_and_closedness_of_a_selection_come_from_outside(export, store):
    path = export(("A", "[[B]]"), ("B", "x"), ("C", "[[B]]"))

    tables = _selection(
        path, store, {"A", "B"},
        in_degree={1: 0, 2: 2}.__getitem__, closed={1}.__contains__, in_degree_counts="pagelinks",
    )  # fmt: skip

    assert [(page.in_degree, page.closed) for page in tables.pages] == [(0, True), (2, False)]
    assert tables.in_degree_counts == "pagelinks"


def test_a_link_to_a_page_that_could_not_be_taken_is_counted(export, store):
    tables = build_snapshot(export(("A", "[[B]]"), ("B", "y " * 2_000_001)), None, None, store)

    assert tables.links == ()
    assert set(reasons(tables)) == {"page_too_large", "link_to_page_left_out"}


def test_every_page_of_a_wholly_read_wiki_is_closed(export, store):
    assert all(page.closed for page in build_snapshot(export(("A", "x")), None, None, store).pages)


def test_the_titles_may_know_of_a_disambiguation_that_the_text_hides(export, store):
    path = export(("A", "[[B]]"), ("B", "'''Bee''' may be [[A]] {{odd}}"))
    site = read_site(path)
    titles = TitleIndex(Namespaces(site))
    pages = [page for page in read_dump(path) if titles.add(page)]
    titles.barred[2] = "link_to_disambiguation"  # as a table of page properties tells
    tables = build_tables(
        pages, site, titles, in_degree=None, closed=lambda _: True, pictures=None, images=store,
        entered=2,
    )  # fmt: skip

    assert by_title(tables)["B"].is_disambiguation
    assert by_title(tables)["A"].in_degree == 0
    assert tables.aliases == ()


def test_part_files_make_one_world(export, store):
    whole = export(("A", "To [[B]]."), ("B", "x"), ("C", "[[A]]"))
    text = whole.read_text()
    head, cut = text[: text.index("<page>")], text.index("<page><title>B")
    parts = (whole.with_name("1.xml"), whole.with_name("2.xml.zst"))
    parts[0].write_text(text[:cut] + "</mediawiki>")
    parts[1].write_bytes(pa.compress(f"{head}{text[cut:]}".encode(), "zstd", asbytes=True))

    assert build_snapshot(parts, None, None, store) == build_snapshot(whole, None, None, store)


def test_file_pages_are_read_only_for_pictures_that_are_at_hand(export, store, tmp_path):
    folder, sidecar = _pictures(tmp_path, {"file": "flag.png"})
    path = export(
        ("A", "{{Infobox country|image=Flag.png}}"),
        ("File:Flag.png", "{{Information|author=Ann|permission=CC0}}", 6, None),
        ("File:Elsewhere.png", "{{Information|author=Bob}}", 6, None),
    )

    tables = build_snapshot(path, folder, sidecar, store)

    assert [image.image.author for image in tables.images] == ["Ann"]
    assert reasons(tables) == {"page_of_other_namespace": "1 pages: File:Elsewhere.png"}


def test_the_sidecar_may_name_the_page_of_a_picture_that_no_text_names(export, store, tmp_path):
    row = {"file": "flag.png", "title": "Alpha", "license": "CC0-1.0", "author": "A"}
    folder, sidecar = _pictures(tmp_path, row)
    path = export(("Alpha", "'''Alpha''' is a land."), ("Beta", "'''Beta''' is a land."))
    images = build_snapshot(path, folder, sidecar, store).images
    assert [(image.page_id, image.file) for image in images] == [(1, "flag.png")]


def test_a_redirect_to_a_section_is_no_name_though_the_export_hides_the_section(export, store):
    path = export(("River", "text"), ("Its course", "#REDIRECT [[River#Course]]", 0, "River"))
    tables = build_snapshot(path, None, None, store)
    assert tables.aliases == ()
    assert [row.reason for row in tables.rejected] == ["redirect_to_section"]


def _several(tmp_path, count=12):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(count):
        Image.new("RGB", (16 + number, 8), "red").save(folder / f"p{number:02}.png")
    sidecar = tmp_path / "pictures.jsonl"
    rows = [
        {"file": f"p{number:02}.png", "title": "A" if number > 9 else "", "license": "CC0"}
        for number in range(count)
    ]
    sidecar.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder, sidecar


def test_a_page_keeps_several_pictures_the_one_it_leads_with_first(export, store, tmp_path):
    folder, sidecar = _several(tmp_path)
    text = "[[File:p01.png|thumb]] [[File:P03.png]] [[File:gone.png]]"
    path = export(("A", "{{Infobox city|image=p03.png}} " + text))

    tables = build_snapshot(path, folder, sidecar, store)

    files = [image.file for image in tables.images]
    assert files == ["p03.png", "p01.png", "p10.png", "p11.png"]
    assert reasons(tables) == {"picture_missing": "1 files: Gone.png"}


def test_no_more_than_eight_pictures_of_a_page_are_kept_and_the_rest_is_told(
    export, store, tmp_path
):
    folder, sidecar = _several(tmp_path)
    names = "".join(f"[[File:p{number:02}.png]] " for number in range(10))
    tables = build_snapshot(export(("A", names)), folder, sidecar, store)

    assert [image.file for image in tables.images] == [f"p{number:02}.png" for number in range(8)]
    detail = "4 files: P08.png, P09.png, p10.png, p11.png"
    assert reasons(tables) == {"picture_beyond_limit": detail}


def test_nothing_stands_in_for_the_picture_that_a_page_leads_with(export, store, tmp_path):
    folder, sidecar = _several(tmp_path, 2)
    path = export(("B", "{{Infobox city|image=gone.png}} [[File:p01.png]]"))

    tables = build_snapshot(path, folder, sidecar, store)

    assert tables.images == ()
    assert reasons(tables) == {
        "picture_missing": "Gone.png",
        "picture_without_lead": "1 files: P01.png",
    }
