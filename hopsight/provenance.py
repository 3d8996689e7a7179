"""Where each record came from. Times, costs and run ids are kept here and nowhere else.

One row per record and stage that made or kept it. A row differs between two runs; the data sets
it speaks of do not.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar

from hopsight.types import PromptRef, Question, Record


class ProvenanceRow(Record):
    """A record, what it was made from, by what, in which run.

    `made_from` holds ids of records, or `wiki:<page id>` for a page. `seconds` and `cost_usd` are
    the record's share. `made_at` is UTC in ISO 8601.
    """

    kind: ClassVar[str] = "prov"
    record_id: str
    record_kind: str
    stage: str
    made_from: tuple[str, ...]
    operator: str | None
    prompt: PromptRef | None
    model: str | None
    seed: int | None
    cost_usd: float
    seconds: float
    round: str
    run_id: str
    made_at: str


def rows_for(
    records: Sequence[Record],
    *,
    stage: str,
    round: str,
    run_id: str,
    made_at: datetime,
    model: str | None = None,
    seed: int | None = None,
    cost_usd: float = 0.0,
    seconds: float = 0.0,
) -> list[ProvenanceRow]:
    """One row per record of a stage. Cost (US dollars) and time are the stage's: each gets a share.

    Operator and prompt are those of the record where it has them. `made_at` must know its zone.
    """
    if made_at.tzinfo is None:
        raise ValueError("made_at has no time zone")
    share = 1 / len(records) if records else 0.0
    when = made_at.astimezone(UTC).isoformat(timespec="milliseconds")
    return [
        ProvenanceRow(
            record_id=record.id,
            record_kind=record.kind,
            stage=stage,
            made_from=record.parents,
            operator=record.operator if isinstance(record, Question) else None,
            prompt=record.prompt if isinstance(record, Question) else None,
            model=model,
            seed=seed,
            cost_usd=cost_usd * share,
            seconds=seconds * share,
            round=round,
            run_id=run_id,
            made_at=when,
        )
        for record in records
    ]
