from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PIL import Image

from hopsight.imaging import sharpen, ssim
from hopsight.imaging.blur import blur_sigma, brightness
from hopsight.search.pixels import rgb_array
from tests.hopsight.search import drawing

Draw = Callable[[int], Image.Image]


def blurred(image: Image.Image, sigma: float) -> Image.Image:
    soft = cv2.GaussianBlur(np.asarray(image), (0, 0), sigma)
    kept = cv2.imencode(".jpg", soft, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    pixels = cv2.imdecode(kept, cv2.IMREAD_COLOR)
    assert pixels is not None
    return Image.fromarray(pixels)


@pytest.mark.parametrize(
    ("draw", "sigma"),
    [(drawing.sign, 1.5), (drawing.sign, 2.5), (drawing.scene, 2.5), (drawing.scene, 4.0)],
)
def test_blur_is_measured_within_a_quarter(draw: Draw, sigma: float) -> None:
    for number in range(3):
        found = blur_sigma(brightness(rgb_array(blurred(draw(number), sigma))))
        assert abs(found - sigma) < 0.25 * sigma


@pytest.mark.parametrize("draw", [drawing.sign, drawing.scene])
@pytest.mark.parametrize("sigma", [1.5, 2.5])
def test_blurred_pictures_come_nearer_to_the_sharp_ones(draw: Draw, sigma: float) -> None:
    likeness, distance = [], []
    for number in range(4):
        sharp = draw(number)
        soft = blurred(sharp, sigma)
        done = sharpen(soft, 1.0)
        assert done is not None
        likeness.append(ssim(sharp, done.image) - ssim(sharp, soft))
        distance.append(off(sharp, done.image) / off(sharp, soft))
    assert min(likeness) > 0
    assert np.mean(likeness) > 0.015
    assert np.mean(distance) < 0.92


def off(one: Image.Image, other: Image.Image) -> float:
    return float(np.abs(np.asarray(one, float) - np.asarray(other, float)).mean())


def test_more_amount_gives_more_contrast_at_edges() -> None:
    soft = blurred(drawing.sign(1), 2)
    mild, strong = sharpen(soft, 0.5), sharpen(soft, 2.0)
    assert mild is not None and strong is not None
    edges = [
        cv2.Laplacian(brightness(rgb_array(image)), cv2.CV_32F).std()
        for image in (soft, mild.image, strong.image)
    ]
    assert edges[0] < edges[1] < edges[2]


def test_a_sharp_or_an_empty_picture_is_left_alone() -> None:
    assert sharpen(drawing.sign(1), 1.0) is None
    assert sharpen(Image.new("RGB", (300, 200), "#808080"), 1.0) is None
    assert sharpen(Image.new("RGB", (1, 1)), 1.0) is None


def test_similarity_is_one_for_equal_pictures_and_refuses_other_sizes() -> None:
    one, two = drawing.scene(1), drawing.scene(2)
    assert ssim(one, one) == pytest.approx(1, abs=1e-4)
    assert ssim(one, two) < 0.6
    assert ssim(one, two) == pytest.approx(ssim(two, one), abs=1e-6)
    with pytest.raises(ValueError, match="cannot be compared"):
        ssim(one, one.resize((10, 10)))
