"""Processes killed at many moments: nothing acknowledged is lost, nothing half-written is seen."""

import random
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

from hopsight.catalog import Catalog
from hopsight.store import DataStore, Journal
from hopsight.types import Alias
from tests.hopsight.store.processes import (
    ROWS,
    append_forever,
    context,
    payload,
    version,
    write_versions,
)

KILLS = 40
PATIENCE_S = 30
"""How long a test waits on a busy machine for the writer to have had its turns."""


def _kill_after(process: BaseProcess, ready: Path, seconds: float) -> None:
    """Kill -9 a process some time after it has acknowledged something new."""
    size = ready.stat().st_size
    process.start()
    end = time.monotonic() + 30
    while ready.stat().st_size == size and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(seconds)
    process.kill()
    process.join()
    assert process.exitcode == -9


def test_a_killed_writer_leaves_the_version_it_acknowledged_or_the_next(tmp_path: Path) -> None:
    root, ready = tmp_path / "store", tmp_path / "acknowledged"
    ready.touch()
    store = DataStore(root)
    rng = random.Random(1)
    first = 1
    for _ in range(KILLS):
        process = context().Process(target=write_versions, args=(root, ready, first))
        _kill_after(process, ready, rng.uniform(0, 0.03))
        # The last line may be cut: it is then not acknowledged.
        acknowledged = int(ready.read_text().rpartition("\n")[0].rpartition("\n")[2])
        records = store.read("aliases", "0001", Alias)
        assert len(records) == ROWS
        numbers = {record.page_id for record in records}
        assert len(numbers) == 1
        assert numbers <= {acknowledged, acknowledged + 1}
        first = acknowledged + 2
    store.write("aliases", "0001", version(first), record_type=Alias)
    left = {path.name for path in (root / "datasets/aliases/round=0001").iterdir()}
    assert not any(name.startswith(".tmp-") for name in left)
    assert len(left) <= 3


def test_a_reader_beside_a_writer_sees_whole_versions_only(tmp_path: Path) -> None:
    root, ready = tmp_path / "store", tmp_path / "acknowledged"
    ready.touch()
    process = context().Process(target=write_versions, args=(root, ready, 1))
    process.start()
    while not ready.stat().st_size:
        time.sleep(0.001)
    store = DataStore(root)
    seen: set[int] = set()
    began = time.monotonic()
    while time.monotonic() - began < (1.5 if len(seen) > 3 else PATIENCE_S):
        records = store.read("aliases", "0001", Alias)
        assert len(records) == ROWS
        assert len({record.page_id for record in records}) == 1
        seen.add(records[0].page_id)
    process.kill()
    process.join()
    assert len(seen) > 3


def test_a_catalog_beside_a_writer_sees_whole_versions_only(tmp_path: Path) -> None:
    root, ready = tmp_path / "store", tmp_path / "acknowledged"
    ready.touch()
    process = context().Process(target=write_versions, args=(root, ready, 1, 0.1))
    process.start()
    while not ready.stat().st_size:
        time.sleep(0.001)
    query = "SELECT count(*), min(page_id), max(page_id) FROM aliases"
    seen: set[object] = set()
    began = time.monotonic()
    with Catalog(DataStore(root)) as catalog:
        while time.monotonic() - began < (2 if len(seen) > 2 else PATIENCE_S):
            [(rows, first, last)] = catalog.sql(query)[1]
            assert (rows, first) == (ROWS, last)
            seen.add(first)
    process.kill()
    process.join()
    assert len(seen) > 2


def test_a_killed_journal_loses_nothing_acknowledged_and_shows_nothing_torn(
    tmp_path: Path,
) -> None:
    folder, ready = tmp_path / "journal", tmp_path / "acknowledged"
    ready.touch()
    rng = random.Random(2)
    for kill in range(KILLS):
        process = context().Process(target=append_forever, args=(folder, ready, kill))
        _kill_after(process, ready, rng.uniform(0, 0.02))
        whole, _, cut = ready.read_text().rpartition("\n")
        if cut:
            ready.write_text(f"{whole}\n")
    found = Journal(folder).load()
    acknowledged = ready.read_text().split()
    assert len(set(acknowledged)) >= KILLS
    assert set(acknowledged) <= set(found)
    assert all(found[key] == payload(key) for key in found)


def test_two_journals_appended_at_once_keep_every_record_apart(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    files = [tmp_path / "a", tmp_path / "b"]
    processes = []
    for worker, file in enumerate(files):
        file.touch()
        process = context().Process(target=append_forever, args=(folder, file, worker))
        process.start()
        processes.append(process)
    while not all(file.stat().st_size > 1000 for file in files):
        time.sleep(0.01)
    for process in processes:
        process.kill()
        process.join()
    found = Journal(folder).load()
    assert len(list(folder.glob("*.journal"))) == 2
    for file in files:
        assert set(file.read_text().rpartition("\n")[0].split()) <= set(found)
