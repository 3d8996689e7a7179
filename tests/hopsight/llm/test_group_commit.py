"""Changes that come together share a transaction; a failure reaches everyone who waits."""

import asyncio
import sqlite3
import threading
from contextlib import closing

import pytest

from hopsight.errors import StoreError
from hopsight.llm.group_commit import GroupWriter, connect


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file.sqlite"
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE t (n INTEGER)")
    return path


async def within(waited):
    """What is awaited, or a failure where it never comes."""
    async with asyncio.timeout(10):
        return await waited


def insert(number):
    return lambda db: db.execute("INSERT INTO t VALUES (?)", (number,)).lastrowid


def rows(path):
    with closing(connect(path)) as db:
        return [n for (n,) in db.execute("SELECT n FROM t ORDER BY n")]


def test_what_was_awaited_is_there_for_another_connection(path):
    async def main():
        writer = GroupWriter(path)
        ids = await asyncio.gather(*(writer.ask(insert(n)) for n in range(100)))
        seen = rows(path)
        writer.close()
        return ids, seen

    ids, seen = asyncio.run(main())
    assert ids == list(range(1, 101))
    assert seen == list(range(100))


def test_changes_that_come_together_are_committed_together(path):
    transactions = []
    writer = GroupWriter(path, window_s=0.05)

    def change(db):
        transactions.append(db.total_changes)
        db.execute("INSERT INTO t VALUES (1)")

    async def main():
        with closing(connect(path)) as reader:
            first = writer.ask(change)
            others = [writer.ask(change) for _ in range(49)]
            await first
            (count,) = reader.execute("SELECT count(*) FROM t").fetchone()
            await asyncio.gather(*others)
            return count

    assert asyncio.run(main()) == 50
    writer.close()
    assert transactions == list(range(50))


UNWRITABLE = {
    "no such table": lambda db: db.execute("INSERT INTO nowhere VALUES (5)"),
    "too large an int": insert(2**63),
    "a lone surrogate": insert("\ud800"),
    "a value of no known type": insert(object()),
    "a mistake in the change": lambda db: int("mistaken"),
    "an error that a future does not take": lambda db: next(iter(())),
}


@pytest.mark.parametrize("broken", UNWRITABLE.values(), ids=UNWRITABLE)
def test_a_change_that_cannot_be_written_fails_alone_and_the_others_last(path, broken):
    def half(db):
        db.execute("INSERT INTO t VALUES (5)")
        broken(db)

    async def main():
        writer = GroupWriter(path, window_s=0.02)
        asked = [writer.ask(insert(1)), writer.ask(half), writer.ask(insert(2))]
        told = await within(asyncio.gather(*asked, return_exceptions=True))
        await within(writer.ask(insert(3)))
        writer.close()
        return told

    first, failed, last = asyncio.run(main())
    assert (first, last) == (1, 2)
    assert isinstance(failed, StoreError)
    assert "cannot write" in failed.cause
    assert failed.remedy
    assert rows(path) == [1, 2, 3]


@pytest.mark.parametrize("broken", UNWRITABLE.values(), ids=UNWRITABLE)
def test_the_flush_at_the_end_tells_everyone_though_one_cannot_be_written(path, broken):
    async def main():
        writer = GroupWriter(path, window_s=60.0)
        asked = [writer.ask(insert(1)), writer.ask(broken), writer.ask(insert(2))]
        writer.flush()
        writer.close()
        return await within(asyncio.gather(*asked, return_exceptions=True))

    first, failed, last = asyncio.run(main())
    assert (first, last) == (1, 2)
    assert isinstance(failed, StoreError)


def test_a_change_made_at_once_tells_what_cannot_be_written(path):
    writer = GroupWriter(path)
    with pytest.raises(StoreError, match=r"too large.*below 2"):
        writer.change(insert(2**63))
    writer.change(insert(1))
    writer.close()
    assert rows(path) == [1]


def test_an_error_at_the_commit_reaches_everyone_and_the_next_are_written(path):
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE u (n REFERENCES v (n) DEFERRABLE INITIALLY DEFERRED)")
        db.execute("CREATE TABLE v (n INTEGER PRIMARY KEY)")

    async def main():
        writer = GroupWriter(path, window_s=0.02)
        writer.change(lambda db: None)
        writer._db.execute("PRAGMA foreign_keys = ON")
        asked = [writer.ask(lambda db: db.execute("INSERT INTO u VALUES (7)").lastrowid)]
        asked.append(writer.ask(insert(1)))
        told = await within(asyncio.gather(*asked, return_exceptions=True))
        await within(writer.ask(insert(2)))
        writer.close()
        return told

    told = asyncio.run(main())
    assert all(isinstance(each, StoreError) for each in told)
    assert rows(path) == [2]


def test_without_a_thread_for_the_sync_everyone_is_told_and_the_file_is_let_go(path):
    async def main():
        writer = GroupWriter(path, window_s=0.0)
        writer._syncing.shutdown()
        told = await within(asyncio.gather(writer.ask(insert(1)), return_exceptions=True))
        writer.change(insert(2))
        writer.close()
        return told

    (told,) = asyncio.run(main())
    assert isinstance(told, StoreError)
    assert rows(path) == [2]


def test_closing_tells_those_who_still_wait(path):
    async def main():
        writer = GroupWriter(path, window_s=0.02)
        asked = writer.ask(insert(1))
        writer.close()
        return await within(asyncio.gather(asked, return_exceptions=True))

    (told,) = asyncio.run(main())
    assert isinstance(told, StoreError)
    assert "is closed" in told.cause
    assert rows(path) == []


def test_a_file_that_another_holds_for_too_long_is_an_error(path, monkeypatch):
    monkeypatch.setattr("hopsight.llm.group_commit.BUSY_S", 0.05)

    async def main():
        writer = GroupWriter(path, window_s=0.0)
        with closing(connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            told = await within(asyncio.gather(writer.ask(insert(1)), return_exceptions=True))
            other.execute("ROLLBACK")
        await within(writer.ask(insert(2)))
        writer.close()
        return told

    (told,) = asyncio.run(main())
    assert isinstance(told, StoreError)
    assert rows(path) == [2]


def test_an_interrupt_in_a_change_leaves_the_file_free_and_the_group_queued(path):
    writer = GroupWriter(path, window_s=0.0)
    raised: list[bool] = []

    def interrupted(db):
        if not raised:
            raised.append(True)
            raise KeyboardInterrupt
        return insert(1)(db)

    async def main():
        writer.ask(insert(0))
        await writer.ask(interrupted)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    writer.flush()
    writer.close()
    assert rows(path) == [0, 1]


def test_a_change_can_be_asked_for_after_an_interrupt(path):
    writer = GroupWriter(path, window_s=0.0)

    def interrupted(db):
        raise KeyboardInterrupt

    async def stopped():
        await writer.ask(interrupted)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(stopped())
    writer._waiting.clear()  # what was interrupted would be so again

    async def later():
        return await asyncio.wait_for(writer.ask(insert(3)), 20)

    asyncio.run(later())
    writer.close()
    assert rows(path) == [3]


def test_one_that_cannot_be_handed_over_leaves_nobody_waiting(path):
    async def main():
        writer = GroupWriter(path, window_s=0.01)

        def gone(result):
            raise RuntimeError("there is no loop")

        first = writer.ask(insert(1), gone)
        second = writer.ask(insert(2))
        first.cancel()
        await asyncio.wait_for(second, 20)
        writer.close()

    asyncio.run(main())
    assert rows(path) == [1, 2]


def test_threads_and_two_writers_of_a_file_lose_nothing(path):
    writers = [GroupWriter(path, window_s=0.001) for _ in range(2)]

    def work(writer, start):
        for number in range(start, start + 20):
            writer.change(insert(number))

    threads = [threading.Thread(target=work, args=(writers[n % 2], n * 100)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for writer in writers:
        writer.close()
    assert len(rows(path)) == 80


def test_what_one_event_loop_left_is_written_with_the_next_or_at_the_end(path):
    writer = GroupWriter(path)

    async def leave(number):
        writer.ask(insert(number))

    async def stay(number):
        await writer.ask(insert(number))

    asyncio.run(leave(1))
    asyncio.run(stay(2))
    assert rows(path) == [1, 2]
    asyncio.run(leave(3))
    writer.flush()
    writer.close()
    assert rows(path) == [1, 2, 3]


def test_a_closed_writer_says_so(path):
    writer = GroupWriter(path)
    writer.close()
    with pytest.raises(StoreError, match="is closed"):
        writer.change(insert(1))


def test_a_transaction_lasts_through_a_power_cut(path):
    with closing(connect(path)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert sqlite3.threadsafety
