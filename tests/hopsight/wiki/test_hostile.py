"""What a world may hold that nobody wishes for: no silent gap, no page of hours."""

import bz2

import pytest

from hopsight.errors import SourceError
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot


@pytest.fixture
def build(tmp_path):
    return lambda path: build_snapshot(path, None, None, ImageStore(tmp_path / "store"))


def reasons(tables):
    return {row.reason: row.detail for row in tables.rejected}


def links(tables):
    titles = {page.page_id: page.title for page in tables.pages}
    return [(titles[link.source], titles[link.target]) for link in tables.links]


@pytest.mark.parametrize("title", ['Say "Hi"', "It's (a) 'test'", "A),('b", "C & D", "Ä/ö: 100 %"])
def test_a_title_with_quotes_and_parentheses_is_kept_as_it_is(export, build, title):
    tables = build(export((title, "x"), ("Other", f"To [[{title}]] and [[{title}|it]].")))

    assert tables.pages[0].title == title
    assert links(tables) == [("Other", title)] * 2
    assert " " not in tables.pages[0].url


def test_a_page_of_five_megabytes_is_one_rejection_and_no_gap(export, build):
    tables = build(export(("A", "To [[B]]."), ("B", "z" * 5_000_000), ("C", "To [[A]].")))

    assert [page.title for page in tables.pages] == ["A", "C"]
    assert reasons(tables) == {
        "page_too_large": "5000000 characters of wikitext",
        "link_to_page_left_out": "1 links: B",
    }


def test_text_beyond_what_an_xml_reader_takes_is_an_error_that_names_the_page_before(export, build):
    with pytest.raises(SourceError, match="after page 'A'"):
        build(export(("A", "x"), ("B", "z" * 11_000_000)))


@pytest.mark.parametrize(
    "piece", ["<b>", "[[File:a|", "{{x|", "[[A|", "<ref name=", "<nowiki>", "{{Infobox a\n\n"]
)
def test_marks_that_are_never_closed_do_not_keep_the_parser_busy(export, build, piece):
    tables = build(export(("A", "x"), ("B", piece * 20_000)))

    assert [page.title for page in tables.pages] == ["A"]
    assert set(reasons(tables)) == {"page_unparsable"}


@pytest.mark.parametrize(
    "text", ["A. B " * 20_000, "{{Infobox a|b=(" + "c, " * 20_000 + ")}}", "[[B]] " * 5_000,
             "\n== a ==" * 5_000, "(" * 50_000, "'' " * 10_000],
    ids=["stops", "commas", "links", "headings", "brackets", "italics"],
)  # fmt: skip
def test_a_page_of_one_thing_over_and_over_is_read(export, build, text):
    assert [page.title for page in build(export(("A", text), ("B", "x"))).pages] == ["A", "B"]


def test_redirects_of_every_odd_kind_are_followed_or_counted(export, build, redirect):
    path = export(
        ("A", "[[Self]], [[One]], [[Double]], [[Part]], [[Void]], [[User one]], [[Danube]]."),
        redirect("Self", "Self"),
        redirect("One", "Two"),
        redirect("Two", "One"),
        redirect("Double", "Single"),
        redirect("Single", "Danube"),
        redirect("Part", "Danube#Delta"),
        redirect("Void", "Nobody"),
        redirect("User one", "User:One"),
        ("Danube", "x"),
    )

    tables = build(path)

    assert links(tables) == [("A", "Danube")] * 3
    assert {alias.name for alias in tables.aliases} == {"Double", "Single"}
    assert sum(int(row.detail.split()[0]) for row in tables.rejected) == 4 + 6
    assert {row.reason for row in tables.rejected} == {
        "redirect_cycle", "redirect_to_section", "redirect_to_nowhere",
        "redirect_to_other_namespace", "link_to_nowhere", "link_to_other_namespace",
    }  # fmt: skip


def test_a_link_of_a_navigation_box_is_no_hop(export, build):
    path = export(
        ("A", "Prose to [[B]].\n{{Navbox|list1=[[C]] • [[D]]}}\n{| class=navbox\n| [[C]]\n|}"),
        ("B", "x"), ("C", "x"), ("D", "x"),
    )  # fmt: skip

    tables = build(path)

    assert links(tables) == [("A", "B")]
    assert [page.in_degree for page in tables.pages] == [0, 1, 0, 0]


def test_a_bz2_cut_between_two_of_its_streams_is_an_error(export, build):
    path = export(("A", "x" * 1000), ("B", "y"), name="dump.xml")
    data = path.read_bytes()
    cut = data.index(b"<page><title>B")
    packed = path.with_suffix(".xml.bz2")
    packed.write_bytes(bz2.compress(data[:cut]) + bz2.compress(data[cut:]))
    assert len(build(packed).pages) == 2

    packed.write_bytes(bz2.compress(data[:cut]))

    with pytest.raises(SourceError, match="not whole XML"):
        build(packed)
