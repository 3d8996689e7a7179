"""How pictures and descriptions go together."""

import pytest

from hopsight.reference.agents.likeness import glimpse, likeness
from hopsight.reference.agents.looks import read_look
from hopsight.reference.agents.sight import look
from tests.hopsight.reference.agents.drawn import bands, field, png, with_disc, with_star

SIDE = 224
FLAGS = {
    "three horizontal bands: red, white, blue": bands(["red", "white", "blue"]),
    "three vertical bands: red, white, blue": bands(["red", "white", "blue"], upright=True),
    "three horizontal bands: blue, white, red": bands(["blue", "white", "red"]),
    "two horizontal bands: red over white": bands(["red", "white"]),
    "a red disc on a white field": with_disc(field("white"), "red"),
    "a white disc on a red field": with_disc(field("red"), "white"),
    "a yellow star in the upper left corner": with_star(field("red"), "yellow", (100, 90)),
    "a yellow star in the lower right corner": with_star(field("red"), "yellow", (500, 320)),
    "a green field": field("green"),
}


@pytest.mark.parametrize("said", FLAGS)
def test_a_description_goes_best_with_its_own_picture(said):
    scores = {
        other: likeness(look(png(image), SIDE), read_look(said)) for other, image in FLAGS.items()
    }
    own = scores.pop(said)
    assert own > 0.6
    assert own > max(scores.values())
    assert all(-1 <= each <= 1 for each in scores.values())


@pytest.mark.parametrize(
    "said",
    [
        "three horizontal bands: blue, white, red",
        "a black field",
        "three vertical bands: red, white",
    ],
)
def test_what_the_picture_contradicts_is_held_against_it(said):
    sight = look(png(bands(["red", "white", "blue"])), SIDE)
    assert likeness(sight, read_look(said)) < 0


@pytest.mark.parametrize("said", ["", "an emblem", "the name stands on it"])
def test_what_cannot_be_told_from_pixels_counts_for_nothing(said):
    assert likeness(look(png(field("red")), SIDE), read_look(said)) == 0


def test_a_number_and_points_that_differ_cost_something():
    sight = look(png(with_star(field("red"), "yellow", (300, 200))), SIDE)
    told = [f"{each} on a red field" for each in ("a yellow five-pointed star", "two yellow stars")]
    right, wrong = (likeness(sight, read_look(each)) for each in told)
    assert right > wrong > 0


def test_a_glimpse_takes_in_the_first_colour_alone():
    told = read_look("three horizontal bands: red, white, blue")
    assert glimpse(look(png(bands(["red", "green"])), SIDE), told) == 1
    assert glimpse(look(png(bands(["yellow", "green"])), SIDE), told) == -1
