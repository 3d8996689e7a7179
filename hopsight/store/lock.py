"""Locks between processes: the kernel holds them, so a killed run leaves none behind."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from hopsight.errors import LockedError
from hopsight.store.files import storage_errors

POLL_S = 0.02

_held: set[int] = set()


def _forget_after_fork() -> None:
    """A forked worker must not keep its parent's locks alive after the parent has died."""
    for handle in _held:
        os.close(handle)
    _held.clear()


os.register_at_fork(after_in_child=_forget_after_fork)


@contextmanager
def file_lock(path: Path, what: str, *, wait_s: float = 0.0) -> Iterator[None]:
    """Hold the lock file `path`, whose text is the holder's pid. The file stays when released.

    Waits at most `wait_s` seconds. Raises LockedError, which names the holder and `what` it holds.
    """
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    _held.add(handle)
    try:
        _acquire(handle, what, wait_s)
        with storage_errors(path):
            _write_pid(handle)
        yield
    finally:
        # A child that was forked inside the block has closed it already.
        if handle in _held:
            _held.discard(handle)
            os.close(handle)


def round_lock(root: Path, round: str) -> AbstractContextManager[None]:
    """Hold the round `round` of the store at `root`; a second run on it gets LockedError."""
    return file_lock(root / "locks" / f"round-{round}.lock", f"round {round}")


def _acquire(handle: int, what: str, wait_s: float) -> None:
    end = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() >= end:
                raise _locked(handle, what) from error
            time.sleep(POLL_S)
        else:
            return


def _write_pid(handle: int) -> None:
    text = f"{os.getpid()}\n".encode()
    os.pwrite(handle, text, 0)
    os.ftruncate(handle, len(text))


def _locked(handle: int, what: str) -> LockedError:
    text = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
    holder = f"process {text}" if text.isdigit() else "another process"
    remedy = f"wait until it ends, or end it (kill {text})" if text.isdigit() else "wait for it"
    if text == str(os.getpid()):
        holder, remedy = f"this very process ({text})", "let the first run end before the second"
    return LockedError(f"{what} is in use by {holder}", remedy)
