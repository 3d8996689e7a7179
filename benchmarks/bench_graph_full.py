"""A graph of the size of English Wikipedia: sampling rate and memory, against a small graph.

7M nodes and 200M links beside 100k nodes and 3M links; takes minutes and 2 GB of disk.
"""

import multiprocessing
import resource
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.graphs import Watch, store_graphs
from benchmarks.report import alternate, figure, finish
from hopsight.wiki.graph import LinkGraph
from hopsight.wiki.walks import WalkRules, sample_walks

SIZES = {"small": (100_000, 3_000_000), "full": (7_000_000, 200_000_000)}
WALKS = 300_000
HOPS = 3
GIB = 1 << 30

Measured = tuple[dict[str, float], float]


def build(size: str, folder: Path) -> tuple[float, float, int]:
    """CPU seconds to build both copies, bytes per edge meanwhile, and the number of edges."""
    folder.mkdir()
    with Watch(folder, every_s=0.2) as watch:
        start = time.process_time()
        full, _ = store_graphs(*SIZES[size], folder)
        cpu = time.process_time() - start
    return cpu, watch.peak / full.edges, full.edges


def sample(root: Path) -> Measured:
    """Paths per CPU second over each graph, and the peak of this process's memory.

    The peak is all that ever was resident, pages of the mapped files included.
    """
    graphs = {
        size: (LinkGraph.open(root / size / "full"), LinkGraph.open(root / size / "pruned"))
        for size in SIZES
    }
    rules = WalkRules({HOPS: 1}, walks=WALKS)
    rng = np.random.default_rng(3)
    seeds = {size: rng.permutation(full.nodes)[:40_000] for size, (full, _) in graphs.items()}
    found: dict[str, int] = {}

    def walk(size: str) -> None:
        chosen = {"all": seeds[size].astype(np.int32)}
        found[size] = len(sample_walks(*graphs[size], chosen, rules, seed=1).rows)

    times = alternate({size: partial(walk, size) for size in SIZES})
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {size: found[size] / each.cpu for size, each in times.items()}, float(peak)


def main() -> None:
    """Run the benchmark."""
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name:
        built = {}
        for size in SIZES:
            with spawn.Pool(1) as pool:
                built[size] = pool.apply(build, (size, Path(name) / size))
        with spawn.Pool(1) as pool:
            rate, peak = pool.apply(sample, (Path(name),))
    ratio = rate["full"] / rate["small"]
    finish(
        f"Sampling {WALKS:,} paths of {HOPS} hops, {peak / GIB:.2f} GiB resident at most",
        ("", "small", "full"),
        [
            ("nodes", *(nodes for nodes, _ in SIZES.values())),
            ("edges", *(built[size][2] for size in SIZES)),
            ("build of both copies, CPU-s", *(built[size][0] for size in SIZES)),
            ("memory and disk while building, bytes/edge", *(built[size][1] for size in SIZES)),
            ("paths per CPU-s", *(rate[size] for size in SIZES)),
        ],
        [
            figure("full_sampler_paths_per_cpu_s", rate["full"]),
            figure("full_sampler_over_small", ratio, ">=", 0.7),
            figure("full_sampler_peak_gib", peak / GIB, "<=", 3),
            figure("full_build_cpu_s", built["full"][0]),
            figure("full_build_bytes_per_edge", built["full"][1], "<=", 30),
        ],
    )


if __name__ == "__main__":
    main()
