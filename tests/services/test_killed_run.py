"""A run that is killed in the middle of its rollouts: the next one loses and repeats nothing."""

import os
import shutil
import signal
import time

from hopsight.store import Journal
from hopsight.types import Trajectory
from tests.loop.fixtures import SMALL_CONFIGURATION
from tests.loop.place import ROUND, Place, assert_same

ENOUGH = 5
"""Episodes that are finished when the run is killed."""


def test_a_killed_run_is_taken_up_again_and_gives_the_same_bytes(small_round, small_dump, tmp_path):
    place = Place.make(tmp_path / "killed", SMALL_CONFIGURATION.format(folder=small_dump))
    journal = _kill_in_rollouts(place)
    before, segments = journal.load(), set(journal.folder.iterdir())
    jobs = len(small_round.store.read("policy_rollouts", ROUND, Trajectory))
    assert ENOUGH <= len(before) < jobs
    assert not place.store.exists("policy_rollouts", ROUND)

    ran = place.run("run", "--workers", "2")

    assert ran.returncode == 0, ran.stderr
    assert_same(small_round, place)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    for segment in set(journal.folder.iterdir()) - segments:
        shutil.copy(segment, fresh)
    played_later = Journal(fresh).load()
    assert len(before) + len(played_later) == jobs
    assert not before.keys() & played_later.keys()
    assert {key: journal.load()[key] for key in before} == before


def _kill_in_rollouts(place: Place) -> Journal:
    """Run with two workers, and kill them all when a few episodes are finished."""
    process = place.start("run", "--workers", "2")
    folder = place.data / "journals" / f"round={ROUND}"
    try:
        while process.poll() is None:
            for found in folder.glob("policy_rollouts-*"):
                journal = Journal(found)
                if len(journal.load()) >= ENOUGH:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    return journal
            time.sleep(0.002)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    raise AssertionError(f"the run ended with {process.returncode} before it could be killed")
