import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hopsight.errors import PictureError
from hopsight.llm.chat import Picture
from hopsight.steps import CAPTION_PICTURE
from hopsight.steps.caption_picture import Caption, Shown
from tests.hopsight.steps.samples import wrong


def painted(left, right, size=(60, 40)):
    """A picture of two colours, half and half."""
    image = Image.new("RGB", size, left)
    image.paste(right, (size[0] // 2, 0, size[0], size[1]))
    out = io.BytesIO()
    image.save(out, "PNG")
    return Picture.of(out.getvalue())


def said(caption="a flag", facts=("it is red",), words=()):
    return Caption(caption=caption, visual_facts=facts, visible_text=words)


def test_the_rules_measure_shape_and_colours():
    shown = Shown(picture=painted("red", "blue"))
    assert CAPTION_PICTURE.reference(shown).visual_facts == (
        "the picture is wider than high, 60 by 40 pixels",
        "about 50 % of it is blue",
        "about 50 % of it is red",
    )


@pytest.mark.parametrize(
    "colour", ["red", "green", "blue", "yellow", "orange", "purple", "pink", "white", "black"]
)
def test_colours_go_by_their_names(colour):
    value = {"pink": "#ff1493", "purple": "#8000c0"}.get(colour, colour)
    facts = CAPTION_PICTURE.reference(Shown(picture=painted(value, value))).visual_facts
    assert facts[1] == f"about 100 % of it is {colour}"


def test_stored_facts_are_told_instead_unless_they_name_what_is_to_be_avoided():
    shown = Shown(
        picture=painted("red", "blue"),
        avoid=("Boria",),
        known=("a sign with two lines", "the flag of Boria"),
        known_text=("BORIA", "1850"),
    )
    found = CAPTION_PICTURE.reference(shown)
    assert found.visual_facts == ("a sign with two lines",)
    assert found.caption == "A picture: a sign with two lines."
    assert found.visible_text == ("BORIA", "1850")
    assert not wrong(CAPTION_PICTURE, shown, found)


def test_a_picture_that_cannot_be_read_is_told():
    with pytest.raises(PictureError):
        CAPTION_PICTURE.reference(Shown(picture=Picture(mime="image/png", data=b"\x89PNG\r\n")))


@pytest.mark.parametrize(
    ("caption", "problem"),
    [
        (said(facts=()), "no visual fact"),
        (said(facts=("red", "red")), "twice"),
        (said(facts=(" ",)), "blank"),
        (said(caption="The Borian flag"), "the name 'Boria'"),
        (said(facts=("it says boria's",)), "the name 'Boria'"),
        (said(words=("BORIA",)), None),
    ],
)
def test_a_caption_says_something_and_names_nothing_but_what_is_written(caption, problem):
    found = wrong(CAPTION_PICTURE, Shown(picture=painted("red", "red"), avoid=("Boria",)), caption)
    assert found == "" if problem is None else problem in found


@given(st.text(min_size=1, max_size=40), st.lists(st.text(min_size=1, max_size=20), max_size=8))
def test_no_caption_makes_its_check_crash(caption, facts):
    shown = Shown(picture=Picture(mime="image/png", data=b"x"), avoid=("Boria", ""))
    wrong(CAPTION_PICTURE, shown, said(caption, tuple(facts)))
