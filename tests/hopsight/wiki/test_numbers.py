import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.wiki.numbers import Quantity, quantity, written_forms


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("length", "2,850 km", Quantity(2850, "km")),
        ("length_km", "2850", Quantity(2850, "km")),
        ("area_km2", "83879.5", Quantity(83879.5, "km2")),
        ("area", "1 424 000 km²", Quantity(1424000, "km2")),
        ("elevation_m", "-430", Quantity(-430, "m")),
        ("elevation_m", "\u2212430", Quantity(-430, "m")),
        ("max_mass_kg", "0.02", Quantity(0.02, "kg")),
        ("height_cm", "77", Quantity(77, "cm")),
        ("latitude", "48.21", Quantity(48.21, "degree")),
        ("birth_year", "1756", Quantity(1756, "year")),
        ("founded", "-753", Quantity(-753, "year")),
        ("founded", "753 BC", Quantity(-753, "year")),
        ("birth_date", "14 March 1879", Quantity(1879, "year")),
        ("first_ascent", "1953", Quantity(1953, "year")),
        ("calling_code", "43", None),
        ("population_density_sq_mi", "37.9", None),
        ("capital", "Vienna", None),
        ("floors", "3", None),
        ("length_km", "about 2850", None),
    ],
)
def test_a_value_becomes_a_number_with_its_unit(attribute, value, expected):
    assert quantity(attribute, value) == expected


def test_a_number_is_written_with_and_without_separators():
    assert {"2850", "2,850", "2 850"} <= set(written_forms(2850))
    assert {"83879.5", "83,879.5", "83,879.50"} <= set(written_forms(83879.5))
    assert "430" in written_forms(-430)


@given(st.integers(0, 10**9), st.sampled_from(["km", "m", "kg"]))
def test_every_written_form_is_read_back_as_the_same_number(number, unit):
    for form in written_forms(number):
        assert quantity("x", f"{form} {unit}") == Quantity(number, unit)
