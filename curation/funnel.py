"""The funnel: for every stage what entered it, what it kept, and what it rejected by reason."""

from collections.abc import Sequence

from hopsight.stages import funnel_stages
from hopsight.store import DataStore
from hopsight.types import FunnelRow

HEADER = ("stage", "entered", "kept", "rejected", "reasons")


def read_funnel(store: DataStore, round: str) -> list[FunnelRow]:
    """The stored figures of every stage of a round so far, in the order of work."""
    return [
        row
        for stage, key in funnel_stages(round)
        if store.exists(f"funnel_{stage}", key)
        for row in store.read(f"funnel_{stage}", key, FunnelRow)
    ]


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
