"""What measuring a flag or an outline makes certain."""

import json

import numpy as np
import pytest
from PIL import Image

from examples.monuments.bands import flag_facts, shape
from examples.monuments.colours import colour_name
from examples.monuments.outlines import draw_outline, outline_facts, read_outline
from hopsight.errors import PictureError
from hopsight.looks import looks_of

RED, WHITE, BLUE, BROWN = (206, 17, 38), (255, 255, 255), (0, 38, 140), (120, 80, 60)


def bands(*colours, across=False, size=60):
    rows = np.repeat(np.array(colours, dtype=np.uint8), size, axis=0)
    pixels = np.repeat(rows[:, None], 400, axis=1)
    return Image.fromarray(pixels.transpose(1, 0, 2).copy() if across else pixels)


def test_bands_are_told_with_colours_and_shape():
    assert flag_facts(bands(RED, WHITE, BLUE)) == (
        "three horizontal bands, from top to bottom: red, white, blue",
        "the flag is wider than high",
    )
    assert flag_facts(bands(BLUE, RED, across=True)) == (
        "two vertical bands, from left to right: blue, red",
        "the flag is higher than wide",
    )


def test_soft_edges_between_bands_are_no_bands():
    flag = bands(RED, WHITE)
    flag.paste((230, 130, 140), (0, 59, 400, 61))
    assert flag_facts(flag)[0] == "two horizontal bands, from top to bottom: red, white"


def test_a_flag_that_is_not_of_bands_has_the_shares_of_its_colours():
    flag = bands(RED, WHITE)
    flag.paste(BLUE, (0, 0, 120, 60))
    assert flag_facts(flag)[0] == "colours by area: white 50 %, red 35 %, blue 15 %"
    assert looks_of(flag_facts(flag)) == ("the colour white", "the colour red", "the colour blue")


def test_a_flag_with_an_unclear_or_hardly_seen_colour_has_no_facts():
    flag = bands(RED, WHITE)
    flag.paste(BLUE, (0, 0, 45, 20))
    assert flag_facts(flag) == ()
    flag = bands(RED, WHITE)
    flag.paste(BROWN, (0, 0, 120, 60))
    assert flag_facts(flag) == ()
    assert flag_facts(bands(RED, BROWN, BLUE)) == ()
    assert flag_facts(bands(RED)) == ()


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        (RED, "red"),
        (WHITE, "white"),
        (BLUE, "blue"),
        (BROWN, None),
        ((255, 206, 0), "yellow"),
        ((255, 136, 62), "orange"),
        ((0, 122, 61), "green"),
        ((9, 9, 9), "black"),
        ((128, 128, 128), None),
        ((240, 0, 200), None),
    ],
)
def test_only_clear_colours_have_names(rgb, name):
    assert colour_name(*rgb) == name


def test_shapes_are_told_within_a_pixel_of_rounding():
    assert shape(1023, 512) == shape(1025, 512) == "twice as wide as high"
    assert shape(512, 512) == "as wide as high"
    assert shape(400, 512) == "higher than wide"


def circle(x, y, radius, points=60):
    turns = np.linspace(0, 2 * np.pi, points)
    return [[x + radius * float(np.cos(t)), y + radius * float(np.sin(t))] for t in turns]


def geojson(*polygons):
    geometry = {"type": "MultiPolygon", "coordinates": [list(rings) for rings in polygons]}
    return json.dumps({"features": [{"geometry": geometry}]}).encode()


def test_an_outline_is_drawn_whole_with_its_holes():
    land = read_outline(geojson((circle(10, 0, 5), circle(10, 0, 2))))
    assert outline_facts(land) == (
        "the land is as wide as high",
        "the land is drawn in one piece",
        "the land has a hole",
    )
    image = draw_outline(land)
    assert image.getpixel((384, 384)) == (255, 255, 255)
    assert image.getpixel((384, 384 - 250)) != (255, 255, 255)
    assert image.getpixel((10, 10)) == (255, 255, 255)


def test_land_on_both_sides_of_the_date_line_is_drawn_together():
    land = read_outline(geojson((circle(178, 0, 1.5),), (circle(-178, 0, 1.5),)))
    assert outline_facts(land) == ("the land is 2.3 times as wide as high",)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        geojson(),
        geojson([]),
        geojson([circle(0, 0, 1, points=10)]),
        geojson([circle(200, 0, 5)]),
        geojson([[[0, 0], [1, 1]]]),
        geojson([[["a", 0]] * 50]),
        geojson([[[1]] * 50]),
    ],
)
def test_what_is_no_outline_is_refused(data):
    with pytest.raises(PictureError):
        read_outline(data)


def test_islands_strewn_over_an_ocean_are_not_drawn():
    land = read_outline(geojson([circle(0, 0, 0.1)], [circle(50, 0, 0.1)]))
    with pytest.raises(PictureError, match="hardly any land"):
        draw_outline(land)
