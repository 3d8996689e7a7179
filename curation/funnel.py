"""The funnel: for every stage what entered it, what it kept, and what it rejected by reason."""

from collections.abc import Sequence
from typing import Any

from hopsight.stage import Staged
from hopsight.types import FunnelRow

HEADER = ("stage", "entered", "kept", "rejected", "reasons")


def funnel_row(stage: str, staged: Staged[Any]) -> FunnelRow:
    """The figures of a stage's result."""
    return FunnelRow.of(stage, staged.entered, len(staged.kept), staged.reasons())


def cells(rows: Sequence[FunnelRow]) -> list[tuple[str, ...]]:
    """The table's cells as text, one row a stage in the order given, under `HEADER`."""
    return [
        (
            row.stage,
            f"{row.entered:,}",
            f"{row.kept:,}",
            f"{row.rejected:,}",
            ", ".join(f"{each.reason} {each.count:,}" for each in row.reasons),
        )
        for row in rows
    ]
