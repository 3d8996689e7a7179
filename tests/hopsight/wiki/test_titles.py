import pytest

from hopsight.wiki.dump import RawPage, SiteInfo
from hopsight.wiki.titles import (
    FOREIGN,
    Namespaces,
    Title,
    TitleIndex,
    is_disambiguation,
    is_list,
)


def index(*pages):
    """Titles with text, or with a redirect's target given as `>Target`."""
    titles = TitleIndex(Namespaces(SiteInfo(namespaces={6: "Datei"})))
    for number, (title, text) in enumerate(pages, start=1):
        target = text[1:] if text.startswith(">") else None
        titles.add(RawPage(number, title, 0, number, target, text))
    return titles


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("danube", Title(0, "Danube", "")),
        (" _Danube__Delta_ ", Title(0, "Danube Delta", "")),
        ("Danube#Course", Title(0, "Danube", "Course")),
        ("#Course", Title(0, "", "Course")),
        ("AT&amp;T", Title(0, "AT&T", "")),
        ("Caf%C3%A9", Title(0, "Café", "")),
        ("File:x.png", Title(6, "X.png", "")),
        ("datei:x.png", Title(6, "X.png", "")),
        (":Category:Rivers", Title(14, "Rivers", "")),
        ("Star Wars: Episode IV", Title(0, "Star Wars: Episode IV", "")),
        ("de:Donau", Title(FOREIGN, "Donau", "")),
    ],
)
def test_a_title_has_one_normal_form(written, title):
    assert Namespaces(SiteInfo(namespaces={6: "Datei"})).title(written) == title


def test_a_case_sensitive_wiki_keeps_the_first_letter():
    assert Namespaces(SiteInfo(case="case-sensitive")).title("danube").name == "danube"


def test_double_redirects_are_followed_to_the_article():
    titles = index(("Donau", ">Duna"), ("Duna", ">Danube"), ("Danube", "river"))

    assert titles.resolve("Donau").page_id == 3
    assert not titles.resolve("Donau").to_section


def test_a_redirect_to_a_section_leads_to_its_page_and_says_so():
    titles = index(("Delta", ">Danube#Delta"), ("Danube", "river"))

    assert titles.resolve("Delta").page_id == 2
    assert titles.resolve("Delta").to_section


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("A", "redirect_cycle"),
        ("Self", "redirect_cycle"),
        ("Nobody", "link_to_nowhere"),
        ("Gone", "link_to_nowhere"),
        ("List of rivers", "link_to_list"),
        ("Mercury", "link_to_disambiguation"),
        ("Quicksilver", "link_to_disambiguation"),
        ("Talk:Danube", "link_to_other_namespace"),
        ("Help me", "link_to_other_namespace"),
        ("fr:Danube", "link_to_other_wiki"),
    ],
)
def test_what_may_not_be_linked_has_a_reason(target, reason):
    titles = index(
        ("A", ">B"), ("B", ">A"), ("Self", ">Self"), ("Gone", ">Nobody"),
        ("List of rivers", "x"), ("Mercury", "may be\n{{Disambiguation}}"),
        ("Quicksilver", ">Mercury"), ("Help me", ">Help:Contents"), ("Danube", "x"),
    )  # fmt: skip

    assert titles.resolve(target).page_id is None
    assert titles.resolve(target).reason == reason


def test_a_title_that_is_there_already_is_refused():
    titles = index(("Danube", "x"))

    assert not titles.add(RawPage(9, "Danube", 0, 9, None, "y"))
    assert titles.articles["Danube"] == 1


@pytest.mark.parametrize("title", ["List of rivers", "Lists of lakes", "Outline of art",
                                   "Index of birds", "Timeline of physics"])  # fmt: skip
def test_lists_are_known_by_their_title(title):
    assert is_list(title)


def test_a_name_that_only_begins_like_a_list_is_none():
    assert not is_list("Listed building")


def test_disambiguation_is_known_by_title_or_template():
    assert is_disambiguation("Mercury (disambiguation)", "")
    assert is_disambiguation("Mercury", "'''Mercury''' may be\n{{ disambig }}")
    assert not is_disambiguation("Mercury", "{{Infobox planet}} no {{disambiguation needed}}")
