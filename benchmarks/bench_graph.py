"""Link graph: compressed sparse rows in files against networkx, 300k nodes and 3M edges."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import networkx as nx
import numpy as np

from benchmarks.report import alternate, figure, finish, in_child, resident_bytes
from hopsight.wiki.graph import CHUNK, Ids, LinkGraph, build_graph

NODES = 300_000
EDGES = 3_000_000
LOOKUPS = 200_000


def edges() -> tuple[Ids, Ids]:
    """Distinct links without loops; targets are skewed, as a wiki's are."""
    rng = np.random.default_rng(1)
    wanted = EDGES * 5 // 4
    sources = rng.integers(0, NODES, wanted)
    targets = (NODES * rng.random(wanted) ** 2).astype(np.int64)
    keys = np.unique((sources * NODES + targets)[sources != targets])
    keys = np.sort(rng.permutation(keys)[:EDGES])
    assert len(keys) == EDGES
    return keys // NODES, keys % NODES


def build_csr(pairs: tuple[Ids, Ids], folder: Path) -> LinkGraph:
    """The project's graph."""

    def chunks() -> Iterable[tuple[Ids, Ids]]:
        for start in range(0, EDGES, CHUNK):
            yield pairs[0][start : start + CHUNK], pairs[1][start : start + CHUNK]

    return build_graph(chunks, range(NODES), folder)


def build_networkx(pairs: tuple[Ids, Ids]) -> "nx.DiGraph[int]":
    """The other side."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(NODES))
    graph.add_edges_from(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True))
    return graph


def networkx_bytes() -> float:
    """Memory that the networkx graph adds to a process."""
    pairs = edges()
    before = resident_bytes()
    graph = build_networkx(pairs)
    return float(resident_bytes() - before) if graph.number_of_edges() == EDGES else 0.0


def batch(graph: LinkGraph, rows: Ids) -> int:
    """The neighbours of many pages at once, as walkers step together; their sum."""
    starts, ends = graph.indptr[rows], graph.indptr[rows + 1]
    sizes = ends - starts
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
            "CSR, all at once": lambda: batch(csr, pages),
            "CSR, one by one": lambda: sum(sum(csr.neighbours(page)) for page in wanted),
            "networkx": lambda: sum(sum(other.successors(page)) for page in wanted),
        }
    )
    return {side: LOOKUPS / each.cpu for side, each in times.items()}


def main() -> None:
    """Run the benchmark."""
    pairs = edges()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = alternate(
            {
                "CSR": lambda: build_csr(pairs, folder),
                "networkx": lambda: build_networkx(pairs),
            }
        )
        rate = look_up(LinkGraph.open(folder), build_networkx(pairs))
        size = sum(path.stat().st_size for path in folder.glob("*.npy")) / EDGES
    other_size = in_child(networkx_bytes) / EDGES
    networkx = rate["networkx"]
    finish(
        f"Link graph of {NODES:,} nodes and {EDGES:,} edges",
        ("", "CSR", "networkx"),
        [
            ("build, CPU-s", built["CSR"].cpu, built["networkx"].cpu),
            ("bytes per edge", size, other_size),
            ("neighbour lookups per CPU-s, all at once", rate["CSR, all at once"], networkx),
            ("neighbour lookups per CPU-s, one by one", rate["CSR, one by one"], networkx),
        ],
        [
            figure("csr_build_cpu_s", built["CSR"].cpu),
            figure("csr_build_speedup", built["networkx"].cpu / built["CSR"].cpu, ">=", 10),
            figure("csr_bytes_per_edge", size),
            figure("csr_bytes_per_edge_over_networkx", size / other_size, "<=", 1 / 40),
            figure("csr_batched_lookup_speedup", rate["CSR, all at once"] / networkx, ">=", 10),
            figure("csr_single_lookup_speedup", rate["CSR, one by one"] / networkx),
        ],
    )


if __name__ == "__main__":
    main()
