"""Made-up wikis for benchmarks: links with a wiki's skew, and a scan with titles and redirects."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks.report import resident_bytes
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.graph import CHUNK, EdgeChunks, Ids, LinkGraph, build_graph, prune

HUB_SHARE = 0.999
"""In-degree at this quantile makes a hub, as 10,000 does in English Wikipedia."""


def links(nodes: int, edges: int) -> EdgeChunks:
    """Links by source, as a dump has them; a few pages get very many of them."""

    def chunks() -> Iterator[tuple[Ids, Ids]]:
        rng = np.random.default_rng(1)
        for first in range(0, edges, CHUNK):
            size = min(CHUNK, edges - first)
            low, high = nodes * first // edges, max(nodes * (first + size) // edges, 1)
            sources = np.sort(rng.integers(low, high, size))
            popular = (nodes * rng.random(size) ** 3).astype(np.int64)
            # Popular pages lie anywhere in the order of ids.
            yield sources, popular * 2_654_435_761 % nodes

    return chunks


def store_graphs(nodes: int, edges: int, folder: Path) -> tuple[LinkGraph, LinkGraph]:
    """The full and the pruned graph of such links."""
    full = build_graph(links(nodes, edges), np.arange(nodes), folder / "full")
    kept = full.in_degree <= np.quantile(full.in_degree, HUB_SHARE)
    return full, prune(full, kept, folder / "pruned")


@dataclass(frozen=True, slots=True)
class StoredScan:
    """A scan in Parquet, of the size of English Wikipedia's by the number of parts.

    A part has 25,000 articles of 28 links, 40,000 redirects, and 225,000 link targets, of which a
    fifth are redirects (some of them double) and a twelfth lead nowhere.
    """

    folder: Path
    parts: int
    articles: int = 25_000
    site: SiteInfo = field(default_factory=SiteInfo)

    @property
    def edges(self) -> int:
        """Number of links."""
        return self.parts * self.articles * 28

    def write(self) -> None:
        """Make up all tables; redirects are pages of ids above all articles'."""
        for part in range(self.parts):
            rng = np.random.default_rng([1, part])
            targets = self._targets(rng)
            tables = {
                "pages": self._pages(part, rng),
                "targets": targets,
                "links": self._links(part, targets.num_rows, rng),
            }
            for name, table in tables.items():
                pq.write_table(table, self.folder / f"{name}-{part}.parquet")

    def pages(self, part: int) -> pa.Table:
        """Articles and redirects."""
        return pq.read_table(self.folder / f"pages-{part}.parquet")

    def targets(self, part: int) -> pa.Table:
        """Distinct link targets."""
        return pq.read_table(self.folder / f"targets-{part}.parquet")

    def links(self, part: int) -> pa.Table:
        """Links by source."""
        return pq.read_table(self.folder / f"links-{part}.parquet")

    def _pages(self, part: int, rng: np.random.Generator) -> pa.Table:
        everything = self.parts * self.articles
        count = self.articles * 8 // 5
        own = np.arange(part * self.articles, (part + 1) * self.articles)
        redirects = np.arange(part * count, (part + 1) * count)
        to_article = _names("Article number", rng.integers(0, everything, count))
        to_redirect = _names("Redirect number", np.maximum(redirects - 1, 0))
        double = pa.array(redirects % 20 == 1)
        return pa.table(
            {
                "page_id": np.concatenate([own, everything + redirects]),
                "namespace": np.zeros(len(own) + count, dtype=np.int32),
                "title": pa.concat_arrays(
                    [_names("Article number", own), _names("Redirect number", redirects)]
                ),
                "redirect": pa.concat_arrays(
                    [
                        pa.nulls(len(own), pa.string()),
                        pc.if_else(double, to_redirect, to_article),
                    ]
                ),
                "is_list": np.arange(len(own) + count) % 50 == 0,
                "is_disambiguation": np.arange(len(own) + count) % 40 == 1,
            }
        )

    def _targets(self, rng: np.random.Generator) -> pa.Table:
        size = self.articles * 9
        everything = self.parts * self.articles
        chosen = (everything * rng.random(size) ** 2).astype(np.int64)
        kind = rng.integers(0, 60, size)
        article, redirect = _names("Article number", chosen), _names("Redirect number", chosen)
        titles = pc.if_else(pa.array(kind < 12), redirect, article)
        titles = pc.if_else(pa.array(kind >= 55), _names("Nothing", chosen), titles)
        titles = pc.unique(titles)
        return pa.table({"target_id": np.arange(len(titles), dtype=np.int32), "title": titles})

    def _links(self, part: int, targets: int, rng: np.random.Generator) -> pa.Table:
        target = (targets * rng.random(self.articles * 28) ** 2).astype(np.int32)
        own = np.arange(part * self.articles, (part + 1) * self.articles)
        return pa.table({"source": np.repeat(own, 28), "target_id": target})


def _names(prefix: str, numbers: Ids) -> pa.Array:
    return pc.binary_join_element_wise(prefix, pa.array(numbers).cast(pa.string()), " ")


class Watch:
    """Samples, while it is entered, the memory of this process and the bytes below a folder."""

    def __init__(self, folder: Path, every_s: float = 0.02) -> None:
        self._folder = folder
        self._every_s = every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._base = resident_bytes()
        self.peak_memory = 0
        self.peak_disk = 0
        self.peak = 0
        """Largest sum of both at one moment."""

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._every_s):
            memory, disk = resident_bytes() - self._base, _bytes_below(self._folder)
            self.peak_memory = max(self.peak_memory, memory)
            self.peak_disk = max(self.peak_disk, disk)
            self.peak = max(self.peak, memory + disk)


def _bytes_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_blocks * 512
        except FileNotFoundError:  # removed meanwhile
            continue
    return total
