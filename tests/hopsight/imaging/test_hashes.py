"""Perceptual hashes on drawn pictures."""

import io
import itertools

import numpy as np
import pytest
from PIL import Image, ImageDraw

from hopsight.errors import PictureError
from hopsight.imaging.hashes import (
    BITS,
    difference_hash,
    distance,
    distances,
    hash_of,
    is_plain,
    near,
    packed,
)

COLOURS = ["red", "white", "blue", "green", "black", "yellow"]


def encoded(image, kind="PNG", **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def bands(*colours, size=(600, 400)):
    image = Image.new("RGB", size)
    draw = ImageDraw.Draw(image)
    for place, colour in enumerate(colours):
        height = size[1] / len(colours)
        draw.rectangle((0, place * height, size[0], (place + 1) * height), fill=colour)
    return image


def scene(seed):
    """A made-up photograph: soft blots of colour."""
    rng = np.random.default_rng(seed)
    small = Image.fromarray(rng.integers(0, 255, (6, 8, 3), dtype=np.uint8))
    return small.resize((640, 480), Image.Resampling.BICUBIC)


@pytest.mark.parametrize("seed", range(4))
def test_copies_in_other_sizes_and_encodings_are_near(seed):
    image = scene(seed)
    original = difference_hash(encoded(image))
    copies = [
        encoded(image, "JPEG", quality=50),
        encoded(image, "WEBP", quality=60),
        encoded(image.resize((311, 233))),
        encoded(image.resize((1280, 960)), "JPEG", quality=80),
    ]
    assert [distance(original, difference_hash(copy)) <= 8 for copy in copies] == [True] * 4
    assert all(near(original, difference_hash(copy)) for copy in copies)


def test_other_pictures_are_far():
    hashes = [hash_of(scene(seed)) for seed in range(12)]
    apart = [distance(one, two) for one in hashes for two in hashes if one != two]
    assert min(apart) > 60


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("red", "white", "blue"), ("blue", "white", "red")),
        (("red", "white", "blue"), ("red", "white", "green")),
        (("white", "red"), ("red", "white")),
        (("black", "yellow"), ("black", "white")),
    ],
)
def test_flags_of_one_pattern_differ_by_their_colours(one, two):
    assert not near(hash_of(bands(*one)), hash_of(bands(*two)))
    assert near(hash_of(bands(*one)), hash_of(bands(*one, size=(300, 200))))


def test_a_plain_picture_is_near_to_none():
    blank = hash_of(Image.new("RGB", (50, 50), "white"))
    dotted = Image.new("RGB", (50, 50), "white")
    dotted.putpixel((3, 3), (0, 0, 0))
    assert is_plain(blank)
    assert not near(blank, blank)
    assert not near(blank, hash_of(dotted))
    assert not is_plain(hash_of(bands("white", "red")))


def test_packed_hashes_have_the_same_distances():
    hashes = [hash_of(scene(seed)) for seed in range(5)]
    rows = packed(hashes)
    assert max(value.bit_length() for value in hashes) <= BITS
    assert distances(rows[:-1], rows[1:]).tolist() == [
        distance(one, two) for one, two in itertools.pairwise(hashes)
    ]
    assert packed([]).shape == (0, rows.shape[1])


def test_what_is_no_picture_is_told():
    with pytest.raises(PictureError, match="cannot be read"):
        difference_hash(b"no picture")
