"""The file in which calls of models live: answers, what they cost, and what may still be spent.

Several processes may use one file at once. Each holds a lock of its own as long as it lives, so
that the others can tell its reservations from those of a process that died.
"""

import asyncio
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from hopsight.errors import LockedError, StoreError
from hopsight.llm import cache, costs, ledger
from hopsight.llm.cache import Withheld
from hopsight.llm.chat import ChatAnswer, TokenUse
from hopsight.llm.embedding import Vector
from hopsight.llm.failures import Reason
from hopsight.llm.group_commit import WINDOW_S, GroupWriter, connect
from hopsight.llm.ledger import Ask, Granted, Refused, SpendLimits, Spent, Status, Wait
from hopsight.store.lock import file_lock

log = logging.getLogger(__name__)

FILE = "calls.sqlite"
VERSION = 1
OPEN_WAIT_S = 60.0

T = TypeVar("T")

Reserved = Granted | Wait | Refused | ChatAnswer | Withheld
"""What came of asking for a reservation, or what made it needless."""


class CallStore:
    """One scope (a round, a preview) of the file in `folder`. Close it, or use it as a context.

    `scope` is what limits and costs are counted by; answers are shared by all scopes.
    """

    def __init__(
        self,
        folder: Path,
        scope: str,
        limits: SpendLimits | None = None,
        window_s: float = WINDOW_S,
    ) -> None:
        self.scope = scope
        self.limits = limits or SpendLimits()
        self.owner = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._owners = folder / "owners"
        self._life = ExitStack()
        self._life.enter_context(file_lock(self._lock_of(self.owner), "a store of calls"))
        path = folder / FILE
        with file_lock(folder / "open.lock", "the store of calls", wait_s=OPEN_WAIT_S):
            self._reader = _opened(path)
        self._reading = threading.Lock()
        self._writer = GroupWriter(path, window_s)
        self.sweep()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Commit what is queued and let go of the file. What is still open may have been paid."""
        self._writer.flush()
        self._writer.change(lambda db: ledger.lose(db, self.owner, Status.ASSUMED, "closed"))
        self._writer.close()
        self._reader.close()
        self._life.close()
        self._lock_of(self.owner).unlink(missing_ok=True)

    def find(self, key: str) -> ChatAnswer | Withheld | None:
        """What was kept of a request. Raises StoreError where it is damaged."""
        return self._read(lambda db: cache.look_up(db, key))

    def find_vectors(self, keys: Sequence[str]) -> dict[str, Vector]:
        """The vectors that were kept, by key."""
        return self._read(lambda db: cache.find_vectors(db, keys))

    def reserve(
        self,
        ask: Ask,
        key: str | None,
        gone: Callable[[Reserved], None],
    ) -> "asyncio.Future[Reserved]":
        """Reserve the worst case of an attempt, unless something is known under `key` by now.

        `gone` gets the outcome where the future was cancelled before it came.
        """

        def change(db: sqlite3.Connection) -> Reserved:
            found = None if key is None else cache.look_up(db, key)
            return found or ledger.reserve(db, ask, self.limits, time.time())

        return self._writer.ask(change, gone)

    def settle(
        self,
        call: int,
        status: Status,
        used: TokenUse | None = None,
        cost: int | None = None,
        reason: str | None = None,
    ) -> "asyncio.Future[None]":
        """Write what became of an attempt that gave no answer."""
        return self._writer.ask(lambda db: ledger.settle(db, call, status, used, cost, reason))

    def keep(
        self, call: int, status: Status, cost: int | None, answer: ChatAnswer, key: str, sample: int
    ) -> "asyncio.Future[ChatAnswer]":
        """Settle an attempt and keep its answer; the one that stands may be another process's."""

        def change(db: sqlite3.Connection) -> ChatAnswer:
            ledger.settle(db, call, status, answer.tokens, cost)
            return cache.keep(db, key, sample, answer)

        return self._writer.ask(change)

    def keep_vectors(
        self,
        keys: Sequence[str],
        model: str,
        call: int,
        status: Status,
        used: TokenUse,
        cost: int | None,
        vectors: Sequence[Vector],
    ) -> "asyncio.Future[list[Vector]]":
        """Settle an attempt and keep the vectors that it gave; returns those that stand."""

        def change(db: sqlite3.Connection) -> list[Vector]:
            ledger.settle(db, call, status, used, cost)
            return cache.keep_vectors(db, keys, model, vectors)

        return self._writer.ask(change)

    def withhold(
        self,
        call: int,
        status: Status,
        used: TokenUse,
        cost: int | None,
        kept: tuple[str, str, int, str],
    ) -> "asyncio.Future[None]":
        """Settle an attempt whose answer the provider's filter withheld, and keep that.

        `kept` holds the key, the model, the number of the sample, and what the provider said.
        """

        def change(db: sqlite3.Connection) -> None:
            ledger.settle(db, call, status, used, cost, Reason.CONTENT_FILTER)
            cache.withhold(db, *kept)

        return self._writer.ask(change)

    def forget_withheld(self) -> int:
        """Let answers that a provider's filter withheld be asked for again; how many they were."""
        return self._writer.change(cache.forget_withheld)

    def pause(self, place: str, seconds: float) -> "asyncio.Future[None]":
        """Let no process send to a place for some seconds."""
        return self._writer.ask(lambda db: ledger.pause(db, place, time.time() + seconds))

    def sweep(self) -> int:
        """Mark the reservations of processes that died; returns how many there were."""
        lost = 0
        for owner in self._read(lambda db: ledger.owners_of_open(db, self.scope)):
            if owner != self.owner and self._is_dead(owner):
                lost += self._lose(owner)
        return lost

    def spent(self) -> Spent:
        """What the scope has spent, all processes together, worst cases included."""
        return self._read(lambda db: ledger.spent(db, self.scope))

    def costs(self, by: Sequence[costs.GroupBy]) -> tuple[costs.CostRow, ...]:
        """What the scope cost, by stage, role, record or place."""
        return self._read(lambda db: costs.cost_rows(db, self.scope, by))

    def failures(self) -> dict[str, int]:
        """How many attempts failed, by reason."""
        return self._read(lambda db: costs.failures(db, self.scope))

    def count(self, status: Status) -> int:
        """How many attempts have a status."""
        return self._read(lambda db: costs.count(db, self.scope, status))

    def _lose(self, owner: str) -> int:
        lost = self._writer.change(
            lambda db: ledger.lose(db, owner, Status.LOST, "its process died")
        )
        self._lock_of(owner).unlink(missing_ok=True)
        log.warning(
            "event=calls_lost scope=%s owner=%s calls=%d counted=worst_case",
            *(self.scope, owner, lost),
        )
        return lost

    def _is_dead(self, owner: str) -> bool:
        try:
            with file_lock(self._lock_of(owner), "a store of calls"):
                return True
        except LockedError:
            return False

    def _lock_of(self, owner: str) -> Path:
        return self._owners / f"{owner}.lock"

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        with self._reading:
            try:
                return query(self._reader)
            except sqlite3.Error as error:
                raise StoreError(
                    f"cannot read the store of calls ({error})",
                    "see that the file is there and sound",
                ) from error


def _opened(path: Path) -> sqlite3.Connection:
    """A connection to a file with our tables. Raises StoreError for another version."""
    try:
        db = connect(path)
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version in (0, VERSION):
            db.executescript(cache.TABLES + ledger.TABLES)
        if version == 0:
            db.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.Error as error:
        raise StoreError(
            f"{path} cannot be used ({error})", "move it away; its answers are then paid again"
        ) from error
    if version not in (0, VERSION):
        db.close()
        raise StoreError(
            f"{path} is of version {version}, this is version {VERSION}",
            "use the Hopsight that wrote it, or move it away; its answers are then paid again",
        )
    return db
