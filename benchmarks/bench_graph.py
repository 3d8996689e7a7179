"""Link graph: sampling, size and build, against networkx and a walk in numba.

300k nodes and 9M links with a wiki's skew.
"""

import gc
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np

from benchmarks.graphs import links, store_graphs
from benchmarks.report import alternate, figure, finish, resident_bytes
from benchmarks.walkers import level_walk, networkx_walk, version
from hopsight.wiki.graph import Ids, LinkGraph
from hopsight.wiki.walks import WalkRules, sample_walks

NODES = 300_000
EDGES = 9_000_000
WALKS = 300_000
NETWORKX_WALKS = 10_000
LOOKUPS = 100_000
HOPS = 3
SEEDS = 40_000

Row = tuple[str, float, float, float]


def build_networkx() -> "nx.DiGraph[int]":
    """The other side; links that come twice are one edge there, too."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(NODES))
    for sources, targets in links(NODES, EDGES)():
        apart = sources != targets
        graph.add_edges_from(zip(sources[apart].tolist(), targets[apart].tolist(), strict=True))
    return graph


def timed(make: Callable[[], object]) -> tuple[object, float]:
    """What a function gives, and its CPU seconds."""
    start = time.process_time()
    made = make()
    return made, time.process_time() - start


def batch(graph: LinkGraph, rows: Ids) -> int:
    """The neighbours of many pages at once, as walkers step together; their sum."""
    starts = graph.indptr[rows].astype(np.int64)
    sizes = graph.indptr[rows + 1] - starts
    firsts = np.cumsum(sizes) - sizes
    places = np.arange(int(sizes.sum())) + np.repeat(starts - firsts, sizes)
    return int(graph.targets[places].sum(dtype=np.int64))


def look_up(csr: LinkGraph, other: "nx.DiGraph[int]") -> dict[str, float]:
    """Neighbour lookups per CPU second, by side; all sides must agree first."""
    pages = np.random.default_rng(2).integers(0, NODES, LOOKUPS)
    wanted = pages.tolist()
    assert batch(csr, pages) == sum(sum(other.successors(page)) for page in wanted)
    assert all(csr.neighbours(page) == tuple(sorted(other[page])) for page in wanted[:1000])
    times = alternate(
        {
            "all at once": lambda: batch(csr, pages),
            "one by one": lambda: sum(sum(csr.neighbours(page)) for page in wanted),
            "networkx": lambda: sum(sum(other.successors(page)) for page in wanted),
        }
    )
    return {side: LOOKUPS / each.cpu for side, each in times.items()}


def sample(full: LinkGraph, pruned: LinkGraph, other: "nx.DiGraph[int]") -> dict[str, float]:
    """Paths per CPU second, by side; each side walks from the same seeds by the same rules."""
    rows = np.random.default_rng(3).permutation(NODES)[:SEEDS].astype(np.int32)
    rows = rows[np.diff(pruned.indptr)[rows] > 0]
    rules = WalkRules({HOPS: 1}, walks=WALKS)
    kept = np.diff(pruned.indptr) > 0
    found: dict[str, int] = {}

    def ours() -> None:
        found["CSR"] = len(sample_walks(full, pruned, {"all": rows}, rules, seed=1).rows)

    def networkx() -> None:
        found["networkx"] = networkx_walk(other, kept, rows.tolist(), NETWORKX_WALKS, HOPS)

    sides: dict[str, Callable[[], object]] = {"CSR": ours, "networkx": networkx}
    if (walk := level_walk()) is not None:
        compiled = walk
        compiled(full, pruned, rows, 100, HOPS)

        def numba() -> None:
            found["numba"] = compiled(full, pruned, rows, WALKS, HOPS)

        sides["numba"] = numba
    times = alternate(sides)
    return {side: found[side] / each.cpu for side, each in times.items()}


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        (full, pruned), csr_cpu = _timed_store(Path(name))
        before = resident_bytes()
        other, networkx_cpu = timed(build_networkx)
        assert isinstance(other, nx.DiGraph)
        gc.freeze()  # or every collection between the sides walks through millions of dicts
        other_size = (resident_bytes() - before) / full.edges
        assert other.number_of_edges() == full.edges
        files = (Path(name) / "full").glob("*.npy")
        size = sum(path.stat().st_size for path in files) / full.edges
        lookups = look_up(full, other)
        rate = sample(full, pruned, other)
    numba = rate.get("numba", math.nan)
    batched = lookups["all at once"] / lookups["networkx"]
    figures = [
        figure("csr_build_speedup", networkx_cpu / csr_cpu, ">=", 10),
        figure("csr_bytes_per_edge", size),
        figure("csr_bytes_per_edge_over_networkx", size / other_size, "<=", 1 / 40),
        figure("csr_batched_lookup_speedup", batched, ">=", 10),
        figure("csr_single_lookup_speedup", lookups["one by one"] / lookups["networkx"]),
        figure("sampler_paths_per_cpu_s", rate["CSR"]),
        figure("sampler_over_networkx", rate["CSR"] / rate["networkx"], ">=", 10),
    ]
    if "numba" in rate:
        figures.append(figure("sampler_over_numba", rate["CSR"] / numba, ">=", 0.5))
    rows: list[Row] = [
        ("build of both copies, CPU-s", csr_cpu, networkx_cpu, math.nan),
        ("bytes per edge and copy", size, other_size, math.nan),
        ("neighbour lookups per CPU-s", lookups["all at once"], lookups["networkx"], math.nan),
        ("paths per CPU-s", rate["CSR"], rate["networkx"], numba),
    ]
    finish(
        f"Link graph of {NODES:,} nodes and {full.edges:,} edges, paths of {HOPS} hops",
        ("", "CSR", "networkx", f"numba {version()}"),
        rows,
        figures,
    )


def _timed_store(folder: Path) -> tuple[tuple[LinkGraph, LinkGraph], float]:
    start = time.process_time()
    graphs = store_graphs(NODES, EDGES, folder)
    return graphs, time.process_time() - start


if __name__ == "__main__":
    main()
