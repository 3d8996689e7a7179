"""Wikitext that shows just the words it was made from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.monuments.wikitext import bold_first, escape, infobox, link, linked, listed
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.titles import Namespaces
from hopsight.wiki.wikitext import parse_page

SPACES = Namespaces(SiteInfo())
NAMES = {"India": "India", "Agra": "Agra", "Bharat": "India"}


def shown(wikitext):
    return parse_page("Page", wikitext, SPACES).text


@pytest.mark.parametrize(
    "text",
    [
        "A [[link]] and {{a template}} & <b>a tag</b> | pipe",
        "''italic'' '''bold''' ~~~~ __TOC__",
        "* no list",
        "= no heading =",
        "the king's “men”",
    ],
)
def test_markup_in_the_words_is_shown_and_does_nothing(text):
    page = parse_page("Page", escape(text), SPACES)
    assert page.text == text
    assert page.links == ()


@given(st.text(alphabet="[]{}<>&|'=*#: aé", max_size=25))
def test_escaped_words_come_back_as_they_were(text):
    assert " ".join(shown(escape(text)).split()) == " ".join(text.split())


def test_each_title_is_linked_once_and_the_page_never_to_itself():
    done = set[str]()
    text = linked("Agra lies in India. Bharat is India & old.", NAMES, "Agra", done)
    assert text == "Agra lies in [[India]]. Bharat is India &#38; old."
    assert linked("Bharat again", NAMES, "Agra", done) == "Bharat again"
    assert linked("In Bharat", NAMES, "Rome", set()) == "In [[India|Bharat]]"


def test_the_parser_finds_the_links_and_the_bold_name():
    text = bold_first(linked("Agra lies in India.", NAMES, "Agra", set()), "Agra")
    page = parse_page("Agra", text, SPACES)
    assert page.bold_names == ("Agra",)
    assert [(each.target, each.anchor) for each in page.links] == [("India", "India")]
    assert bold_first("[[India]] holds Agra", "Agra") == "[[India]] holds Agra"


def test_an_infobox_holds_only_parameters_with_values():
    page = parse_page(
        "Agra", infobox("settlement", [("country", "[[India]]"), ("city", "")]), SPACES
    )
    assert page.infobox is not None
    assert page.infobox.kind == "settlement"
    assert [name for name, _ in page.infobox.parameters] == ["country"]


def test_links_and_lists_read_as_prose():
    assert link("Worms, Germany") == "[[Worms, Germany|Worms]]"
    assert link("Rome") == "[[Rome]]"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
