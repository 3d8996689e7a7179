"""One SQLite file, and many small changes made in one transaction.

A paid answer must last before it is used (WAL with synchronous FULL), and syncing each alone is
slow: changes that come within some milliseconds share a transaction and its sync. They are made in
the event loop, which takes microseconds; the sync is waited for in a thread. Several processes may
each have a writer on the same file.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hopsight.errors import StoreError
from hopsight.store.files import storage_errors

WINDOW_S = 0.01
BUSY_S = 60.0
RETRY_S = 0.003

T = TypeVar("T")
Change = Callable[[sqlite3.Connection], T]


@dataclass(frozen=True, slots=True)
class _Asked:
    change: Change[Any]
    told: "asyncio.Future[Any]"
    gone: Callable[[Any], None] | None


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

        A change runs inside a transaction with others: it returns a refusal, it does not raise.
        `gone` gets the result where the future was cancelled meanwhile.
        """
        self._check_open()
        loop = asyncio.get_running_loop()
        told: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Asked(change, told, gone))
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
                except sqlite3.Error as error:
                    if not _is_busy(error) or time.monotonic() > end:
                        raise _store_error(error, self.path) from error
                    time.sleep(RETRY_S)
                else:
                    return result  # type: ignore[no-any-return]

    def flush(self) -> None:
        """Make what is queued at once: for the end, when no event loop may be left to do it."""
        waiting, self._waiting = self._waiting, []
        for asked in waiting:
            result = self.change(asked.change)
            if asked.told.cancelled() and asked.gone is not None:
                asked.gone(result)
            elif not asked.told.done() and not asked.told.get_loop().is_closed():
                asked.told.set_result(result)
        if self._waiting:
            self.flush()

    def close(self) -> None:
        """Wait for what is being written, and let go of the file."""
        self._syncing.shutdown()
        with self._lock:
            self._closed = True
            self._db.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path} is closed", "close it when its last user has ended")

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
            results = self._made([asked.change for asked in batch])
        except Exception as error:  # noqa: BLE001 -- handed to everyone who waits for it
            self._lock.release()
            if _is_busy(error):
                self._waiting = batch + self._waiting
                loop.call_later(RETRY_S, self._begin, loop)
            else:
                self._tell(loop, batch, [_store_error(error, self.path)] * len(batch))
            return
        self._syncing.submit(self._commit, loop, batch, results)

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
        except sqlite3.Error as error:
            self._roll_back()
            results = [_store_error(error, self.path)] * len(batch)
        finally:
            self._lock.release()
        try:
            loop.call_soon_threadsafe(self._tell, loop, batch, results)
        except RuntimeError:
            return  # the loop has ended, and with it everyone who waited

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _tell(
        self, loop: asyncio.AbstractEventLoop, batch: Sequence[_Asked], results: Sequence[Any]
    ) -> None:
        for asked, result in zip(batch, results, strict=True):
            if asked.told.done():
                if asked.gone is not None and not isinstance(result, Exception):
                    asked.gone(result)
            elif isinstance(result, Exception):
                asked.told.set_exception(result)
            else:
                asked.told.set_result(result)
        loop.call_later(self._window_s, self._begin, loop)


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
    return isinstance(error, sqlite3.Error) and error.sqlite_errorcode == sqlite3.SQLITE_BUSY


def _store_error(error: Exception, path: Path) -> Exception:
    if isinstance(error, sqlite3.Error):
        return StoreError(
            f"cannot write {path} ({error})", "free some space, and see that nothing else holds it"
        )
    return error
