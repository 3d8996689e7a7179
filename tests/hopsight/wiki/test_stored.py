from dataclasses import replace

import pytest

from hopsight.errors import StoreError
from hopsight.store import DataStore
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
