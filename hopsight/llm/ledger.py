"""What calls were reserved and spent: rows of a SQLite table, and limits that are never passed.

The functions here run inside a transaction of the group writer. Each attempt of a call is a row:
`tokens` and `cost` are what it counts for, first its worst case, then what it was. `totals` holds
their sums per scope, so that a limit is checked in one look. Money is in billionths of a dollar.
"""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum

from hopsight.budget import USD_UNITS
from hopsight.llm.chat import TokenUse

MINUTE_S = 60.0

TABLES = """
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, scope TEXT NOT NULL, owner TEXT NOT NULL, stage TEXT NOT NULL,
    role TEXT NOT NULL, record TEXT NOT NULL, place TEXT NOT NULL, key TEXT NOT NULL,
    attempt INTEGER NOT NULL, status TEXT NOT NULL, reason TEXT, sent_at REAL NOT NULL,
    calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost INTEGER,
    prompt_tokens INTEGER, completion_tokens INTEGER
);
CREATE INDEX IF NOT EXISTS open_calls ON calls (scope, owner) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS recent_calls ON calls (place, sent_at);
CREATE TABLE IF NOT EXISTS totals (
    scope TEXT PRIMARY KEY, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pauses (place TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
"""


class Status(StrEnum):
    """What a row counts for.

    open: sent, no answer yet; its worst case. paid: what the server counted. assumed: it may have
    been paid and the count is unknown; its worst case. lost: its process died; its worst case.
    free: never arrived, or an error status; nothing.
    """

    OPEN = "open"
    PAID = "paid"
    ASSUMED = "assumed"
    LOST = "lost"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class SpendLimits:
    """What a scope may spend, all its processes together; None is no limit. `cost` in units."""

    calls: int | None = None
    tokens: int | None = None
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """One attempt, before it is sent. `tokens` and `cost` are its worst case; cost may be unknown.

    `place` is what rates go by: a model at its address, or the kind of a service.
    """

    scope: str
    owner: str
    stage: str
    role: str
    record: str
    place: str
    key: str
    attempt: int
    tokens: int
    cost: int | None
    calls: int = 1
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True, slots=True)
class Granted:
    """The attempt may be sent; `call` is its row."""

    call: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Not now: ask again after so many seconds at most. `room`: what is open may make room."""

    seconds: float
    room: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """It would pass a limit, and nothing that is open can make room for it."""

    limit: str
    spent: int
    wanted: int
    allowed: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What a scope has spent, worst cases included."""

    calls: int = 0
    tokens: int = 0
    cost: int = 0

    @property
    def usd(self) -> float:
        """The cost in dollars."""
        return self.cost / USD_UNITS


def reserve(
    db: sqlite3.Connection, ask: Ask, limits: SpendLimits, now: float
) -> Granted | Wait | Refused:
    """Take the worst case of an attempt out of its scope's limits. `now`: seconds of the epoch."""
    wait = _crowd(db, ask, now)
    if wait is not None:
        return wait
    short = _short(spent(db, ask.scope), ask, limits)
    if short is not None:
        settled = _without_open(db, ask.scope)
        return _short(settled, ask, limits) or Wait(MINUTE_S, room=True)
    row = db.execute(
        "INSERT INTO calls (scope, owner, stage, role, record, place, key, attempt, status,"
        " sent_at, calls, tokens, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?)",
        (
            *(ask.scope, ask.owner, ask.stage, ask.role, ask.record, ask.place, ask.key),
            *(ask.attempt, now, ask.calls, ask.tokens, ask.cost),
        ),
    )
    _add(db, ask.scope, ask.calls, ask.tokens, ask.cost or 0)
    assert row.lastrowid is not None
    return Granted(row.lastrowid)


def settle(
    db: sqlite3.Connection,
    call: int,
    status: Status,
    used: TokenUse | None = None,
    cost: int | None = None,
    reason: str | None = None,
) -> None:
    """Write what became of an attempt. Only `paid` and `free` change what it counts for."""
    scope, calls, tokens, counted = db.execute(
        "SELECT scope, calls, tokens, cost FROM calls WHERE id = ?", (call,)
    ).fetchone()
    now_calls, now_tokens, now_cost = calls, tokens, counted
    prompt = completion = None
    if used is not None:
        prompt, completion = used.prompt, used.completion
    if status is Status.FREE:
        now_calls, now_tokens, now_cost = 0, 0, None if counted is None else 0
    elif status is Status.PAID and prompt is not None and completion is not None:
        now_tokens = prompt + completion
        now_cost = None if counted is None else cost
    db.execute(
        "UPDATE calls SET status = ?, reason = ?, calls = ?, tokens = ?, cost = ?,"
        " prompt_tokens = ?, completion_tokens = ? WHERE id = ?",
        (status, reason, now_calls, now_tokens, now_cost, prompt, completion, call),
    )
    _add(db, scope, now_calls - calls, now_tokens - tokens, (now_cost or 0) - (counted or 0))


def pause(db: sqlite3.Connection, place: str, until: float) -> None:
    """Send nothing to a place before `until`, whatever process it is."""
    db.execute(
        "INSERT INTO pauses VALUES (?, ?) ON CONFLICT (place)"
        " DO UPDATE SET until = max(until, excluded.until)",
        (place, until),
    )


def lose(db: sqlite3.Connection, owner: str, status: Status, reason: str) -> int:
    """Mark the open rows of an owner that is gone; they go on counting for their worst case."""
    done = db.execute(
        "UPDATE calls SET status = ?, reason = ? WHERE owner = ? AND status = 'open'",
        (status, reason, owner),
    )
    return done.rowcount


def owners_of_open(db: sqlite3.Connection, scope: str) -> list[str]:
    """Who has open rows."""
    rows = db.execute(
        "SELECT DISTINCT owner FROM calls WHERE scope = ? AND status = 'open' ORDER BY owner",
        (scope,),
    )
    return [owner for (owner,) in rows]


def spent(db: sqlite3.Connection, scope: str) -> Spent:
    """The sums of a scope."""
    row = db.execute("SELECT calls, tokens, cost FROM totals WHERE scope = ?", (scope,)).fetchone()
    return Spent() if row is None else Spent(*row)


def _add(db: sqlite3.Connection, scope: str, calls: int, tokens: int, cost: int) -> None:
    db.execute(
        "INSERT INTO totals VALUES (?, ?, ?, ?) ON CONFLICT (scope) DO UPDATE SET"
        " calls = calls + excluded.calls, tokens = tokens + excluded.tokens,"
        " cost = cost + excluded.cost",
        (scope, calls, tokens, cost),
    )


def _without_open(db: sqlite3.Connection, scope: str) -> Spent:
    """What stays spent if everything that is open turned out to be free."""
    whole = spent(db, scope)
    calls, tokens, cost = db.execute(
        "SELECT total(calls), total(tokens), total(cost) FROM calls"
        " WHERE scope = ? AND status = 'open'",
        (scope,),
    ).fetchone()
    return Spent(whole.calls - int(calls), whole.tokens - int(tokens), whole.cost - int(cost))


def _short(before: Spent, ask: Ask, limits: SpendLimits) -> Refused | None:
    """The first limit that the attempt would pass."""
    for name, spent_, wanted, allowed in (
        ("calls", before.calls, ask.calls, limits.calls),
        ("tokens", before.tokens, ask.tokens, limits.tokens),
        ("cost", before.cost, ask.cost or 0, limits.cost),
    ):
        if allowed is not None and spent_ + wanted > allowed:
            return Refused(name, spent_, wanted, allowed)
    return None


def _crowd(db: sqlite3.Connection, ask: Ask, now: float) -> Wait | None:
    """Whether the place is paused, or has had as much as it takes in any minute."""
    paused = db.execute("SELECT until FROM pauses WHERE place = ?", (ask.place,)).fetchone()
    if paused is not None and paused[0] > now:
        return Wait(paused[0] - now)
    if ask.requests_per_minute is None and ask.tokens_per_minute is None:
        return None
    requests, tokens, first = db.execute(
        "SELECT count(*), total(tokens), min(sent_at) FROM calls"
        " WHERE place = ? AND sent_at > ? AND sent_at < ?",
        (ask.place, now - MINUTE_S, now + MINUTE_S),
    ).fetchone()
    over = ask.requests_per_minute is not None and requests >= ask.requests_per_minute
    if ask.tokens_per_minute is not None:
        over |= requests > 0 and tokens + ask.tokens > ask.tokens_per_minute
    return Wait(max(0.0, first + MINUTE_S - now)) if over else None
