"""A scan of any size, made up from numbers alone, and its whole way to the graph for a process."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.graph import build_graphs_of
from hopsight.wiki.resolve import resolve


@dataclass(frozen=True)
class RandomScan:
    """Articles with even page ids, redirects with odd ones; every part has as many of each."""

    parts: int
    articles: int = 4_000
    links_each: int = 20
    site: SiteInfo = field(default_factory=SiteInfo)

    def pages(self, part: int) -> pa.Table:
        first, n = part * self.articles, self.articles
        numbers = np.arange(first, first + n)
        titles = [f"Page {number}" for number in numbers] + [f"Old {n}" for n in numbers]
        redirect = [None] * n + [f"Page {number}#Part" for number in numbers]
        nothing = np.zeros(2 * n, dtype=bool)
        return pa.table(
            {
                "page_id": np.concatenate([2 * numbers, 2 * numbers + 1]),
                "namespace": np.zeros(2 * n, dtype=np.int32),
                "title": titles,
                "redirect": pa.array(redirect, pa.string()),
                "is_list": nothing,
                "is_disambiguation": nothing,
            }
        )

    def targets(self, part: int) -> pa.Table:
        rng = np.random.default_rng([1, part])
        numbers = rng.permutation(self.parts * self.articles)[: self.articles]
        words = ("Page", "Old", "Page", "Page", "No")
        return pa.table(
            {
                "target_id": np.arange(self.articles, dtype=np.int32),
                "title": [f"{words[number % 5]} {number}" for number in numbers],
            }
        )

    def links(self, part: int) -> pa.Table:
        rng = np.random.default_rng([2, part])
        sources = np.repeat(np.arange(self.articles) + part * self.articles, self.links_each)
        targets = (self.articles * rng.random(len(sources)) ** 2).astype(np.int32)
        return pa.table({"source": 2 * sources, "target_id": targets})


def build_all(folder: Path, started: Path, scan: RandomScan) -> None:
    """Resolve and build, after telling that this process has started."""
    started.touch()
    build_graphs_of(resolve(scan, folder / "resolution"), folder / "graphs", max_in_degree=200)
