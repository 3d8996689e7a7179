"""What calls cost, by stage, role or record, and what the whole will cost by a preview."""

import math
import sqlite3
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hopsight.budget import USD_UNITS
from hopsight.llm.ledger import Status

GroupBy = Literal["stage", "role", "record", "place"]
LEVEL = 0.95

_COLUMNS = ("stage", "role", "record", "place")


@dataclass(frozen=True, slots=True)
class CostRow:
    """The calls of one group. `usd` and `tokens` hold worst cases where the count is unknown.

    `unknown` calls have no price, so that `usd` is too low by them; `assumed` and `lost` ones
    stand with their worst case; `free` ones cost nothing.
    """

    group: tuple[str, ...]
    calls: int
    tokens: int
    usd: float
    unknown: int
    assumed: int
    lost: int
    free: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a whole run will cost, in dollars: at least, most likely, at most.

    `low` and `high` bound it with 95 %, by Student's t for the mean of the records that are still
    to come; they are None for fewer than two records, and all are None if a price is unknown.
    """

    records_seen: int
    records: int
    usd: float | None
    low: float | None
    high: float | None


def cost_rows(db: sqlite3.Connection, scope: str, by: Sequence[GroupBy]) -> tuple[CostRow, ...]:
    """Costs of a scope, one row per value of the columns `by`, sorted by them."""
    columns = ", ".join(name for name in _COLUMNS if name in by)
    if not by:
        raise ValueError("group by at least one column")
    rows = db.execute(
        f"SELECT {columns}, sum(calls), sum(tokens), total(cost),"  # noqa: S608 -- names of ours
        " sum(status != 'free' AND cost IS NULL), sum(status = 'assumed'), sum(status = 'lost'),"
        f" sum(status = 'free') FROM calls WHERE scope = ? GROUP BY {columns} ORDER BY {columns}",
        (scope,),
    )
    n = len([name for name in _COLUMNS if name in by])
    return tuple(
        CostRow(tuple(row[:n]), row[n], row[n + 1], row[n + 2] / USD_UNITS, *row[n + 3 :])
        for row in rows
    )


def failures(db: sqlite3.Connection, scope: str) -> dict[str, int]:
    """How many attempts failed, by reason."""
    rows = db.execute(
        "SELECT reason, count(*) FROM calls WHERE scope = ? AND reason IS NOT NULL"
        " GROUP BY reason ORDER BY reason",
        (scope,),
    )
    return dict(rows.fetchall())


def count(db: sqlite3.Connection, scope: str, status: Status) -> int:
    """How many attempts of a scope have a status."""
    row = db.execute(
        "SELECT count(*) FROM calls WHERE scope = ? AND status = ?", (scope, status)
    ).fetchone()
    return int(row[0])


def estimate(rows: Sequence[CostRow], records: int) -> Estimate:
    """The cost of `records` records, from the costs of those of a preview, one row each.

    What the preview cost is spent; each of the others costs its mean, with the spread of a sum of
    that many draws around an uncertain mean: t * s * m * sqrt(1/n + 1/m).
    """
    seen = len(rows)
    if not seen or any(row.unknown for row in rows):
        return Estimate(seen, records, None, None, None)
    spent, more = sum(row.usd for row in rows), max(0, records - seen)
    mean = spent / seen
    usd = spent + more * mean
    if not more:
        return Estimate(seen, records, usd, usd, usd)
    if seen < 2:
        return Estimate(seen, records, usd, None, None)
    deviation = statistics.stdev(row.usd for row in rows)
    half = student_t((1 + LEVEL) / 2, seen - 1) * deviation * more * math.sqrt(1 / seen + 1 / more)
    return Estimate(seen, records, usd, max(spent, usd - half), usd + half)


def student_t(level: float, freedom: int) -> float:
    """Quantile of Student's t. Exact for 1 and 2 degrees of freedom, else within 1 % at 97.5 %.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    if freedom == 1:
        return math.tan(math.pi * (level - 0.5))
    if freedom == 2:
        return (2 * level - 1) / math.sqrt(2 * level * (1 - level))
    z, v = statistics.NormalDist().inv_cdf(level), float(freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )
