from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hopsight.config.enhance import DegradeConfig
from hopsight.errors import PictureError
from hopsight.imaging.blur import blur_sigma, brightness
from hopsight.imaging.degrade import (
    KINDS,
    degrade,
    degraded,
    drawn,
    homography,
    moved_corners,
)
from hopsight.search.pixels import open_picture, rgb_array
from hopsight.types import Degradation, Parameter
from tests.hopsight.search import drawing

RANGES = DegradeConfig()
SCENE = drawing.png(drawing.scene(1))


def pixels(data: bytes) -> np.ndarray:
    return rgb_array(open_picture(data)).astype(float)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_bytes(kind) -> None:
    first, second = (degraded(SCENE, kind, RANGES, Random(7)) for _ in range(2))
    other = degraded(SCENE, kind, RANGES, Random(8))
    assert first == second
    assert other.data != first.data
    assert degrade(SCENE, first.degradation) == first.data
    assert Degradation.model_validate_json(first.degradation.model_dump_json()) == first.degradation


@pytest.mark.parametrize(
    ("kind", "name", "range_name"),
    [
        ("gaussian_blur", "sigma", "gaussian_sigma"),
        ("defocus_blur", "radius", "defocus_radius"),
        ("motion_blur", "length", "motion_length"),
        ("downsampling", "factor", "downsample_factor"),
        ("perspective", "x2", "corner_shift"),
    ],
)
def test_parameters_are_drawn_over_the_whole_configured_range(kind, name, range_name) -> None:
    low, high = getattr(RANGES, range_name)
    values = [drawn(kind, RANGES, Random(seed))[name] for seed in range(200)]
    assert low <= min(values) < low + 0.1 * (high - low)
    assert high - 0.1 * (high - low) < max(values) <= high


shift = st.floats(0, 0.29)


@given(
    st.lists(shift, min_size=8, max_size=8),
    st.integers(60, 3000),
    st.integers(60, 3000),
)
def test_the_homography_takes_the_corners_where_it_says_and_inside(shifts, width, height) -> None:
    names = [f"{axis}{n}" for n in range(4) for axis in "xy"]
    parameters = tuple(Parameter(name=n, value=v) for n, v in zip(names, shifts, strict=True))
    how = Degradation(kind="perspective", parameters=parameters)
    corners = np.array([[[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5],
                         [-0.5, height - 0.5]]])  # fmt: skip
    found = cv2.perspectiveTransform(corners, homography(how, width, height))[0]
    said = moved_corners(how, width, height)
    assert np.abs(found - said).max() < 0.05
    assert (said >= -0.5).all() and (said <= (width - 0.5, height - 0.5)).all()
    left, top = said[0] + 0.5
    assert (left / width, top / height) == pytest.approx(shifts[:2], abs=1e-6)


def lit(image, place):
    """The colour at a place, x and y."""
    across, down = map(round, place)
    return np.asarray(image)[down, across]


def test_a_view_from_the_side_is_projective_and_not_only_affine() -> None:
    how = drawn("perspective", RANGES, Random(3))
    bottom = homography(how, 720, 512)[2]
    assert np.hypot(bottom[0], bottom[1]) > 1e-5


def test_a_view_from_the_side_shows_the_picture_between_its_corners_and_ground_around() -> None:
    white = drawing.png(Image.new("RGB", (300, 200), "white"))
    worse = degraded(white, "perspective", RANGES, Random(5))
    seen = open_picture(worse.data)
    assert seen.size == (300, 200)
    corners = moved_corners(worse.degradation, 300, 200)
    centre = corners.mean(axis=0)
    for corner in corners:
        inside, outside = (corner + step * (centre - corner) for step in (0.08, -0.08))
        assert lit(seen, inside).min() > 245
        assert lit(seen, np.clip(outside, 0, (299, 199))).max() < 150


def test_a_gaussian_blur_is_as_wide_as_it_was_drawn() -> None:
    worse = degraded(SCENE, "gaussian_blur", RANGES, Random(2))
    sigma = worse.degradation["sigma"]
    assert abs(blur_sigma(brightness(rgb_array(open_picture(worse.data)))) - sigma) < 0.3 * sigma


def spread(kind: str, name: str, value: float, angle: float = 0.0) -> tuple[float, float]:
    """How far one bright line's light reaches across and down, as a standard deviation."""
    image = Image.new("RGB", (121, 121), "black")
    image.putpixel((60, 60), (255, 255, 255))
    parameters = (Parameter(name=name, value=value), Parameter(name="angle", value=angle))
    how = Degradation(kind=kind, parameters=parameters)
    image = image.resize((363, 363), Image.Resampling.NEAREST)
    light = pixels(degrade(drawing.png(image), how))[:, :, 1]
    light = np.where(light > 3, light, 0)
    rows, columns = np.indices(light.shape)
    centre = [(axis * light).sum() / light.sum() for axis in (columns, rows)]
    across, down = (
        float(np.sqrt(((axis - middle) ** 2 * light).sum() / light.sum()))
        for axis, middle in zip((columns, rows), centre, strict=True)
    )
    return across, down


def test_a_defocused_lens_spreads_alike_and_a_moving_camera_along_its_way() -> None:
    across, down = spread("defocus_blur", "radius", 4.0)
    assert across == pytest.approx(down, rel=0.05)
    assert across == pytest.approx(np.hypot(4.25 / 2, np.sqrt(8 / 12)), rel=0.15)
    across, down = spread("motion_blur", "length", 12.0, angle=0.0)
    assert across > 2.5 * down
    across, down = spread("motion_blur", "length", 12.0, angle=90.0)
    assert down > 2.5 * across


def test_downsampling_makes_each_side_smaller_by_the_factor() -> None:
    worse = degraded(SCENE, "downsampling", RANGES, Random(4))
    factor = worse.degradation["factor"]
    assert open_picture(worse.data).size == (round(720 / factor), round(512 / factor))


def test_a_picture_that_would_be_left_with_too_few_pixels_is_refused() -> None:
    small = drawing.png(Image.new("RGB", (90, 90), "red"))
    with pytest.raises(PictureError, match="too small"):
        degraded(small, "downsampling", RANGES, Random(1))


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PictureError):
        degraded(b"\x89PNG no", "gaussian_blur", RANGES, Random(1))


def test_a_parameter_that_a_degradation_lacks_is_an_error() -> None:
    with pytest.raises(KeyError):
        drawn("gaussian_blur", RANGES, Random(1))["factor"]
