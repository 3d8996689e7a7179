import mwparserfromhell
import pytest

from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.infobox import Member, read_infobox
from hopsight.wiki.titles import Namespaces

SPACES = Namespaces(SiteInfo())


def values(value):
    """Members of one parameter."""
    box = read_infobox(mwparserfromhell.parse(f"{{{{Infobox x|p = {value}\n}}}}"), SPACES)
    assert box is not None
    return dict(box.parameters)["p"]


def words(value):
    return [member.text for member in values(value)]


def test_the_name_is_kept_without_infobox_and_in_lower_case():
    def kind(text):
        box = read_infobox(mwparserfromhell.parse(text), SPACES)
        return box.kind if box else None

    assert kind("{{short description|x}}\n{{Infobox  Body of_water\n|a=1}}") == "body of water"
    assert kind("{{Speciesbox|a=1}}") == "speciesbox"
    assert kind("{{Navbox rivers}} text") is None


@pytest.mark.parametrize(
    ("value", "members"),
    [
        ("[[Austria]], [[Germany]]", ["Austria", "Germany"]),
        ("[[Austria]] and [[Germany]]", ["Austria", "Germany"]),
        ("[[Austria]]<br>[[Germany]]<br />Hungary", ["Austria", "Germany", "Hungary"]),
        ("{{ubl|[[Austria]]|[[Germany]]}}", ["Austria", "Germany"]),
        ("{{plainlist|\n* [[Austria]]\n* [[Germany]]\n}}", ["Austria", "Germany"]),
        ("\n* Austria\n* Germany", ["Austria", "Germany"]),
        ("seeds, fruit, and insects", ["seeds", "fruit", "insects"]),
        ("{{hlist|a|b}}", ["a", "b"]),
        ("1,424,000", ["1,424,000"]),
        ("[[Washington, D.C.]]", ["Washington, D.C."]),
        ("Ulm (Swabia, Germany)", ["Ulm (Swabia, Germany)"]),
        ("March 14, 1879", ["March 14, 1879"]),
        ("{{birth date|1879|3|14}}", ["14 March 1879"]),
        ("{{convert|2850|km|mi}}", ["2850 km"]),
        ("salt and pepper", ["salt and pepper"]),
        ("{{unknown|x}}", []),
        ("", []),
    ],
)
def test_a_value_is_split_into_members(value, members):
    assert words(value) == members


def test_notes_are_kept_apart_and_stay_with_their_member():
    assert values("[[A]]<ref>one</ref>, [[B|bee]]<ref name=x>two ''II''</ref>") == (
        Member("A", ("A",), "one"),
        Member("bee", ("B",), "two II"),
    )


def test_a_single_note_at_the_end_is_for_every_member():
    assert [member.note for member in values("[[A]], [[B]]<ref>both</ref>")] == ["both", "both"]


def test_a_note_after_a_separator_belongs_to_the_value_before():
    assert [member.note for member in values("[[A]],<ref>one</ref> [[B]]<ref>two</ref>")] == [
        "one",
        "two",
    ]


def test_links_to_files_and_categories_are_no_values():
    assert values("[[File:F.png|20px]] [[Austria]] [[Category:X]]") == (
        Member("Austria", ("Austria",), ""),
    )
