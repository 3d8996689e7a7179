"""Provenance rows say where records came from; costs are shared out, not repeated."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from hopsight.provenance import ProvenanceRow, rows_for
from hopsight.store import DataStore
from hopsight.types import Alias, PassRate, PromptRef, Question

PROMPT = PromptRef(name="rules", version="1", sha256="0" * 64)
QUESTION = Question(
    text="What?",
    answer="a",
    answer_aliases=(),
    images=(),
    chain_id="chain_1",
    parent_id="q_0",
    operator="fuzz",
    prompt=PROMPT,
    round="0001",
)
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def test_a_row_names_parents_operator_and_prompt() -> None:
    [row] = rows_for([QUESTION], stage="fuzz", round="0001", run_id="r", made_at=NOON, seed=3)
    assert row.record_id == QUESTION.id
    assert row.record_kind == "q"
    assert row.made_from == ("q_0", "chain_1")
    assert (row.operator, row.prompt, row.seed) == ("fuzz", PROMPT, 3)
    assert row.parents == ()


def test_cost_and_time_of_a_stage_are_shared_out() -> None:
    records = [
        PassRate(question_id=f"q{n}", policy="p", n=4, graded=4, correct=1) for n in range(4)
    ]
    rows = rows_for(
        records, stage="s", round="0001", run_id="r", made_at=NOON, cost_usd=2.0, seconds=10.0
    )
    assert sum(row.cost_usd for row in rows) == pytest.approx(2.0)
    assert sum(row.seconds for row in rows) == pytest.approx(10.0)
    assert rows_for([], stage="s", round="0001", run_id="r", made_at=NOON) == []


def test_times_are_utc_and_a_time_without_zone_is_refused() -> None:
    alias = Alias(page_id=1, name="a")
    local = NOON.astimezone(timezone(timedelta(hours=5)))
    [row] = rows_for([alias], stage="s", round="all", run_id="r", made_at=local)
    assert row.made_at == "2026-01-02T12:00:00.000+00:00"
    with pytest.raises(ValueError, match="time zone"):
        rows_for([alias], stage="s", round="all", run_id="r", made_at=NOON.replace(tzinfo=None))


def test_rows_are_stored_like_other_records(tmp_path: Path) -> None:
    rows = rows_for([QUESTION], stage="fuzz", round="0001", run_id="r", made_at=NOON)
    store = DataStore(tmp_path)
    store.write("provenance_fuzz", "0001", rows, record_type=ProvenanceRow)
    assert store.read("provenance_fuzz", "0001", ProvenanceRow) == rows
