"""Which names in prose are mentions of pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.monuments.mentions import mentions

NAMES = {
    name: name
    for name in ("Mexico", "Paris", "India", "Rome", "Washington, D.C.", "Gulf of Mexico", "Agra")
} | {"Bharat": "India"}


def found(text):
    return [text[each.start : each.end] for each in mentions(text, NAMES)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("In Paris and near Rome.", ["Paris", "Rome"]),
        ("It is in New Mexico.", []),
        ("The Paris International Exhibition", []),
        ("the Gulf of Mexico", ["Gulf of Mexico"]),
        ("India's capital; Paris’s river", ["India", "Paris"]),
        ("He went to Washington, D.C. in spring", ["Washington, D.C."]),
        ("the Indian city of Agra, Uttar", ["Agra"]),
        ("Agra.", ["Agra"]),
        ("an agra, Romeo, Parisian", []),
        ("It ended. Rome rose", ["Rome"]),
        ("the Mexico–Paris line", []),
    ],
)
def test_a_name_counts_where_it_stands_alone(text, names):
    assert found(text) == names


def test_another_name_leads_to_the_page():
    assert [each.title for each in mentions("We saw Bharat", NAMES)] == ["India"]


@given(st.text(alphabet="IndiaParis ofGulMxc.,’'-\n", max_size=60))
def test_mentions_are_in_order_apart_and_are_names(text):
    at = 0
    for each in mentions(text, NAMES):
        assert each.start >= at
        assert text[each.start : each.end] in NAMES
        at = each.end
