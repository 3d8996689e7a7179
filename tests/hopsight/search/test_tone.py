import numpy as np
from PIL import Image, ImageEnhance

from hopsight.search.tone import toned
from tests.hopsight.search import drawing

SCENE = np.asarray(drawing.scene(3).resize((256, 256)))
WHOLE = np.full((256, 256), 255, np.uint8)


def apart(one: np.ndarray, two: np.ndarray) -> float:
    return float(np.abs(one.astype(int) - two).mean())


def test_a_brighter_or_darker_copy_is_met() -> None:
    for factor in (0.6, 1.4):
        theirs = np.asarray(ImageEnhance.Brightness(Image.fromarray(SCENE)).enhance(factor))
        assert apart(toned(SCENE, theirs, WHOLE), theirs) < apart(SCENE, theirs) / 5


def test_other_colours_are_not_made_to_fit() -> None:
    swapped = SCENE[..., ::-1]
    assert apart(toned(SCENE, swapped, WHOLE), swapped) > apart(SCENE, swapped) / 2


def test_only_what_the_mask_shows_counts() -> None:
    theirs = SCENE.copy()
    theirs[:, :128] = 0
    mask = WHOLE.copy()
    mask[:, :128] = 0
    assert apart(toned(SCENE, theirs, mask), SCENE) < 5


def test_nothing_in_common_leaves_the_picture_as_it_is() -> None:
    assert (toned(SCENE, SCENE, np.zeros_like(WHOLE)) == SCENE).all()
