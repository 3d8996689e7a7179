"""Finding and reading what a question says of looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.reference.agents.describing import set_apart
from hopsight.reference.agents.looks import Feature, Stripes, read_look
from hopsight.reference.agents.question import read_question


@pytest.mark.parametrize(
    "said",
    [
        "three horizontal bands, from top to bottom: red, white and blue",
        "red, white and blue horizontal stripes",
        "a red, a white and a blue horizontal band",
        "striped horizontally in red, white and blue",
    ],
)
def test_bands_are_read_in_whatever_order_they_are_told(said):
    (stripes,) = read_look(said).stripes
    assert (stripes.colours, stripes.run) == (("red", "white", "blue"), "across")


def test_bands_and_figures_are_kept_apart():
    look = read_look(
        "three vertical bands: red, white, black and a green triangle on the left edge"
    )
    assert look.stripes == (Stripes(("red", "white", "black"), "upright", 3),)
    assert look.features == (Feature("triangle", ("green",), place="left"),)


@pytest.mark.parametrize(
    ("said", "feature"),
    [
        ("a white five-pointed star", Feature("star", ("white",), points=5)),
        ("four small red stars on the right", Feature("star", ("red",), 4, None, "right")),
        ("a star in red", Feature("star", ("red",))),
        ("a navy-blue field", Feature("field", ("navy blue",))),
        (
            "a gold rectangle in the upper left corner",
            Feature("rectangle", ("gold",), place="upper left"),
        ),
    ],
)
def test_a_figure_is_read_with_colour_number_and_place(said, feature):
    assert read_look(said).features == (feature,)


def test_outline_and_colour_of_a_sign_are_read():
    look = read_look("whose plaque is round and bronze")
    assert (look.features, look.shapes) == ((Feature("plate", ("bronze",)),), ("round",))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "That city has to do with a country whose flag shows two bands: white, red.",
            "That city has to do with a country *.",
        ),
        (
            "It lives in a country with a red crescent and a red star on its flag.",
            "It lives in a country *.",
        ),
        (
            "That city is linked with a river whose sign is blue, and whose length is over 100 km.",
            "That city is linked with a river *, and whose length is over 100 km.",
        ),
        (
            "It is tied to a person pictured with a round plaque in maroon, who died in 1790.",
            "It is tied to a person *, who died in 1790.",
        ),
        ("What is the capital of the country whose flag is shown in the image?", ...),
        ("The White House in the picture stands near the Red Sea.", ...),
        ("The star of the film was born where the board in the picture stands.", ...),
    ],
)
def test_only_the_words_on_looks_are_set_apart(text, left):
    described = set_apart(text)
    if left is ...:
        assert described.text == text
    else:
        assert len(described.parts) == 1
        assert described.restored(described.text) == text
        assert "".join(c if c.isascii() else "*" for c in described.text) == left


@given(st.text(max_size=300))
def test_setting_apart_loses_no_word(text):
    plain = "".join(each for each in text if not 0xE000 <= ord(each) < 0xE040)
    described = set_apart(text)
    assert described.restored(described.text) == plain


def test_a_later_picture_is_not_taken_for_the_task_s():
    reading = read_question(
        "The building in the picture stands in a city. That city has to do with a country whose "
        "picture shows three vertical bands, from left to right: blue, white, red. What is the "
        "capital of that country?"
    )
    first, second = reading.statements
    assert not first.look
    assert not first.loose
    assert second.look.stripes[0].colours == ("blue", "white", "red")
    assert second.loose
    assert second.sought == {"country"}
    assert reading.ask.text.startswith("What is the capital")


def test_a_sentence_of_its_own_tells_the_looks_of_what_was_just_said():
    reading = read_question(
        "The river in the picture is connected to a country. The flag of that country shows a red "
        "disc on a white field. That country has to do with a person. Where was that person born?"
    )
    assert [bool(each.look) for each in reading.statements] == [True, False]
    assert all(each.loose for each in reading.statements)
