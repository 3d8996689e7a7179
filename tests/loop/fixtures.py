"""One small round over the mini world, made once for all tests by the command itself."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hopsight.store.lock import file_lock
from tests.loop.place import Place
from tests.loop.small_world import write_small_world

CONFIGURATION = """\
round: "0001"
seed: 1
explore:
  paths: 40
curate:
  policy_samples: 3
  teacher_samples: 2
"""
SMALL_CONFIGURATION = """\
round: "0001"
source:
  kind: dump
  dump: {folder}/dump.xml
  pictures: {folder}/pictures
explore:
  paths: 24
curate:
  policy_samples: 3
  teacher_samples: 2
"""


def _shared_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """A folder that all test processes of one run share."""
    base = factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name


def _made_once(root: Path, configuration: str, make: Callable[[Place], str]) -> Place:
    """Run once; what went wrong is told to every test that asks."""
    place, failed = Place(root), root.with_suffix(".failed")
    with file_lock(root.with_suffix(".lock"), f"the making of {root.name}", wait_s=300):
        if not place.printed.exists() and not failed.exists():
            try:
                printed = make(Place.make(root, configuration))
            except AssertionError as error:
                failed.write_text(str(error))
            else:
                place.printed.write_text(printed)
    assert not failed.exists(), failed.read_text()
    return place


def _into_a_pipe(place: Place) -> str:
    ran = place.run("run", "--workers", "1")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    return ran.stdout


def _on_a_terminal(place: Place) -> str:
    return place.on_terminal(100, "run", "--workers", "1")


@pytest.fixture(scope="session")
def mini_round(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A finished round over the mini world. Read it, never write to it."""
    root = _shared_folder(tmp_path_factory, "mini-round")
    return _made_once(root, CONFIGURATION, _into_a_pipe)


@pytest.fixture(scope="session")
def small_dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small dump with pictures. Read it, never write to it."""
    folder = _shared_folder(tmp_path_factory, "small-dump")
    with file_lock(folder.with_suffix(".lock"), "the making of the small dump", wait_s=60):
        if not folder.exists():
            write_small_world(folder)
    return folder


@pytest.fixture(scope="session")
def small_round(tmp_path_factory: pytest.TempPathFactory, small_dump: Path) -> Place:
    """A finished round over the small dump. Read it, never write to it."""
    root = _shared_folder(tmp_path_factory, "small-round")
    return _made_once(root, SMALL_CONFIGURATION.format(folder=small_dump), _on_a_terminal)
