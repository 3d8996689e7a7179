import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.judge import cohen_kappa, fleiss_kappa, plain_agreement


def votes(*counts):
    return [word for word, count in counts for _ in range(count)]


def test_cohen_s_kappa_of_a_worked_table():
    # 50 items: both yes 20, first only 5, second only 10, both no 15: p_o .7, p_e .5.
    first = votes(("yes", 25), ("no", 25))
    second = votes(("yes", 20), ("no", 5), ("yes", 10), ("no", 15))
    assert plain_agreement(first, second) == pytest.approx(0.7)
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_fleiss_kappa_of_a_worked_table():
    # Three judges, four items; rows (3,0) (0,3) (2,1) (1,2): p_o 2/3, p_e 1/2.
    judges = [list("ynyn"), list("ynyn"), list("ynny")]
    assert fleiss_kappa(judges) == pytest.approx(1 / 3)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=20))
def test_a_judge_agrees_with_itself(one):
    expected = None if len(set(one)) == 1 else 1
    assert plain_agreement(one, one) == 1
    assert cohen_kappa(one, one) == (expected and pytest.approx(1))
    assert fleiss_kappa([one, one, one]) == (expected and pytest.approx(1))


@pytest.mark.parametrize("judges", [[], [["a"]], [[], []], [["a"], ["a", "b"]]])
def test_what_cannot_be_compared_is_refused(judges):
    with pytest.raises(ValueError, match="two or more judges"):
        fleiss_kappa(judges)
