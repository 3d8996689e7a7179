"""Locks: one holder, named to the second, released by its death."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from hopsight.errors import LockedError
from hopsight.store import DataStore, parquet, round_lock
from hopsight.store.lock import file_lock
from hopsight.types import Alias
from tests.hopsight.store.processes import context, hold_round, hold_round_and_fork, version


def test_a_second_run_on_a_round_is_told_who_holds_it(tmp_path: Path) -> None:
    ours, theirs = context().Pipe()
    holder = context().Process(target=hold_round, args=(tmp_path, "0001", theirs))
    holder.start()
    pid = ours.recv()
    with pytest.raises(LockedError) as error, round_lock(tmp_path, "0001"):
        pass
    assert error.value.cause == f"round 0001 is in use by process {pid}"
    assert f"kill {pid}" in error.value.remedy
    with round_lock(tmp_path, "0002"):
        pass
    holder.kill()
    holder.join()
    with round_lock(tmp_path, "0001"):
        pass


def test_a_lock_dies_with_its_holder_even_if_a_forked_worker_lives_on(tmp_path: Path) -> None:
    ours, theirs = context().Pipe()
    holder = context().Process(target=hold_round_and_fork, args=(tmp_path, "0001", theirs))
    holder.start()
    _, worker = ours.recv()
    holder.kill()
    holder.join()
    try:
        os.kill(worker, 0)
        with round_lock(tmp_path, "0001"):
            pass
    finally:
        os.kill(worker, signal.SIGKILL)


def test_one_process_cannot_hold_a_round_twice(tmp_path: Path) -> None:
    with round_lock(tmp_path, "0001"):
        with pytest.raises(LockedError, match="this very process"), round_lock(tmp_path, "0001"):
            pass
        with pytest.raises(LockedError), round_lock(tmp_path, "0001"):
            pass


def test_a_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), round_lock(tmp_path, "0001"):
        raise RuntimeError
    with round_lock(tmp_path, "0001"):
        pass


def test_a_lock_that_may_wait_gets_its_turn(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    entered = threading.Event()

    def hold() -> None:
        with file_lock(path, "x"):
            entered.set()
            time.sleep(0.2)

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait()
    with file_lock(path, "x", wait_s=10):
        assert not thread.is_alive() or path.read_text().strip() == str(os.getpid())
    thread.join()


def test_a_data_set_that_is_being_written_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "WAIT_S", 0.05)
    path = tmp_path / "locks" / "dataset-aliases-0001.lock"
    with (
        file_lock(path, "test"),
        pytest.raises(LockedError, match="data set aliases of round 0001"),
    ):
        DataStore(tmp_path).write("aliases", "0001", version(1), record_type=Alias)
