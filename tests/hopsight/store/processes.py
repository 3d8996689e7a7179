"""Functions that run in processes of their own, to be killed, locked out or starved of disk."""

import multiprocessing
import os
import resource
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path

from hopsight.errors import HopsightError
from hopsight.store import DataStore, ImageStore, Journal, round_lock
from hopsight.types import Alias

ROWS = 300


def context() -> ForkServerContext:
    """Real processes that start in milliseconds: a server has the imports done."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["hopsight.store", "tests.hopsight.store.processes"])
    return made


def version(number: int, rows: int = ROWS) -> list[Alias]:
    """A data set all of whose records say which version they belong to."""
    return [Alias(page_id=number, name=f"name {row}") for row in range(rows)]


def write_versions(root: Path, acknowledged: Path, first: int, pause_s: float = 0) -> None:
    """Write version after version, noting each that was committed."""
    store = DataStore(root)
    with acknowledged.open("a") as file:
        for number in range(first, first + 10_000):
            store.write("aliases", "0001", version(number), record_type=Alias)
            file.write(f"{number}\n")
            file.flush()
            time.sleep(pause_s)


def append_forever(folder: Path, acknowledged: Path, worker: int) -> None:
    """Append record after record, noting each that was acknowledged."""
    journal = Journal(folder)
    with acknowledged.open("a") as file:
        for number in range(1_000_000):
            key = f"{worker}:{os.getpid()}:{number}"
            journal.append(key, payload(key))
            file.write(f"{key}\n")
            file.flush()


def payload(key: str) -> bytes:
    """Of a length that varies, so that records straddle pages."""
    return f"payload of {key} ".encode() * (1 + len(key) * 7 % 40)


def hold_round(root: Path, round_name: str, pipe: Connection) -> None:
    """Hold a lock until killed."""
    with round_lock(root, round_name):
        pipe.send(os.getpid())
        time.sleep(60)


def hold_round_and_fork(root: Path, round_name: str, pipe: Connection) -> None:
    """Hold a lock, and leave a forked worker behind that outlives the holder."""
    with round_lock(root, round_name):
        worker = os.fork()
        if worker == 0:
            time.sleep(60)
            os._exit(0)
        pipe.send((os.getpid(), worker))
        time.sleep(60)


def with_small_disk(task: str, root: Path, limit: int, pipe: Connection) -> None:
    """Do a task while no file can grow beyond `limit` bytes; send what the error said."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        _TASKS[task](root)
    except HopsightError as error:
        pipe.send((type(error).__name__, error.cause, error.remedy))
    else:
        pipe.send(None)


def _big_data_set(root: Path) -> None:
    DataStore(root).write("aliases", "0001", version(2, 20_000), record_type=Alias)


def _journal(root: Path) -> None:
    journal = Journal(root)
    try:
        for number in range(1000):
            journal.append(f"small-{number}", b"x" * 100)
    finally:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        with suppress(HopsightError):
            journal.append("after", b"there is room again")


def _picture(root: Path) -> None:
    ImageStore(root).put((root / "source.png").read_bytes(), "u", "CC0", "a")


_TASKS = {"data set": _big_data_set, "journal": _journal, "picture": _picture}
