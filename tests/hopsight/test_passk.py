from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.passk import pass_at_k, pass_interval


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), st.data())
def test_the_estimate_is_the_share_of_k_subsets_with_a_correct_rollout(counts, data):
    n, c = counts
    k = data.draw(st.integers(1, n))
    subsets = list(combinations(range(n), k))
    hits = sum(any(rollout < c for rollout in subset) for subset in subsets)
    assert pass_at_k(n, c, k) == pytest.approx(hits / len(subsets))


def test_pass_at_1_is_the_rate():
    assert pass_at_k(5, 3, 1) == pytest.approx(0.6)


@pytest.mark.parametrize(("n", "c", "k"), [(4, 5, 1), (4, -1, 1), (4, 2, 0), (4, 2, 5), (0, 0, 1)])
def test_impossible_counts_are_refused(n, c, k):
    with pytest.raises(ValueError, match="must be between"):
        pass_at_k(n, c, k)


def test_the_interval_of_nothing_graded_says_nothing():
    assert pass_interval(0, 0) == (0.0, 1.0)
