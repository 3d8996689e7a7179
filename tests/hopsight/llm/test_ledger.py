"""Whatever is reserved, settled and lost: sums are the sums of the rows, and within the limits."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.errors import StoreError
from hopsight.llm import ledger
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import TokenUse
from hopsight.llm.ledger import Ask, Granted, Refused, SpendLimits, Status, Wait

LIMITS = SpendLimits(calls=8, tokens=1000, cost=5000)


def ask(tokens=10, cost=0, scope="s", **values):
    return Ask(scope, "me", "stage", "role", "record", "place", "key", 0, tokens, cost, **values)


def opened():
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(ledger.TABLES)
    return db


def sums(db, scope="s"):
    row = db.execute(
        "SELECT total(calls), total(tokens), total(cost) FROM calls WHERE scope = ?", (scope,)
    ).fetchone()
    return tuple(int(each) for each in row)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("reserve"), st.integers(0, 600), st.integers(0, 3000) | st.none()),
        st.tuples(st.sampled_from(["paid", "assumed", "free"]), st.integers(0, 9), st.just(0)),
        st.tuples(st.just("lose"), st.just(0), st.just(0)),
    ),
    max_size=40,
)


@given(STEPS)
def test_no_sequence_passes_a_limit_and_totals_are_the_sums_of_the_rows(steps):
    db, open_calls = opened(), []
    for step, first, second in steps:
        if step == "reserve":
            outcome = ledger.reserve(db, ask(first, second), LIMITS, 0.0)
            if isinstance(outcome, Granted):
                open_calls.append((outcome.call, first, second))
            elif isinstance(outcome, Wait):
                assert outcome.room
                assert open_calls
            else:
                assert isinstance(outcome, Refused)
        elif step == "lose":
            ledger.lose(db, "me", Status.LOST, "died")
            open_calls.clear()
        elif open_calls:
            call, tokens, cost = open_calls.pop(first % len(open_calls))
            used = TokenUse(prompt=tokens // 2, completion=tokens // 3)
            known = None if cost is None else cost // 2
            ledger.settle(db, call, Status(step), used, known)
        spent = ledger.spent(db, "s")
        assert (spent.calls, spent.tokens, spent.cost) == sums(db)
        assert spent.calls <= 8
        assert spent.tokens <= 1000
        assert spent.cost <= 5000
    db.close()


def test_a_refusal_tells_what_is_spent_and_an_open_call_makes_it_a_wait():
    db = opened()
    granted = ledger.reserve(db, ask(900), LIMITS, 0.0)
    assert isinstance(granted, Granted)
    assert ledger.reserve(db, ask(200), LIMITS, 0.0) == Wait(60.0, room=True)
    assert ledger.reserve(db, ask(1001), LIMITS, 0.0) == Refused("tokens", 0, 1001, 1000)
    ledger.settle(db, granted.call, Status.ASSUMED)
    assert ledger.reserve(db, ask(200), LIMITS, 0.0) == Refused("tokens", 900, 200, 1000)
    db.close()


def test_a_place_takes_so_many_requests_and_tokens_in_any_minute():
    db = opened()
    rates = {"requests_per_minute": 2, "tokens_per_minute": 100}
    no = SpendLimits()
    assert isinstance(ledger.reserve(db, ask(40, **rates), no, 1000.0), Granted)
    assert isinstance(ledger.reserve(db, ask(61, **rates), no, 1001.0), Wait), "too many tokens"
    assert isinstance(ledger.reserve(db, ask(40, **rates), no, 1010.0), Granted)
    assert ledger.reserve(db, ask(1, **rates), no, 1020.0) == Wait(40.0)
    assert isinstance(ledger.reserve(db, ask(1, **rates), no, 1060.1), Granted)
    db.close()


def test_a_call_larger_than_a_minutes_tokens_goes_alone():
    db = opened()
    big = ask(500, tokens_per_minute=100)
    assert isinstance(ledger.reserve(db, big, SpendLimits(), 1000.0), Granted)
    assert ledger.reserve(db, big, SpendLimits(), 1001.0) == Wait(59.0)
    db.close()


def test_a_pause_holds_for_all_and_is_never_shortened():
    db = opened()
    ledger.pause(db, "place", 1010.0)
    ledger.pause(db, "place", 1005.0)
    assert ledger.reserve(db, ask(), SpendLimits(), 1004.0) == Wait(6.0)
    assert isinstance(ledger.reserve(db, ask(), SpendLimits(), 1011.0), Granted)
    db.close()


def test_a_file_of_another_version_or_no_database_is_refused_with_the_remedy(tmp_path):
    with CallStore(tmp_path, "s"):
        pass
    with sqlite3.connect(tmp_path / "calls.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="is of version 99"):
        CallStore(tmp_path, "s")
    for path in tmp_path.glob("calls.sqlite*"):
        path.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="move it away"):
        CallStore(tmp_path, "s")
