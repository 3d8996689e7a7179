"""A run that is killed at random moments is taken up again, complete and paid once."""

from benchmarks.model_calls import SCOPE, killed
from hopsight.llm.call_store import CallStore


def test_after_kills_nothing_is_missing_and_nothing_is_paid_twice_but_what_was_in_flight(
    tmp_path, caplog
):
    found = killed(tmp_path, kills=3, seed=3, count=150)
    assert found.same_bytes
    assert found.lost > 0
    assert found.beyond_in_flight == 0
    assert found.billed_twice <= found.lost
    assert found.ledger_tokens >= found.server_tokens
    assert "event=calls_lost" in caplog.text
    assert "counted=worst_case" in caplog.text
    with CallStore(tmp_path / "store", SCOPE) as store:
        (row,) = store.costs(["stage"])
        assert row.lost == found.lost
        assert row.tokens > 1024 * row.lost
