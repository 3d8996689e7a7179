import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.stats import paired_difference, wilson


def test_wilson_gives_the_published_values():
    # 95 % for 8 of 10: 0.4902 to 0.9433 (Newcombe 1998, method 3).
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_stays_between_0_and_1(counts):
    successes, trials = counts
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert low < high


def test_more_trials_make_it_narrower():
    few, many = wilson(3, 6), wilson(300, 600)
    assert many.high - many.low < few.high - few.low


def test_a_paired_difference_leaves_out_what_both_share():
    first, second = [10.0, 20.0, 31.0], [9.0, 19.0, 30.0]
    mean, interval = paired_difference(first, second)
    assert mean == pytest.approx(1.0)
    assert interval == pytest.approx((1.0, 1.0))


def test_unpaired_values_are_refused():
    with pytest.raises(ValueError, match="pairs"):
        paired_difference([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="at least two"):
        paired_difference([1.0], [1.0])
