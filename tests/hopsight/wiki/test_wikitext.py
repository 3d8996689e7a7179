from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.titles import Namespaces
from hopsight.wiki.wikitext import parse_page

SPACES = Namespaces(SiteInfo())


def parse(wikitext, title="Danube"):
    return parse_page(title, wikitext, SPACES)


def targets(page):
    return [link.target for link in page.links]


def test_plain_text_keeps_words_and_drops_markup():
    page = parse(
        "{{Infobox river|length_km=2850}}\n'''Danube''' is a ''[[river|long river]]''.<ref>X</ref>"
        " It&nbsp;flows &ndash; east.<!-- no -->\n{| class=x\n| cell\n|}\n[[File:D.png|thumb|A]]"
    )

    assert page.text == "Danube is a long river. It flows – east."


def test_links_carry_their_sentence_anchor_and_section():
    page = parse(
        "It is long. It rises in [[Germany|the Forest]].\n\n== Course ==\nPast [[Vienna]]."
    )

    first, second = page.links
    assert (first.target, first.anchor, first.section) == ("Germany", "the Forest", "")
    assert page.text[first.start : first.end] == "It rises in the Forest."
    assert (second.target, second.section) == ("Vienna", "Course")
    assert page.text[second.start : second.end] == "Past Vienna."


def test_only_links_in_prose_count():
    page = parse(
        "{{Navbox|[[Nav]]}} [[Prose]].<ref>[[Ref]]</ref>\n{| \n| [[Cell]]\n|}\n"
        "[[File:A.png|thumb|[[Caption]]]] [[Category:Rivers]] <gallery>A.png|[[G]]</gallery>\n"
        "== See [[Heading]] ==\n== See also ==\n* [[Elsewhere]]\n[[Category:Long]]\n== Use ==\n"
        "* [[Item]]"
    )

    assert targets(page) == ["Prose", "Item"]
    assert page.categories == ("Rivers", "Long")


def test_a_link_trail_belongs_to_the_anchor():
    page = parse("Many [[river]]s flow and [[bus]]es run, ''[[Nile]]''s too.")

    assert [link.anchor for link in page.links] == ["rivers", "buses", "Nile"]


def test_links_to_other_wikis_without_a_text_are_no_prose():
    page = parse("It is [[wikt:long|long]].\n[[de:Donau]]")

    assert page.text == "It is long."


def test_list_items_are_sentences_of_their_own():
    page = parse("* one [[A]]\n* two [[B]]\nafter")

    assert [page.text[a:b] for a, b in page.sentences] == ["one A", "two B", "after"]


def test_word_templates_leave_their_words():
    page = parse("It is {{convert|2850|km|mi}} long, {{lang|de|Donau}}{{snd}}{{unknown|x}}wide.")

    assert page.text == "It is 2850 km long, Donau – wide."


def test_a_bracket_that_held_only_a_template_goes_with_it():
    page = parse("Ulm ({{IPA|x}}) is a city. He ({{x}}; [[1879]]) died ({{y}}). End ({{z}}).")

    assert page.text == "Ulm is a city. He (1879) died. End."


def test_headings_are_lines_of_their_own():
    page = parse("A.\n== Course ==\nB.\n=== Upper ===\nC.")

    assert page.text == "A.\n\n## Course\n\nB.\n\n### Upper\n\nC."
    assert page.lead == "A."


def test_bold_names_come_from_the_first_paragraph():
    page = parse("The '''Danube''' ('''Donau''') is a river.\n\n'''Not''' a name.")

    assert page.bold_names == ("Danube", "Donau")


def test_the_image_of_the_infobox_comes_before_those_of_the_text():
    boxed = parse("{{Infobox river|image = File:Danube_at_Ulm.png}} [[File:Other.png|thumb]]")
    loose = parse("Text [[Image:other.png|thumb]]")

    assert boxed.image == "Danube at Ulm.png"
    assert loose.image == "Other.png"
    assert parse("Text").image is None


def test_flags_of_lists_and_disambiguation_pages():
    assert parse("x", title="List of rivers").is_list
    assert parse("'''Mercury''' may be\n* [[A]]\n{{disambig}}", title="Mercury").is_disambiguation
    assert not parse("x").is_list


PIECES = [
    "[[", "]]", "|", "{{", "}}", "'''", "''", "<ref>", "</ref>", "\n", "\n\n", "== H ==\n",
    "* ", "word ", "End. ", "Next", "&nbsp;", "<br>", "[[A]]", "[[B|b c]]", "s", "#", ":",
    "<nowiki>", "</nowiki>", "{|", "|}", "[http://x.y z]", "[[File:A.png|b]]", " ", "<!--", "-->",
    "(", ")", ";", "{{x}}",
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_offsets_fit_the_text_whatever_the_markup(pieces):
    page = parse("".join(pieces))

    assert "  " not in page.text
    assert page.text == page.text.strip()
    for link in page.links:
        end = link.anchor_start + len(link.anchor)
        assert page.text[link.anchor_start : end] == link.anchor
        assert link.start <= link.anchor_start
        assert end <= link.end


def test_a_table_that_is_never_closed_ends_with_its_rows():
    page = parse(
        "Before [[A]].\n{| class=x\n|-\n| [[Cell]]\n! more\nAfter [[B]].\n\n== Next ==\nThen [[C]]."
        "\n{|\n| [[Cell]]\n|}"
    )

    assert targets(page) == ["A", "B", "C"]
    assert page.text == "Before A.\n\nAfter B.\n\n## Next\n\nThen C."


def test_a_table_in_a_table_is_dropped_whole():
    page = parse("A.\n{|\n|\n{| class=x\n| [[In]]\n|}\n| [[Out]]\n|}\nB.")

    assert targets(page) == []
    assert page.text == "A.\n\nB."


def test_a_reference_that_is_never_closed_ends_with_its_line():
    page = parse("One.<ref>Book ''odd\nTwo [[A]].<ref name=x>[[In]]</ref>\n\nThree<ref name=x/>.")

    assert targets(page) == ["A"]
    assert page.text == "One. Two A.\n\nThree."


def test_a_comment_hides_what_it_holds_even_where_it_is_never_closed():
    assert parse("One. <!-- {| [[A]] --> Two. <!-- [[B]]").text == "One. Two."


def test_an_infobox_that_is_never_closed_ends_with_its_paragraph():
    page = parse("{{Infobox river\n| length = {{convert|3|km\n'''Danube''' is long. See [[A]].")

    assert page.infobox is not None
    assert page.infobox.kind == "river"
    assert page.text == "Danube is long. See A."


def test_a_box_of_several_templates_is_read_as_one():
    page = parse("{|{{Infobox ship begin}}\n{{Infobox ship career\n|a=1}}\n|}\nIt sank.")

    assert page.infobox is not None
    assert [name for name, _ in page.infobox.parameters] == ["a"]
    assert page.text == "It sank."


def test_a_box_set_into_another_adds_its_parameters():
    page = parse("{{Infobox person|a=1|module={{Infobox writer|embed=yes|b=2}}}}")

    assert page.infobox is not None
    assert dict(page.infobox.raw) == {"a": "1", "embed": "yes", "b": "2"}
