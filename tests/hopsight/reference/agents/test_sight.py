"""What is seen in pictures, from their pixels alone."""

import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from hopsight.errors import PictureError
from hopsight.reference.agents.colours import agreement
from hopsight.reference.agents.sight import look, shows_nothing
from tests.hopsight.reference.agents.drawn import COLOURS, bands, field, png, with_disc, with_star

SIDE = 224


def named(sight, band):
    """A band's colours as the plain names that go best with them."""
    return [max(COLOURS, key=lambda word: agreement(word, sight.palette[each])) for each in band]


def orders(colours=tuple(COLOURS)):
    """Two to six colours, no two neighbours alike."""
    drawn = st.lists(st.sampled_from(colours), min_size=2, max_size=6)
    return drawn.filter(lambda each: all(a != b for a, b in pairwise(each)))


@settings(max_examples=40, deadline=None)
@given(orders(), st.booleans())
def test_bands_are_seen_in_order_and_direction(colours, upright):
    sight = look(png(bands(colours, upright=upright)), SIDE)
    seen, other = (sight.upright, sight.across) if upright else (sight.across, sight.upright)
    assert [named(sight, band) for band in seen] == [colours]
    assert other == ()


def test_a_figure_on_the_bands_hides_none_of_them():
    flag = with_disc(bands(["red", "white", "green"]), "blue", radius=150)
    sight = look(png(flag), SIDE)
    assert ["red", "white", "green"] in [named(sight, band) for band in sight.across]


def test_a_picture_shows_nothing_if_it_has_one_colour_to_the_last_pixel():
    plain = field("red")
    spotted = plain.copy()
    spotted.putpixel((7, 11), (205, 20, 40))
    assert shows_nothing(png(plain))
    assert not shows_nothing(png(spotted))


def test_a_plain_field_has_no_bands():
    sight = look(png(with_star(field("red"), "yellow", (120, 100))), SIDE)
    assert sight.across == sight.upright == ()


@pytest.mark.parametrize("points", [5, 6, 7, 8])
def test_stars_are_seen_with_their_points(points):
    flag = with_star(with_star(field("blue"), "white", (150, 120), 70, points), "white", (450, 250))
    figures = look(png(flag), SIDE).figures
    assert sorted((each.kind, each.points) for each in figures) == sorted(
        [("star", points), ("star", 5)]
    )


def test_a_disc_and_a_crescent_are_told_apart():
    flag = with_disc(with_disc(field("green"), "white"), "green", (330, 200), 66)
    assert "crescent" in {each.kind for each in look(png(flag), SIDE).figures}
    assert [each.kind for each in look(png(with_disc(field("white"), "red")), SIDE).figures] == [
        "disc"
    ]


@pytest.mark.parametrize("side", [64, 224])
def test_noise_and_compression_leave_the_bands(side):
    pixels = np.asarray(bands(["black", "red", "yellow"])).astype(np.int16)
    noise = np.random.default_rng(3).integers(-9, 10, pixels.shape)
    out = io.BytesIO()
    Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=80)
    sight = look(out.getvalue(), side)
    assert named(sight, sight.across[0]) == ["black", "red", "yellow"]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_any_picture_can_be_looked_at(width, height, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    sight = look(png(Image.fromarray(pixels)), 32)
    assert sum(sight.shares) == pytest.approx(1)
    assert max(sight.labels.shape) <= 32


def test_what_is_no_picture_is_refused():
    with pytest.raises(PictureError):
        look(b"no picture", SIDE)
