"""From titles, redirects and links to both graphs: growth with the wiki, bytes per link."""

import math
import multiprocessing
import statistics
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from benchmarks.graphs import StoredScan, Watch
from benchmarks.report import Figure, figure, finish
from hopsight.wiki.graph import build_graphs_of
from hopsight.wiki.resolve import resolve

PARTS = (10, 20, 40)
REPEATS = 3
MEMORY_LIMIT = "300MB"

Measured = tuple[float, float, float, float]
"""CPU seconds; bytes per link of memory, of disk, and of both at one moment."""


def build(folder: Path, parts: int) -> Measured:
    """One whole build from a stored scan."""
    scan = StoredScan(folder, parts)
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        with Watch(made) as watch:
            start = time.process_time()
            resolution = resolve(scan, made / "resolution", memory_limit=MEMORY_LIMIT)
            full, _ = build_graphs_of(resolution, made / "graphs", max_in_degree=1_000)
            cpu = time.process_time() - start
    assert 0.5 * scan.edges < full.edges < scan.edges
    return (
        cpu,
        watch.peak_memory / scan.edges,
        watch.peak_disk / scan.edges,
        watch.peak / scan.edges,
    )


def growth(root: Path) -> tuple[list[tuple[str, float, float, float, float]], list[Figure]]:
    """The build at growing sizes, in turn, each in a fresh process; medians."""
    scans = {parts: root / str(parts) for parts in PARTS}
    for parts, folder in scans.items():
        folder.mkdir()
        StoredScan(folder, parts).write()
    measured: dict[int, list[Measured]] = {parts: [] for parts in PARTS}
    for _ in range(REPEATS):
        for parts, folder in scans.items():
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                measured[parts].append(pool.apply(build, (folder, parts)))
    middle = {
        parts: tuple(statistics.median(column) for column in zip(*runs, strict=True))
        for parts, runs in measured.items()
    }
    rows = [
        (f"{StoredScan(root, parts).edges:,}", cpu, memory, disk, both)
        for parts, (cpu, memory, disk, both) in middle.items()
    ]
    steps = [
        math.log(middle[larger][0] / middle[smaller][0]) / math.log(larger / smaller)
        for smaller, larger in pairwise(PARTS)
    ]
    exponent = math.log(rows[-1][1] / rows[0][1]) / math.log(PARTS[-1] / PARTS[0])
    return rows, [
        figure("build_growth_exponent", exponent, "<=", 1.15),
        figure("build_growth_exponent_last_step", steps[-1], "<=", 1.15),
        figure("build_bytes_per_edge", rows[-1][4], "<=", 30),
    ]


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        rows, figures = growth(Path(name))
    finish(
        f"Titles, redirects and links to both graphs, DuckDB within {MEMORY_LIMIT}",
        ("links", "CPU-s", "memory, bytes/link", "disk, bytes/link", "both at once"),
        rows,
        figures,
    )


if __name__ == "__main__":
    main()
