"""The journal: what was appended is there, a torn tail is cut off and counted."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.errors import StoreError
from hopsight.store import Journal, journal
from tests.hopsight.store.processes import context, with_small_disk

_records = st.dictionaries(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.binary(max_size=30),
    max_size=5,
)


def _segment(folder: Path) -> Path:
    [path] = folder.glob("*.journal")
    return path


@settings(max_examples=50, deadline=None)
@given(_records)
def test_what_is_appended_is_loaded_sorted_by_key(
    tmp_path_factory: pytest.TempPathFactory, records: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder, sync=len(records) == 1)
    for key, payload in records.items():
        journal.append(key, payload)
    journal.close()
    assert list(Journal(folder).load().items()) == sorted(records.items())


def test_a_journal_that_was_never_written_is_empty(tmp_path: Path) -> None:
    assert Journal(tmp_path / "none").load() == {}


def test_a_tail_cut_anywhere_loses_that_record_alone(tmp_path: Path) -> None:
    writer = Journal(tmp_path)
    writer.append("first", b"1" * 20)
    sound = _segment(tmp_path).stat().st_size
    writer.append("second", b"2" * 20)
    writer.close()
    data = _segment(tmp_path).read_bytes()
    for size in range(sound + 1, len(data)):
        _segment(tmp_path).write_bytes(data[:size])
        reader = Journal(tmp_path)
        assert reader.load() == {"first": b"1" * 20}
        assert reader.torn == 1
    _segment(tmp_path).write_bytes(data[:sound])
    reader = Journal(tmp_path)
    assert (reader.load(), reader.torn) == ({"first": b"1" * 20}, 0)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_changed_bit_never_shows_a_record_that_was_not_written(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    writer = Journal(folder)
    written = {f"key {n}": bytes([n]) * n for n in range(1, 6)}
    for key, payload in written.items():
        writer.append(key, payload)
    writer.close()
    content = bytearray(_segment(folder).read_bytes())
    bit = data.draw(st.integers(0, len(content) * 8 - 1))
    content[bit // 8] ^= 1 << bit % 8
    _segment(folder).write_bytes(content)
    reader = Journal(folder)
    assert reader.load().items() <= written.items()
    assert reader.torn == 1


def test_a_torn_tail_is_followed_by_a_new_segment(tmp_path: Path) -> None:
    writer = Journal(tmp_path)
    writer.append("a", b"1")
    writer.close()
    with _segment(tmp_path).open("ab") as file:
        file.write(b"torn")
    second = Journal(tmp_path)
    second.append("b", b"2")
    second.append("a", b"3")
    second.close()
    reader = Journal(tmp_path)
    assert reader.load() == {"a": b"3", "b": b"2"}
    assert reader.torn == 1


def test_a_forked_worker_appends_to_a_segment_of_its_own(tmp_path: Path) -> None:
    writer = Journal(tmp_path)
    writer.append("parent", b"1")
    child = os.fork()
    if child == 0:
        writer.append("child", b"2")
        os._exit(0)
    os.waitpid(child, 0)
    writer.append("parent again", b"3")
    writer.close()
    assert len(list(tmp_path.glob("*.journal"))) == 2
    assert set(Journal(tmp_path).load()) == {"parent", "child", "parent again"}


def test_a_record_beyond_all_bounds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MAX_BYTES", 10)
    with pytest.raises(StoreError, match="too large"):
        Journal(tmp_path).append("key", b"x" * 8)


def test_a_full_disk_loses_nothing_before_it_and_nothing_after_it(tmp_path: Path) -> None:
    ours, theirs = context().Pipe()
    process = context().Process(target=with_small_disk, args=("journal", tmp_path, 5000, theirs))
    process.start()
    kind, cause, _ = ours.recv()
    process.join()
    assert kind == "StoreError"
    assert "no space left" in cause
    found = Journal(tmp_path).load()
    whole = (5000 - len(journal.MAGIC)) // (12 + len("small-10") + 100)
    assert len(found) >= whole
    assert found["after"] == b"there is room again"
