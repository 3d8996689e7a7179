"""Questions in several forms, written for these tests, are read into the same steps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.reference.agents.nested import read_nested
from hopsight.reference.agents.question import read_question

FORMS = (
    "The banner in the photo flies over a nation. Its money is minted in some town. "
    "A painter was born in that town. When did that painter die?",
    "Tell me the year of death of the painter born in the town, one with two bridges, that mints "
    "money for the nation whose banner is in the photo.",
)


@pytest.mark.parametrize("text", FORMS)
def test_a_way_told_forwards_or_inside_out_leads_from_the_picture_to_the_answer(text):
    reading = read_question(text)
    assert "death" in reading.ask.concepts
    assert "birth" in reading.statements[-1].relation
    assert "person" in reading.statements[-1].sought
    assert "city" in reading.statements[-2].sought


def test_sentences_that_end_at_the_picture_are_turned_round():
    reading = read_question(
        "Which ocean does the river reach? The river crosses a nation. The nation adjoins "
        "another one. That one is shown in the photo."
    )
    assert "shown" in reading.statements[0].text
    assert "ocean" in reading.ask.text


def test_an_aside_describes_and_does_not_say_the_way():
    reading = read_question(
        "Name the currency of the country, one whose area is between 20 and 30 square kilometres, "
        "that borders the country in the picture."
    )
    (step,) = reading.statements
    assert "border" in step.relation
    assert "area" not in step.relation
    assert (step.measures[0].low, step.measures[0].high) == (20, 30)
    assert "currency" in reading.ask.concepts


def test_two_nouns_for_one_thing_are_one_step():
    nest = read_nested("the phone prefix of the country beside the soil of the land of the nation")
    assert nest is not None
    assert len(nest.segments) == 2


def test_what_is_asked_for_may_be_a_thing_itself():
    nest = read_nested("Name the river on which the city stands that is home to the author of it")
    assert nest is not None
    assert "river" in nest.ask
    assert [segment.thing for segment in nest.segments] == ["the city", "the author"]


def test_a_sentence_about_no_thing_is_no_nest():
    assert read_nested("How are you today") is None


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    reading = read_question(text or ".")
    assert isinstance(reading.ask.text, str)
