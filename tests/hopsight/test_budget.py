"""A budget is checked before it is spent."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.budget import Budget, BudgetExceeded
from hopsight.errors import HopsightError


def test_the_limit_itself_can_be_spent_and_no_more() -> None:
    budget = Budget(max_calls=3, max_usd=0.3)
    for _ in range(3):
        budget.reserve(calls=1, usd=0.1)
    assert (budget.calls, budget.usd) == (3, 0.3)
    with pytest.raises(BudgetExceeded, match="1 call wanted, and 3 of 3 calls are reserved"):
        budget.reserve(calls=1)
    with pytest.raises(BudgetExceeded, match=r"\$0.3000 of \$0.3000"):
        budget.reserve(calls=0, usd=0.0001)
    assert (budget.calls, budget.usd) == (3, 0.3)


def test_a_refused_reservation_takes_nothing() -> None:
    budget = Budget(max_calls=10, max_usd=1)
    with pytest.raises(BudgetExceeded) as error:
        budget.reserve(calls=5, usd=1.5)
    assert isinstance(error.value, HopsightError)
    assert "max_usd" in error.value.remedy
    assert (budget.calls, budget.usd) == (0, 0)


def test_without_limits_everything_is_counted_and_nothing_refused() -> None:
    budget = Budget()
    budget.reserve(calls=10**6, usd=10**6)
    assert (budget.calls, budget.usd) == (10**6, 10**6)


def test_a_budget_of_nothing_refuses_the_first_call() -> None:
    with pytest.raises(BudgetExceeded):
        Budget(max_calls=0).reserve()


def test_what_was_not_spent_can_be_given_back_once() -> None:
    budget = Budget(max_usd=1)
    budget.reserve(usd=0.9)
    budget.refund(usd=0.8)
    budget.reserve(usd=0.9)
    with pytest.raises(ValueError, match="more is given back"):
        budget.refund(usd=1.1)


@pytest.mark.parametrize("usd", [-0.1, float("nan"), float("inf")])
def test_senseless_amounts_are_refused(usd: float) -> None:
    with pytest.raises(ValueError, match="dollars"):
        Budget(max_usd=1).reserve(usd=usd)


@given(st.integers(0, 50), st.lists(st.integers(0, 7), max_size=30))
def test_no_sequence_of_reservations_passes_the_limit(limit: int, wishes: list[int]) -> None:
    budget = Budget(max_calls=limit)
    granted = 0
    for wish in wishes:
        try:
            budget.reserve(calls=wish)
            granted += wish
        except BudgetExceeded:
            assert granted + wish > limit
    assert granted == budget.calls <= limit


def test_threads_together_do_not_pass_the_limit() -> None:
    budget = Budget(max_calls=1000)
    granted: list[int] = []

    def spend() -> None:
        for _ in range(500):
            try:
                budget.reserve()
            except BudgetExceeded:
                return
            granted.append(1)

    threads = [threading.Thread(target=spend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(granted) == budget.calls == 1000
