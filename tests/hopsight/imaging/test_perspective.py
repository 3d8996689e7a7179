import random

import cv2
import numpy as np
import pytest
from PIL import Image

from hopsight.errors import PictureError
from hopsight.imaging import Corners, find_corners, ssim, straighten
from tests.hopsight.search import drawing

GROUNDS = {"grey": (128, 128, 128), "black": (0, 0, 0), "blue": (30, 60, 140)}


def tilted(image: Image.Image, seed: int, ground: str) -> tuple[Image.Image, Corners]:
    """`image` seen at an angle on a plain ground, and where its corners went."""
    rng = random.Random(seed)
    width, height = image.size
    old = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    inward = np.array(
        [(rng.uniform(0.02, 0.2) * width, rng.uniform(0.02, 0.2) * height) for _ in range(4)],
        np.float32,
    )
    new = old + inward * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], np.float32)
    seen = cv2.warpPerspective(
        np.asarray(image),
        cv2.getPerspectiveTransform(old, new),
        (width, height),
        borderValue=GROUNDS[ground],
    )
    shares = (new + 0.5) / np.array(image.size, np.float32)
    x0, y0, x1, y1, x2, y2, x3, y3 = (float(share) for share in shares.ravel())
    return Image.fromarray(seen), (x0, y0, x1, y1, x2, y2, x3, y3)


@pytest.mark.parametrize("ground", GROUNDS)
def test_corners_are_found_within_two_pixels_and_the_picture_comes_back(ground: str) -> None:
    for seed in range(3):
        image = drawing.sign(seed)
        seen, corners = tilted(image, seed, ground)
        found = find_corners(seen)
        assert found is not None
        off = np.abs(np.array(found) - corners).reshape(4, 2) * image.size
        assert off.max() < 2
        back = straighten(seen, found).image.resize(image.size)
        assert ssim(image, back) > ssim(image, seen) + 0.2


def test_given_corners_give_the_picture_back() -> None:
    image = drawing.scene(3)
    seen, corners = tilted(image, 5, "grey")
    assert ssim(image, straighten(seen, corners).image.resize(image.size)) > 0.85


def test_an_upright_or_an_empty_picture_has_nothing_to_find() -> None:
    upright = Image.new("RGB", (800, 600), "#888888")
    upright.paste(drawing.sign(1).resize((500, 350)), (120, 90))
    assert find_corners(upright) is None
    assert find_corners(Image.new("RGB", (300, 200), "white")) is None
    assert find_corners(Image.new("RGB", (1, 1))) is None


@pytest.mark.parametrize(
    ("corners", "what"),
    [
        ((0, 0, 0, 1, 1, 1, 1, 0), "clockwise"),  # counted the other way round
        ((0, 0, 1, 1, 1, 0, 0, 1), "clockwise"),  # crossing sides
        ((0.5, 0.5) * 4, "clockwise"),
        ((0, 0, 0.005, 0, 0.005, 0.005, 0, 0.005), "pixels large"),
    ],
)
def test_corners_that_span_nothing_are_refused(corners: Corners, what: str) -> None:
    with pytest.raises(PictureError, match=what):
        straighten(drawing.sign(1), corners)
