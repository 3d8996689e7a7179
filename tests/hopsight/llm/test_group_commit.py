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


def test_a_change_that_fails_takes_back_its_group_and_all_are_told(path):
    def broken(db):
        db.execute("INSERT INTO t VALUES (5)")
        db.execute("INSERT INTO nowhere VALUES (5)")

    async def main():
        writer = GroupWriter(path, window_s=0.05)
        told = await asyncio.gather(
            writer.ask(insert(1)), writer.ask(broken), return_exceptions=True
        )
        await writer.ask(insert(2))
        writer.close()
        return told

    told = asyncio.run(main())
    assert all(isinstance(each, StoreError) for each in told)
    assert rows(path) == [2]


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
