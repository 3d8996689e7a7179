import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.looks import COLOURS, looks_of, may_show


def test_bands_give_their_number_their_edges_and_their_colours():
    assert looks_of(("three horizontal bands, from top to bottom: red, blue, orange",)) == (
        "three horizontal bands",
        "a red band at the top",
        "an orange band at the bottom",
        "the colour red",
        "the colour blue",
        "the colour orange",
    )
    assert "a green band on the left" in looks_of(
        ("two vertical bands, from left to right: green, white",)
    )


def test_a_figure_is_told_with_and_without_its_colour():
    assert looks_of(("a red crescent",)) == ("a red crescent", "the colour red", "a crescent")
    assert "several stars" in looks_of(("four white five-pointed stars on the right",))
    assert "a star" not in looks_of(("four white five-pointed stars on the right",))


def test_clauses_and_what_speaks_of_the_whole_picture_are_left_out():
    assert looks_of(("the flag is wider than high", "no name stands on it")) == ()


@pytest.mark.parametrize("phrase", ["the colour white", "a cross", "a white cross"])
def test_what_a_denial_leaves_unsaid_may_be_shown(phrase):
    facts = ("a red field", "a white cross in the centre whose arms do not reach the edges")
    assert phrase not in looks_of(facts)
    assert may_show(facts, phrase)
    assert not may_show(facts[:1], phrase)


def test_the_words_of_a_phrase_have_to_stand_in_one_fact():
    assert not may_show(("a red field", "a white star"), "a red star")
    assert may_show(("a navy-blue star",), "a blue star")


@given(st.lists(st.text(max_size=60), max_size=5))
def test_phrases_come_once_and_can_stand_in_a_sentence(facts):
    found = looks_of(facts)
    assert len(set(found)) == len(found)
    assert all(phrase == phrase.strip() and ":" not in phrase for phrase in found)


@given(st.sampled_from(COLOURS), st.sampled_from(["star", "disc", "cross"]))
def test_two_pictures_with_one_part_in_common_share_its_phrase(colour, figure):
    one, other = (
        looks_of((f"a {colour} {figure}",)),
        looks_of((f"a white {figure}", f"a {colour} field")),
    )
    assert f"a {figure}" in one
    assert f"a {figure}" in other
    assert f"the colour {colour}" in set(one) & set(other)


def test_a_colour_is_told_by_its_family_at_the_beginning_of_a_fact_too():
    assert "the colour yellow" in looks_of(("Gold star",))
    assert may_show(("Navy stripe",), "the colour blue")
