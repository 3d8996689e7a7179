import numpy as np

from hopsight.search.features import local_of, mirrored
from tests.hopsight.search import drawing

SCENE = np.asarray(drawing.scene(1))


def test_features_of_the_mirrored_picture_need_no_second_look() -> None:
    made = mirrored(local_of(SCENE))
    seen = local_of(np.ascontiguousarray(SCENE[:, ::-1]))
    likeness = made.descriptors.astype(float) @ seen.descriptors.astype(float).T
    nearest = likeness.argmax(axis=1)
    same_place = np.abs(made.points - seen.points[nearest]).max(axis=1) < 3
    assert same_place.mean() > 0.75
    # Shrunk before it is mirrored or after: at most a rounding apart.
    assert np.abs(made.work.astype(int) - seen.work).max() <= 1


def test_bands_of_colour_have_no_strong_features_and_a_scene_has_many() -> None:
    assert local_of(np.asarray(drawing.bands(1))).strong < 5
    assert local_of(SCENE).strong > 200


def test_a_hazy_photograph_has_weak_features_but_has_some() -> None:
    grain = np.random.default_rng(1).integers(-2, 3, SCENE.shape)
    hazy = np.clip(200 + SCENE.astype(float) * 0.12 + grain, 0, 255).astype(np.uint8)
    found = local_of(hazy)
    assert len(found.points) > 1.5 * found.strong
    assert len(found.points) > 100
