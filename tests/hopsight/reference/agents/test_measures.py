"""Bounds in running text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.reference.agents.measures import number_of, read_measures, unit_after, unit_named


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("between 1,200 and 1,500 km long", 1200, 1500, "km"),
        ("from 3 to 5 metres", 3, 5, "m"),
        ("born before 1900", None, 1900, None),
        ("more than 2.5 kg", 2.5, None, "kg"),
        ("at most 40 square kilometres", None, 40, "km2"),
    ],
)
def test_a_bounded_number_is_read_with_its_unit(text, low, high, unit):
    (measure,) = read_measures(text)
    assert (measure.low, measure.high, measure.unit) == (low, high, unit)


def test_a_number_without_bounds_is_no_measure():
    assert read_measures("the 3 bridges") == ()


def test_bounds_include_their_ends():
    (measure,) = read_measures("between 10 and 20")
    assert [measure.admits(n) for n in (9, 10, 20, 21)] == [False, True, True, False]


def test_units_are_told_in_short_and_in_words():
    assert unit_after(" km² of land") == "km2"
    assert unit_named("its size in square kilometres") == "km2"
    assert unit_named("its size") is None


def test_the_first_number_counts_and_thousands_are_joined():
    assert number_of("about 12,345.5 m, once 3") == 12345.5
    assert number_of("none") is None


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_lower_bound_comes_first(one, other):
    (measure,) = read_measures(f"between {one} and {other}")
    assert (measure.low, measure.high) == tuple(sorted((one, other)))
