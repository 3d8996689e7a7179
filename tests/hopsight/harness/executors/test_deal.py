import asyncio
from pathlib import Path

import pytest

from hopsight.errors import HopsightError
from hopsight.harness.executors.deal import WorkerLost, deal
from hopsight.store import Journal
from tests.hopsight.harness.executors.echo import Echo


class Giving:
    """A worker in this loop that gives its records back, until it has had `strength` items."""

    def __init__(self, strength: int, journal: Journal | None = None) -> None:
        self.strength = strength
        self.journal = journal
        self.given: list[str] = []

    async def do(self, item: str) -> bytes | None:
        if len(self.given) == self.strength:
            if self.journal is not None:
                self.journal.append(f"key of {item}", f"{item} done".encode())
            raise WorkerLost("worker of paper was torn")
        self.given.append(item)
        await asyncio.sleep(0)
        return f"{item} done".encode()

    async def end(self) -> None:
        pass


def dealt(items, hire, folder: Path, *, places=2, lanes=2, start_s=5.0) -> tuple[set[str], int]:
    told: list[int] = []
    work, journal = Echo(folder), Journal(folder / "journal")
    tell = lambda: told.append(1)  # noqa: E731
    asyncio.run(deal(items, work, journal, hire, places, lanes, tell, start_s=start_s))
    return {record.decode() for record in journal.load().values()}, len(told)


def test_records_that_workers_give_back_are_written_by_who_deals(tmp_path: Path) -> None:
    async def hire(number: int) -> Giving:
        return Giving(100)

    found, told = dealt(list("abcdef"), hire, tmp_path)
    assert found == {f"{each} done" for each in "abcdef"}
    assert told == 6


def test_an_item_whose_record_was_written_before_the_worker_died_is_not_done_again(
    tmp_path: Path,
) -> None:
    hired = []

    async def hire(number: int) -> Giving:
        hired.append(Giving(1, Journal(tmp_path / "journal")))
        return hired[-1]

    found, told = dealt(list("abcd"), hire, tmp_path, places=1, lanes=1)
    assert found == {f"{each} done" for each in "abcd"}
    assert told == 4
    assert [each.given for each in hired] == [["a"], ["c"]]  # b and d: written, then lost


def test_a_place_without_room_leaves_its_part_to_the_others(tmp_path: Path) -> None:
    async def hire(number: int) -> Giving:
        if number == 1:
            await asyncio.sleep(3600)
        return Giving(100)

    found, told = dealt(list("abcdefgh"), hire, tmp_path)
    assert told == len(found) == 8


def test_workers_that_are_lost_before_they_are_ready_are_an_error_after_three(
    tmp_path: Path,
) -> None:
    hired = []

    async def hire(number: int) -> Giving:
        hired.append(number)
        raise WorkerLost(f"worker {number} fell over")

    with pytest.raises(HopsightError, match="worker 0 fell over: 3 workers were lost"):
        dealt(list("ab"), hire, tmp_path, places=1)
    assert len(hired) == 3


def test_the_time_to_start_is_enforced(tmp_path: Path) -> None:
    async def hire(number: int) -> Giving:
        await asyncio.sleep(3600)
        raise AssertionError

    with pytest.raises(HopsightError, match=r"no worker was ready within 0\.05 s"):
        dealt(list("ab"), hire, tmp_path, start_s=0.05)


def test_a_worker_that_finishes_something_each_time_may_be_lost_often(tmp_path: Path) -> None:
    async def hire(number: int) -> Giving:
        return Giving(1)

    found, told = dealt(list("abcdef"), hire, tmp_path, places=1, lanes=1)
    assert told == len(found) == 6
