"""Processes killed at many moments of the build: what is done again has the same bytes."""

import random
import time
from contextlib import suppress

from hopsight.errors import StoreError
from hopsight.wiki.graph import LinkGraph
from hopsight.wiki.resolve import Resolution
from tests.hopsight.store.processes import context
from tests.hopsight.wiki.random_scan import RandomScan, build_all

KILLS = 8


def bytes_of(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def opened(scan, folder):
    """What can be opened of a build: the resolution and the two graphs."""
    found = []
    for name, open_it in (
        ("resolution", lambda path: Resolution.open(scan, path)),
        ("graphs/full", LinkGraph.open),
        ("graphs/pruned", LinkGraph.open),
    ):
        with suppress(StoreError):
            open_it(folder / name)
            found.append(name)
    return found


def test_a_build_that_was_killed_is_done_again_with_the_same_bytes(tmp_path):
    scan = RandomScan(parts=3)
    start = time.monotonic()
    build_all(tmp_path / "whole", tmp_path / "started", scan)
    seconds = time.monotonic() - start
    whole = bytes_of(tmp_path / "whole")
    rng = random.Random(3)
    stopped_early = 0

    for number in range(KILLS):
        folder, started = tmp_path / "killed", tmp_path / f"started {number}"
        process = context().Process(target=build_all, args=(folder, started, scan))
        process.start()
        while not started.exists():
            time.sleep(0.001)
        time.sleep(rng.uniform(0, seconds))
        process.kill()
        process.join()
        # Whatever a reader can open now is whole.
        held = opened(scan, folder)
        files = bytes_of(folder)
        for name in held:
            same = {path: data for path, data in whole.items() if path.startswith(name)}
            assert {path: files[path] for path in same} == same
        stopped_early += len(held) < 3

    assert stopped_early > 0
    build_all(folder, tmp_path / "started", scan)
    assert bytes_of(folder) == whole
