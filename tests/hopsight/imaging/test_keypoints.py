import cv2
import numpy as np
from PIL import Image

from hopsight.imaging.keypoints import found_again, keypoints
from tests.hopsight.search import drawing

SCENE = drawing.scene(1)
KNOWN = keypoints(SCENE)


def test_a_picture_is_found_again_in_itself_and_hardly_in_another() -> None:
    assert found_again(KNOWN, KNOWN) == 1
    assert found_again(KNOWN, keypoints(drawing.scene(2))) < 0.1


def test_what_lies_elsewhere_is_not_found_again() -> None:
    moved = Image.fromarray(np.roll(np.asarray(SCENE), 12, axis=1))
    assert found_again(KNOWN, keypoints(moved)) < 0.1


def test_the_size_of_a_version_does_not_move_its_points() -> None:
    larger = SCENE.resize((SCENE.width * 5 // 4, SCENE.height * 5 // 4), Image.Resampling.BICUBIC)
    assert found_again(KNOWN, keypoints(larger)) > 0.6


def test_the_more_blur_the_less_is_found_again() -> None:
    shares = [
        found_again(
            KNOWN,
            keypoints(Image.fromarray(cv2.GaussianBlur(np.asarray(SCENE), (0, 0), sigma))),
        )
        for sigma in (0.5, 1.5, 3.0)
    ]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[2] + 0.3


def test_a_plain_picture_has_none() -> None:
    plain = keypoints(Image.new("RGB", (400, 300), "#c8102e"))
    assert len(plain.points) == 0
    assert found_again(plain, KNOWN) == found_again(KNOWN, plain) == 0
