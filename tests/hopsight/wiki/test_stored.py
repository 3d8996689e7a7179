from dataclasses import replace

import pytest

from hopsight.errors import StoreError
from hopsight.store import DataStore
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.stored import stored_snapshot
from hopsight.wiki.tables import write_tables
from tests.worlds import Entity, world


@pytest.fixture
def store(tmp_path):
    made = DataStore(tmp_path / "data")
    write_tables(world(Entity("A", "settlement"), Entity("B", None)).tables, made)
    return made


def test_a_snapshot_is_read_once_for_all_who_ask(store):
    assert stored_snapshot(store) is stored_snapshot(DataStore(store.root))


def test_a_table_that_was_written_anew_is_read_anew(store):
    before = stored_snapshot(store)
    tables = replace(before.tables, pages=before.tables.pages[:1])
    write_tables(tables, store)
    assert stored_snapshot(store).ids() == (1,)
    assert before.ids() == (1, 2)


def test_another_store_has_its_own(store, tmp_path):
    other = DataStore(tmp_path / "other")
    with pytest.raises(StoreError):
        stored_snapshot(other)
    write_tables(stored_snapshot(store).tables, other)
    assert stored_snapshot(other) is not stored_snapshot(store)


def test_a_table_that_is_written_while_it_is_read_is_read_again(store, monkeypatch):
    tables = stored_snapshot(store).tables
    write_tables(replace(tables, pages=tables.pages[:1]), store)
    load, calls = Snapshot.load, []

    def slow(reader):
        found = load(reader)
        calls.append(found)
        if len(calls) == 1:
            write_tables(tables, store)
        return found

    monkeypatch.setattr(Snapshot, "load", slow)
    assert stored_snapshot(store).ids() == (1, 2)
    assert len(calls) == 2
