"""This process and several processes do the same, whatever befalls them."""

from collections import Counter
from pathlib import Path

import pytest

from hopsight.budget import BudgetExceeded
from hopsight.errors import ConfigError, HopsightError
from hopsight.harness.executors import Executor, InProcess, Processes, local_executor
from hopsight.store import Journal
from tests.hopsight.harness.executors.echo import Echo

NAMES = [f"plain:{number}" for number in range(12)]
BOTH = pytest.mark.parametrize(
    "executor", [InProcess(3), Processes(1, 3)], ids=["here", "a process"]
)


def run(executor: Executor, items: list[str], work: Echo, folder: Path) -> int:
    """Do the items; how often it was told of one."""
    told = []
    executor.run(items, work, Journal(folder), lambda: told.append(len(told)))
    return len(told)


def kept(folder: Path) -> set[str]:
    return {record.decode().removesuffix(" done") for record in Journal(folder).load().values()}


@BOTH
def test_every_item_is_begun_once_told_once_and_kept(executor: Executor, tmp_path: Path) -> None:
    work, journal = Echo(tmp_path), tmp_path / "journal"
    assert run(executor, NAMES, work, journal) == 12
    assert kept(journal) == set(NAMES)
    assert sorted(work.notes("begun")) == sorted(NAMES)
    assert len(work.notes("opened")) == len(work.notes("closed"))


@BOTH
def test_an_error_arrives_as_it_is_and_nothing_more_is_begun(
    executor: Executor, tmp_path: Path
) -> None:
    work, journal = Echo(tmp_path), tmp_path / "journal"
    first = ["wait:1", "refuse:it", "wait:2", "wait:3", "wait:4", "wait:5"]
    with pytest.raises(BudgetExceeded, match="nothing is left") as caught:
        run(executor, first + NAMES, work, journal)
    assert caught.value.remedy == "raise it"
    begun = set(work.notes("begun"))
    assert len(begun) <= 7
    assert kept(journal) == begun - {"refuse:it"}  # what was begun has ended and is kept


@pytest.mark.parametrize("executor", [InProcess(), Processes(1)], ids=["here", "a process"])
def test_work_that_cannot_be_opened_tells_why(executor: Executor, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the index is missing — build it"):
        run(executor, NAMES, Echo(tmp_path, closed=True), tmp_path / "journal")


def test_no_more_items_are_in_hand_than_there_are_lanes(tmp_path: Path) -> None:
    work = Echo(tmp_path)
    run(InProcess(3), [f"wait:{number}" for number in range(8)], work, tmp_path / "journal")
    at_once = 0
    for note in work.all_notes():
        at_once += note.startswith("begun") - note.startswith("ended")
        assert at_once <= 3


def test_a_worker_that_is_killed_is_replaced_and_only_what_it_had_in_hand_is_begun_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    work, journal = Echo(tmp_path), tmp_path / "journal"
    items = [*NAMES[:6], "wait:a", "die once:b", *NAMES[6:]]
    assert run(Processes(1, 2), items, work, journal) == len(items)
    assert kept(journal) == set(items)
    begun = Counter(work.notes("begun"))
    assert begun == Counter(items) + Counter(["wait:a", "die once:b"])
    assert len(work.notes("opened")) == 2
    assert "event=worker_lost" in caplog.text
    assert "ended with code -9" in caplog.text


def test_what_kills_every_worker_is_an_error_that_names_one_and_the_rest_is_kept(
    tmp_path: Path,
) -> None:
    work, journal = Echo(tmp_path), tmp_path / "journal"
    with pytest.raises(
        HopsightError,
        match=r"worker \d \(pid \d+\) ended with code -9: 3 workers were lost over the same work",
    ):
        run(Processes(1, 1), ["die:it", *NAMES], work, journal)
    assert work.notes("begun").count("die:it") == 3
    assert kept(journal) == set(work.notes("begun")) - {"die:it"}


def test_a_bug_in_a_worker_is_no_reason_to_try_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    work = Echo(tmp_path)
    with pytest.raises(HopsightError, match=r"worker \d \(pid \d+\) ended with code 1"):
        run(Processes(1, 1), ["bug:it", *NAMES], work, tmp_path / "journal")
    assert work.notes("begun").count("bug:it") == 1
    assert "ZeroDivisionError: a bug" in capfd.readouterr().err


def test_a_bug_in_this_process_is_raised(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        run(InProcess(2), ["bug:it", *NAMES], Echo(tmp_path), tmp_path / "journal")


def test_counts_below_one_are_refused() -> None:
    for make in (lambda: InProcess(0), lambda: Processes(0), lambda: Processes(2, 0)):
        with pytest.raises(ConfigError, match="give at least one"):
            make()


def test_one_worker_is_this_process() -> None:
    assert local_executor(1, 5) == InProcess(5)
    assert local_executor(3, 5) == Processes(3, 5)
