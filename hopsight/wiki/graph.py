"""The link graph as compressed sparse rows in memory-mapped arrays.

A folder holds one graph: `ids.npy` (int64, page ids ascending), `indptr.npy` (int64, n + 1),
`targets.npy` (int32, sorted within each row, each edge once), `in_degree.npy` (int32), and
`graph.json`, which is written last: a folder without it holds no graph.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hopsight.errors import StoreError
from hopsight.wiki.tables import SnapshotTables

Ids = NDArray[np.int64]
Indices = NDArray[np.int32]
EdgeChunks = Callable[[], Iterable[tuple[Ids, Ids]]]
"""Gives, each time it is called, the same edges as chunks of (source ids, target ids)."""

FORMAT: Final = 1
CHUNK: Final = 1 << 20
"""Edges handled at once."""

_DENSE: Final = 20
"""Page ids count as dense if the largest is at most so many times their number."""

_ARRAYS: Final = ("ids", "indptr", "targets", "in_degree")


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """A directed graph over pages. Rows are positions in `ids`; see the module for shapes."""

    ids: Ids
    indptr: Ids
    targets: Indices
    in_degree: Indices

    @property
    def nodes(self) -> int:
        """Number of pages."""
        return len(self.ids)

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.targets)

    def index(self, page_id: int) -> int:
        """Row of a page. Raises KeyError for a page that the graph does not have."""
        row = int(np.searchsorted(self.ids, page_id))
        if row == self.nodes or self.ids[row] != page_id:
            raise KeyError(page_id)
        return row

    def row(self, index: int) -> Indices:
        """Rows that row `index` points to, ascending."""
        return self.targets[self.indptr[index] : self.indptr[index + 1]]

    def neighbours(self, page_id: int) -> tuple[int, ...]:
        """Ids of the pages that a page links to, ascending."""
        return tuple(self.ids[self.row(self.index(page_id))].tolist())

    def has_edge(self, source: int, target: int) -> bool:
        """Whether page `source` links to page `target`."""
        row = self.row(self.index(source))
        wanted = self.index(target)
        at = int(np.searchsorted(row, wanted))
        return at < len(row) and bool(row[at] == wanted)

    @classmethod
    def open(cls, folder: Path) -> "LinkGraph":
        """Map a stored graph into memory. Raises StoreError if it is missing or damaged."""
        try:
            about = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
            arrays = {
                name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
                for name in _ARRAYS
            }
        except (OSError, ValueError) as error:
            raise StoreError(
                f"{folder} holds no whole link graph ({error})",
                "materialize the asset link_graph again",
            ) from error
        graph = cls(**arrays)
        if about != _about(graph):
            raise StoreError(
                f"{folder} holds arrays that do not fit its graph.json",
                "materialize the asset link_graph again",
            )
        return graph


def build_graph(edges: EdgeChunks, page_ids: Sequence[int], folder: Path) -> LinkGraph:
    """Store the graph of `edges` among `page_ids` and open it.

    Two passes over the edges: count, then fill. Memory is the row offsets plus one chunk; edges
    whose ends are not both in `page_ids`, self-links and repeats leave no trace.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "graph.json").unlink(missing_ok=True)
    ids = np.unique(np.asarray(page_ids, dtype=np.int64))
    find = _row_finder(ids)
    offsets = _count(edges, find, len(ids))
    raw = folder / "targets.raw.npy"
    _fill(edges, find, offsets, raw)
    indptr, in_degree = _sort_rows(raw, offsets, folder / "targets.npy")
    raw.unlink()
    np.save(folder / "ids.npy", ids)
    np.save(folder / "indptr.npy", indptr)
    np.save(folder / "in_degree.npy", in_degree)
    graph = LinkGraph(ids, indptr, np.load(folder / "targets.npy", mmap_mode="r"), in_degree)
    (folder / "graph.json").write_text(json.dumps(_about(graph)) + "\n", encoding="utf-8")
    return LinkGraph.open(folder)


def build_graphs(
    tables: SnapshotTables, folder: Path, max_in_degree: int
) -> tuple[LinkGraph, LinkGraph]:
    """The full graph and the pruned one, in `folder/full` and `folder/pruned`.

    Both have the same rows. The pruned one, for walking, has no edge at a page that is a list, a
    disambiguation page or a hub (in-degree above `max_in_degree`); the full one finds shortcuts.
    """
    ids = [page.page_id for page in tables.pages]
    full = build_graph(_chunks(tables), ids, folder / "full")
    kept = np.asarray(
        sorted(
            page.page_id
            for page in tables.pages
            if not (page.is_list or page.is_disambiguation or page.in_degree > max_in_degree)
        ),
        dtype=np.int64,
    )
    pruned = build_graph(_chunks(tables, kept), ids, folder / "pruned")
    return full, pruned


def _chunks(tables: SnapshotTables, kept: Ids | None = None) -> EdgeChunks:
    def chunks() -> Iterator[tuple[Ids, Ids]]:
        for start in range(0, len(tables.links), CHUNK):
            part = tables.links[start : start + CHUNK]
            sources = np.asarray([link.source for link in part], dtype=np.int64)
            targets = np.asarray([link.target for link in part], dtype=np.int64)
            if kept is not None:
                inside = np.isin(sources, kept) & np.isin(targets, kept)
                sources, targets = sources[inside], targets[inside]
            yield sources, targets

    return chunks


def _about(graph: LinkGraph) -> dict[str, Any]:
    return {"format": FORMAT, "nodes": len(graph.indptr) - 1, "edges": graph.edges}


def _row_finder(ids: Ids) -> Callable[[Ids], Ids]:
    """A function from page ids to rows, -1 for an unknown page.

    A table of all ids up to the largest is several times faster than a search; it is used where
    the ids are dense enough for it to be small.
    """
    n = len(ids)
    top = int(ids[-1]) if n else 0
    if n and ids[0] >= 0 and top < _DENSE * n + CHUNK:
        table = np.full(top + 2, -1, dtype=np.int32)
        table[ids] = np.arange(n, dtype=np.int32)
        # Anything outside 0 … top is read from the last place, which stays -1.
        return lambda x: table[np.where((x < 0) | (x > top), top + 1, x)].astype(np.int64)
    padded = np.append(ids, np.iinfo(np.int64).max)

    def search(wanted: Ids) -> Ids:
        rows = np.searchsorted(ids, wanted)
        return np.where(padded[rows] == wanted, rows, -1)

    return search


def _rows(edges: EdgeChunks, find: Callable[[Ids], Ids]) -> Iterator[tuple[Ids, Ids]]:
    """Chunks as row numbers, without self-links and unknown pages."""
    for sources, targets in edges():
        a, b = find(sources), find(targets)
        kept = (a >= 0) & (b >= 0) & (a != b)
        yield a[kept], b[kept]


def _count(edges: EdgeChunks, find: Callable[[Ids], Ids], n: int) -> Ids:
    counts = np.zeros(n + 1, dtype=np.int64)
    for sources, _ in _rows(edges, find):
        counts[1:] += np.bincount(sources, minlength=n)
    return np.cumsum(counts)


def _fill(edges: EdgeChunks, find: Callable[[Ids], Ids], offsets: Ids, path: Path) -> None:
    # An empty array cannot be mapped: one spare place is kept at the end.
    size = (int(offsets[-1]) + 1,)
    raw = np.lib.format.open_memmap(path, mode="w+", dtype=np.int32, shape=size)
    cursor = offsets[:-1].copy()
    for sources, targets in _rows(edges, find):
        order = np.argsort(sources, kind="stable")
        ordered = sources[order]
        per_row = np.bincount(sources, minlength=len(cursor))
        starts = np.cumsum(per_row) - per_row
        raw[cursor[ordered] + np.arange(len(ordered)) - starts[ordered]] = targets[order]
        cursor += per_row
    raw.flush()


def _sort_rows(raw_path: Path, offsets: Ids, path: Path) -> tuple[Ids, Indices]:
    """Sort every row and drop repeats, block by block; gives the final offsets and in-degrees."""
    raw = np.load(raw_path, mmap_mode="r")
    n = len(offsets) - 1
    counts = np.zeros(n + 1, dtype=np.int64)
    in_degree = np.zeros(n, dtype=np.int64)
    unsized = path.with_suffix(".part")
    with unsized.open("wb") as out:
        for first, last in _blocks(offsets):
            length = np.diff(offsets[first : last + 1])
            rows = np.repeat(np.arange(first, last, dtype=np.int64), length)
            keys = (rows << 32) | raw[offsets[first] : offsets[last]]
            keys.sort()
            keys = keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
            targets = (keys & 0xFFFFFFFF).astype(np.int32)
            counts[first + 1 : last + 1] = np.bincount((keys >> 32) - first, minlength=last - first)
            in_degree += np.bincount(targets, minlength=n)
            out.write(targets.tobytes())
    indptr = np.cumsum(counts)
    _with_header(unsized, path, int(indptr[-1]))
    return indptr, in_degree.astype(np.int32)


def _blocks(offsets: Ids) -> Iterator[tuple[int, int]]:
    """Ranges of whole rows that together hold about one chunk of edges."""
    first, n = 0, len(offsets) - 1
    while first < n:
        last = int(np.searchsorted(offsets, offsets[first] + CHUNK, side="right")) - 1
        last = min(n, max(first + 1, last))
        yield first, last
        first = last


def _with_header(unsized: Path, path: Path, size: int) -> None:
    """Turn a file of bare int32 into `.npy`, chunk by chunk."""
    with unsized.open("rb") as source, path.open("wb") as out:
        header = {"descr": "<i4", "fortran_order": False, "shape": (size,)}
        np.lib.format.write_array_header_1_0(out, header)
        while block := source.read(CHUNK * 4):
            out.write(block)
    unsized.unlink()
