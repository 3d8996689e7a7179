from hypothesis import given
from hypothesis import strategies as st

from hopsight.chains.ranges import ranges_around


@given(st.floats(0.5, 1e8) | st.integers(1, 10**8).map(float))
def test_a_quantity_lies_inside_every_range_and_on_no_bound(value):
    found = ranges_around(value, "km2")
    assert all(0 < low < value < high for low, high in found)
    assert found == sorted(found, key=lambda pair: pair[1] - pair[0])


@given(st.integers(-3000, 2100).filter(bool))
def test_years_get_ranges_within_one_era(year):
    for low, high in ranges_around(float(year), "year"):
        assert low < year < high
        assert low * high > 0
        assert low == int(low)


def test_whole_quantities_have_ranges_to_choose_from():
    assert ranges_around(2850.0, "km") == [
        (2800.0, 2900.0),
        (2800.0, 3000.0),
        (2750.0, 3250.0),
        (2500.0, 3500.0),
        (2000.0, 4000.0),
    ]


def test_what_is_not_above_zero_has_none():
    assert ranges_around(-430.0, "m") == []
    assert ranges_around(0.0, "m") == []
