"""Which pages of a wiki a snapshot holds: all of a small one, else paths and all around them.

A path is walkable in a snapshot only over pages whose every in-neighbour is in it: whether a clue
leads to one page alone is then checked against every page that may lead there. Such pages are
called closed.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hopsight.wiki.domains import domain_of
from hopsight.wiki.graph import Flags, Ids, Indices, LinkGraph, PageLinks, row_finder
from hopsight.wiki.walks import WalkRules, Walks, Yield, sample_walks

_log = logging.getLogger(__name__)

_DEFAULT_HOPS: Final = {2: 0.4, 3: 0.4, 4: 0.2}


class ScannedPages(Protocol):
    """What is asked of a scan; `hopsight.wiki.scan.Scan` has it all."""

    @property
    def parts(self) -> int:
        """Number of parts."""

    def pages(self, part: int) -> pa.Table:
        """page_id, infobox and picture of the pages of a part."""


def _default_walks() -> WalkRules:
    return WalkRules(hops=_DEFAULT_HOPS, walks=2_000)


@dataclass(frozen=True, slots=True)
class SelectRules:
    """How pages are selected.

    A wiki of at most `all_below` articles is taken whole. Else walks (see WalkRules) start at
    pictured pages with an infobox of a known domain and an in-degree in the closed range, and no
    page of a path may have more than `max_neighbours` in- and out-neighbours.
    """

    all_below: int = 100_000
    max_pages: int = 200_000
    max_neighbours: int = 300
    min_in_degree: int = 50
    max_in_degree: int = 10_000
    walks: WalkRules = field(default_factory=_default_walks)


@dataclass(frozen=True, slots=True)
class Selection:
    """Page ids, ascending. `counts` says what became of paths and pages; `yields` of the walks.

    walks = walks_kept + walks_neighbourhood_too_large + walks_page_limit.
    """

    page_ids: Ids
    closed: Ids
    counts: dict[str, int]
    yields: dict[str, Yield]


def select_pages(
    scan: ScannedPages,
    resolution: PageLinks,
    full: LinkGraph,
    pruned: LinkGraph,
    rules: SelectRules,
    seed: int,
) -> Selection:
    """The pages that a snapshot holds; the same `seed` gives the same pages."""
    ids = np.asarray(resolution.page_ids)
    if len(ids) <= rules.all_below:
        return Selection(ids, ids, {"articles": len(ids), "pages": len(ids)}, {})
    seeds, counts = seed_rows(scan, resolution, full, rules)
    walks = sample_walks(full, pruned, seeds, rules.walks, seed)
    selected, taken = _take(full, walks, rules)
    closed = selected & ~_open_to(full, selected)
    counts |= taken | {
        "articles": len(ids),
        "pages": int(np.count_nonzero(selected)),
        "closed": int(np.count_nonzero(closed)),
    }
    _log.info("event=pages_selected %s", " ".join(f"{k}={v}" for k, v in sorted(counts.items())))
    return Selection(ids[selected], ids[closed], counts, walks.yields)


def seed_rows(
    scan: ScannedPages, resolution: PageLinks, full: LinkGraph, rules: SelectRules
) -> tuple[dict[str, Indices], dict[str, int]]:
    """Rows where walks may start by domain, and the articles that cannot be one by reason."""
    find = row_finder(np.asarray(resolution.page_ids))
    filtered, degree = np.asarray(resolution.filtered), np.asarray(full.in_degree)
    counts: Counter[str] = Counter()
    found: dict[str, list[Indices]] = {}
    for part in range(scan.parts):
        table = scan.pages(part)
        rows = find(table["page_id"].to_numpy()).astype(np.int32)
        kinds = table["infobox"].combine_chunks().dictionary_encode()
        domain, names = _domains(kinds)
        pictured = pc.is_valid(table["picture"]).to_numpy()
        usable = rows >= 0
        for reason, bad in (
            ("seed_filtered_page", filtered[rows]),
            ("seed_no_infobox", pc.is_null(kinds).to_numpy(zero_copy_only=False)),
            ("seed_no_domain", domain < 0),
            ("seed_no_picture", ~pictured),
            ("seed_low_in_degree", degree[rows] < rules.min_in_degree),
            ("seed_hub", degree[rows] > rules.max_in_degree),
        ):
            counts[reason] += int(np.count_nonzero(usable & bad))
            usable &= ~bad
        for number, name in enumerate(names):
            found.setdefault(name, []).append(rows[usable & (domain == number)])
    return {name: np.concatenate(found[name]) for name in sorted(found)}, dict(counts)


def _domains(kinds: pa.DictionaryArray) -> tuple[Indices, tuple[str, ...]]:
    """For each page the position of its infobox's domain among the names, or -1."""
    domains = [domain_of(kind) for kind in kinds.dictionary.to_pylist()]
    names = tuple(sorted({str(domain) for domain in domains if domain is not None}))
    numbers = [-1 if domain is None else names.index(str(domain)) for domain in domains]
    # A page without an infobox reads the last place.
    table = np.asarray([*numbers, -1], dtype=np.int32)
    places = pc.fill_null(kinds.indices, len(numbers)).to_numpy()
    return table[places], names


def _take(full: LinkGraph, walks: Walks, rules: SelectRules) -> tuple[Flags, dict[str, int]]:
    """Take path after path with all neighbours of its pages, while there is room.

    The strata take turns. A path counts as a whole: one page that cannot be closed makes the
    others useless to it.
    """
    size = np.diff(full.indptr) + _in_degree(full)
    small = size <= rules.max_neighbours
    on_path: Flags = np.zeros(full.nodes, dtype=bool)
    on_path[walks.rows[walks.rows >= 0]] = True
    around = _Neighbours(full, on_path & small)
    selected: Flags = np.zeros(full.nodes, dtype=bool)
    left = rules.max_pages
    counts = {
        "nodes_neighbourhood_too_large": int(np.count_nonzero(on_path & ~small)),
        "walks": len(walks.rows),
        "walks_kept": 0,
        "walks_neighbourhood_too_large": 0,
        "walks_page_limit": 0,
    }
    for number in _in_turns(walks):
        path = walks.rows[number][walks.rows[number] >= 0]
        if not small[path].all():
            counts["walks_neighbourhood_too_large"] += 1
            continue
        wanted = np.unique(np.concatenate([path, *map(around.of, path.tolist())]))
        fresh = wanted[~selected[wanted]]
        if len(fresh) > left:
            counts["walks_page_limit"] += 1
            continue
        selected[fresh] = True
        left -= len(fresh)
        counts["walks_kept"] += 1
    return selected, counts


class _Neighbours:
    """In- and out-neighbours of some rows, found in one pass over the graph."""

    def __init__(self, full: LinkGraph, asked: Flags) -> None:
        self._full = full
        pairs = [
            (targets[inside], sources[inside])
            for sources, targets in full.blocks()
            if (inside := asked[targets]).any()
        ]
        empty = np.empty(0, dtype=np.int32)
        targets = np.concatenate([empty, *(target for target, _ in pairs)])
        sources = np.concatenate([empty, *(source for _, source in pairs)])
        order = np.argsort(targets, kind="stable")
        self._targets, self._sources = targets[order], sources[order]

    def of(self, row: int) -> Indices:
        """Rows that link to `row` or that it links to; some may come twice."""
        first, last = np.searchsorted(self._targets, [row, row + 1])
        return np.concatenate([self._sources[first:last], self._full.row(row)])


def _in_degree(full: LinkGraph) -> Ids:
    """In-neighbours in the graph; `full.in_degree` may count other links as well."""
    counts: Ids = np.zeros(full.nodes, dtype=np.int64)
    for _, targets in full.blocks():
        np.add.at(counts, targets, 1)
    return counts


def _in_turns(walks: Walks) -> Iterator[int]:
    """Numbers of the paths: the first of every stratum, then the second of every one …"""
    sizes = np.bincount(walks.stratum, minlength=len(walks.strata))
    starts = np.cumsum(sizes) - sizes
    rank = np.arange(len(walks.rows)) - starts[walks.stratum]
    yield from np.lexsort((walks.stratum, rank)).tolist()


def _open_to(full: LinkGraph, selected: Flags) -> Flags:
    """Rows with an in-neighbour that is not selected."""
    is_open: Flags = np.zeros(full.nodes, dtype=bool)
    for sources, targets in full.blocks():
        is_open[targets[~selected[sources]]] = True
    return is_open
