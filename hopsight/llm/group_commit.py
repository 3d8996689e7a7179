"""One SQLite file, and many small changes made in one transaction.

A paid answer must last before it is used (WAL with synchronous FULL), and syncing each alone is
slow: changes that come within some milliseconds share a transaction and its sync. They are made in
the event loop, which takes microseconds; the sync is waited for in a thread. Several processes may
each have a writer on the same file.

Whoever waits is told in the end: what came of the change, or a StoreError. A change that cannot be
written is taken back alone, and those that came with it are written all the same.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hopsight.errors import HopsightError, StoreError
from hopsight.store.files import storage_errors

WINDOW_S = 0.01
BUSY_S = 60.0
RETRY_S = 0.003

T = TypeVar("T")
log = logging.getLogger(__name__)
Change = Callable[[sqlite3.Connection], T]


@dataclass(frozen=True, slots=True)
class _Asked:
    change: Change[Any]
    told: "asyncio.Future[Any]"
    gone: Callable[[Any], None] | None
    give_up: float
    """When to wait no longer for another process, by the monotonic clock."""

    def tell(self, result: Any) -> None:
        """End the future with what came of the change. It does nothing where nobody can be told."""
        if isinstance(result, Exception):
            if not (self.told.done() or self.told.get_loop().is_closed()):
                self.told.set_exception(result)
        elif not self.told.done():
            if not self.told.get_loop().is_closed():
                self.told.set_result(result)
        elif self.told.cancelled() and self.gone is not None:
            try:
                self.gone(result)
            except (HopsightError, RuntimeError) as error:
                # Those who wait behind it have to be told all the same.
                log.error("event=cancelled_change_not_handed_over cause=%r", str(error))


class GroupWriter:
    """The only writer of a file within an event loop. Flush it and close it at the end."""

    def __init__(self, path: Path, window_s: float = WINDOW_S) -> None:
        self.path = path
        self._window_s = window_s
        self._db = connect(path, busy_s=0.0)
        self._lock = threading.Lock()
        self._waiting: list[_Asked] = []
        self._scheduled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._syncing = ThreadPoolExecutor(1, thread_name_prefix="group-commit")

    def ask(
        self, change: Change[T], gone: Callable[[T], None] | None = None
    ) -> "asyncio.Future[T]":
        """Queue a change; the future ends when it is committed.

        A change runs inside a transaction with others, and may be made again where one of them
        fails or the file is busy. One that raises is taken back alone, and is told as StoreError.
        `gone` gets the result where the future was cancelled meanwhile.
        """
        self._check_open()
        loop = asyncio.get_running_loop()
        told: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Asked(change, told, gone, time.monotonic() + BUSY_S))
        if not self._scheduled or loop is not self._loop:
            # A loop that has ended takes its timer with it.
            self._scheduled, self._loop = True, loop
            loop.call_later(self._window_s, self._begin, loop)
        return told

    def change(self, change: Change[T]) -> T:
        """Make a change and wait until it is committed, from any thread. Raises StoreError."""
        with self._lock:
            self._check_open()
            end = time.monotonic() + BUSY_S
            while True:
                try:
                    result = self._made([change])[0]
                    self._db.execute("COMMIT")
                except Exception as error:
                    self._roll_back()
                    if not _is_busy(error) or time.monotonic() > end:
                        raise _store_error(error, self.path) from error
                    time.sleep(RETRY_S)
                else:
                    return result  # type: ignore[no-any-return]

    def flush(self) -> None:
        """Make what is queued at once: for the end, when no event loop may be left to do it."""
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            for asked in waiting:
                try:
                    result: Any = self.change(asked.change)
                except HopsightError as error:
                    result = error
                asked.tell(result)

    def close(self) -> None:
        """Wait for what is being written, and let go of the file. What is queued fails."""
        self._closed = True
        self._syncing.shutdown()
        with self._lock:
            self._db.close()
        waiting, self._waiting = self._waiting, []
        for asked in waiting:
            asked.tell(self._is_closed())

    def _check_open(self) -> None:
        if self._closed:
            raise self._is_closed()

    def _is_closed(self) -> StoreError:
        return StoreError(f"{self.path} is closed", "close it when its last user has ended")

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make all changes that wait; their commit follows in the thread."""
        if self._closed or not self._waiting:
            self._scheduled = False
            return
        if not self._lock.acquire(blocking=False):
            loop.call_later(RETRY_S, self._begin, loop)
            return
        batch, self._waiting = self._waiting, []
        try:
            results = self._results(batch)
            self._syncing.submit(self._commit, loop, batch, results)
        except Exception as error:  # noqa: BLE001 -- handed to everyone who waits for it
            self._roll_back()
            self._lock.release()
            if _is_busy(error):
                self._later(loop, batch, error)
            else:
                self._tell(loop, batch, [_store_error(error, self.path)] * len(batch))
        except BaseException:
            # An interrupt: what is queued is still written by the flush at the end.
            self._roll_back()
            self._lock.release()
            self._waiting = batch + self._waiting
            self._scheduled = False
            raise

    def _later(
        self, loop: asyncio.AbstractEventLoop, batch: Sequence[_Asked], error: Exception
    ) -> None:
        """Try again soon; whoever has waited too long for another process is told so."""
        now = time.monotonic()
        for asked in batch:
            if asked.give_up < now:
                asked.tell(_store_error(error, self.path))
        self._waiting = [asked for asked in batch if asked.give_up >= now] + self._waiting
        loop.call_later(RETRY_S, self._begin, loop)

    def _results(self, batch: Sequence[_Asked]) -> list[Any]:
        """What each change gave, made in one transaction that is left open.

        Where one fails, all are made again, each with a point to which it alone is taken back: a
        point for each from the start would make every group slower.
        """
        changes = [asked.change for asked in batch]
        try:
            return self._made(changes)
        except Exception as error:
            if _is_busy(error):
                raise
        return self._made([self._apart(change) for change in changes])

    def _apart(self, change: Change[Any]) -> Change[Any]:
        def made(db: sqlite3.Connection) -> Any:
            db.execute("SAVEPOINT apart")
            try:
                result = change(db)
            except Exception as error:
                if not db.in_transaction or _is_busy(error):
                    raise  # SQLite took the whole transaction back, as on a full disk
                db.execute("ROLLBACK TO apart")
                result = _store_error(error, self.path)
            db.execute("RELEASE apart")
            return result

        return made

    def _made(self, changes: Sequence[Change[Any]]) -> list[Any]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            return [change(self._db) for change in changes]
        except BaseException:
            self._roll_back()
            raise

    def _commit(
        self, loop: asyncio.AbstractEventLoop, batch: Sequence[_Asked], results: Sequence[Any]
    ) -> None:
        try:
            self._db.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 -- handed to everyone who waits for it
            self._roll_back()
            results = [_store_error(error, self.path)] * len(batch)
        finally:
            self._lock.release()
        try:
            loop.call_soon_threadsafe(self._tell, loop, batch, results)
        except RuntimeError:
            return  # the loop has ended, and with it everyone who waited

    def _roll_back(self) -> None:
        """Take back what is not committed. A failure of that shows when the next one begins."""
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def _tell(
        self, loop: asyncio.AbstractEventLoop, batch: Sequence[_Asked], results: Sequence[Any]
    ) -> None:
        loop.call_later(self._window_s, self._begin, loop)
        for asked, result in zip(batch, results, strict=True):
            asked.tell(result)


def connect(path: Path, busy_s: float = BUSY_S) -> sqlite3.Connection:
    """A connection that commits only what lasts, and waits `busy_s` for other processes."""
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA busy_timeout = {round(1000 * busy_s)}")
    return db


def _is_busy(error: Exception) -> bool:
    # Errors that come from Python's module, as of a value of no known type, have no code.
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def _store_error(error: Exception, path: Path) -> HopsightError:
    if isinstance(error, HopsightError):
        return error
    if getattr(error, "sqlite_errorcode", None) is not None:
        cause, remedy = str(error), "free some space, and see that nothing else holds it"
    else:
        cause = f"{type(error).__name__}: {error}"
        remedy = "write only whole numbers below 2**63 and text that UTF-8 can hold"
    told = StoreError(f"cannot write {path} ({cause})", remedy)
    told.__cause__ = error
    return told
