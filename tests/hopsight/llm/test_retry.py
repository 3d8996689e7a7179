"""Waits: what the server asks for, else exponential with seeded jitter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.llm.retry import MOST_S, backoff, retry_after


@given(st.integers(0, 60), st.text(max_size=5), st.integers())
def test_a_wait_is_bounded_and_the_same_for_the_same_seed(attempt, key, seed):
    wait = backoff(attempt, key, seed)
    whole = min(MOST_S, 0.5 * 2.0**attempt)
    assert whole / 2 <= wait <= whole
    assert wait == backoff(attempt, key, seed)


def test_calls_that_failed_together_do_not_come_back_together():
    assert len({backoff(3, f"call {n}", 1) for n in range(50)}) == 50


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"}, 10.0),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_what_a_server_asks_for_is_read(headers, seconds):
    assert retry_after(headers, now=784111767.0) == seconds
