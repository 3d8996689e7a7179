"""The link graph as compressed sparse rows in memory-mapped arrays.

A folder holds one graph: `ids.npy` (page ids ascending), `indptr.npy` (n + 1), `targets.npy`
(int32, sorted within each row, each edge once), `in_degree.npy` (int32), and `graph.json`, which
is removed first and written last: a folder without it holds no graph, and a build that was killed
is done again with the same bytes. Ids and offsets are int32 where they fit, else int64.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from hopsight.errors import StoreError
from hopsight.store.files import storage_errors, sweep, write_atomic
from hopsight.wiki.tables import SnapshotTables

Ids = NDArray[np.int64]
Indices = NDArray[np.int32]
Flags = NDArray[np.bool_]
Whole = NDArray[np.signedinteger[Any]]
"""int32 where the numbers fit, else int64."""

EdgeChunks = Callable[[], Iterable[tuple[Ids, Ids]]]
"""Gives, each time it is called, the same edges as chunks of (source ids, target ids)."""

FORMAT: Final = 2
CHUNK: Final = 1 << 20
"""Edges handled at once."""

_DENSE: Final = 20
"""Page ids count as dense if the largest is at most so many times their number."""

_ARRAYS: Final = ("ids", "indptr", "targets", "in_degree")
_AGAIN: Final = "materialize the asset link_graph again"


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """A directed graph over pages. Rows are positions in `ids`; see the module for shapes.

    `in_degree` counts edges that lead to a row, or is what the builder was given instead.
    """

    ids: Whole
    indptr: Whole
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

    def blocks(self) -> Iterator[tuple[Indices, Indices]]:
        """All edges as (source rows, target rows), about a chunk at a time, in row order."""
        for first, last in _blocks(self.indptr):
            length = np.diff(self.indptr[first : last + 1])
            sources = np.repeat(np.arange(first, last, dtype=np.int32), length)
            yield sources, self.targets[self.indptr[first] : self.indptr[last]]

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
            raise StoreError(f"{folder} holds no whole link graph ({error})", _AGAIN) from error
        graph = cls(**arrays)
        if about != _about(graph):
            raise StoreError(f"{folder} holds arrays that do not fit its graph.json", _AGAIN)
        return graph


class PageLinks(Protocol):
    """A wiki as the graph needs it; `hopsight.wiki.resolve.Resolution` has it all."""

    @property
    def page_ids(self) -> Ids:
        """Ids of all articles, ascending."""

    @property
    def filtered(self) -> Flags:
        """For each of them, whether it is a list or a disambiguation page."""

    def edges(self) -> Iterable[tuple[Ids, Ids]]:
        """All links as chunks of (source ids, target ids)."""


def build_graph(
    edges: EdgeChunks,
    page_ids: Sequence[int] | Ids,
    folder: Path,
    in_degree: Indices | None = None,
    uncounted: Flags | None = None,
) -> LinkGraph:
    """Store the graph of `edges` among `page_ids` and open it.

    Two passes over the edges: count, then fill; then every row is sorted where it lies. Memory is
    the row offsets plus one chunk, disk 4 bytes per edge; edges whose ends are not both in
    `page_ids`, self-links and repeats leave no trace. `in_degree`, one for each page by ascending
    id, is stored in place of the count of edges; else edges from `uncounted` pages do not count.
    Raises ValueError if one of them is not as long as the pages.
    """
    ids = _ascending(np.asarray(page_ids, dtype=np.int64))
    for given in (in_degree, uncounted):
        if given is not None and len(given) != len(ids):
            raise ValueError(f"{len(given)} in-degrees or flags for {len(ids)} pages")
    _start(folder)
    find = row_finder(ids)
    offsets = _count(edges, find, len(ids))
    with storage_errors(folder):
        _fill(edges, find, offsets, folder / "targets.npy")
        indptr, counted = _sort_rows(folder / "targets.npy", offsets, uncounted)
    return _store(folder, ids, indptr, counted if in_degree is None else in_degree)


def prune(graph: LinkGraph, kept: Flags, folder: Path) -> LinkGraph:
    """Store the same rows with only the edges between rows that are `kept` (n,)."""
    _start(folder)
    writer = _Rows(graph.nodes)
    with storage_errors(folder), (folder / "targets.npy").open("w+b") as out:
        _write_header(out, graph.edges)
        for sources, targets in graph.blocks():
            inside = kept[targets] & kept[sources]
            writer.add(out, sources[inside], targets[inside])
        writer.end(out)
    return _store(folder, graph.ids, writer.indptr(), writer.in_degree)


def build_graphs_of(
    wiki: PageLinks, folder: Path, max_in_degree: int, in_degree: Indices | None = None
) -> tuple[LinkGraph, LinkGraph]:
    """The full graph and the pruned one, in `folder/full` and `folder/pruned`.

    Both have the same rows. The pruned one, for walking, has no edge at a page that is a list, a
    disambiguation page or a hub (in-degree above `max_in_degree`); the full one finds shortcuts.
    `in_degree`, one for each of `wiki.page_ids`, replaces the full graph's own count, which is
    that of the articles that link to a page: lists and disambiguation pages do not count.
    """
    filtered = np.asarray(wiki.filtered)
    full = build_graph(wiki.edges, wiki.page_ids, folder / "full", in_degree, filtered)
    kept = ~filtered & (full.in_degree <= max_in_degree)
    return full, prune(full, kept, folder / "pruned")


def build_graphs(
    tables: SnapshotTables, folder: Path, max_in_degree: int
) -> tuple[LinkGraph, LinkGraph]:
    """The two graphs of `build_graphs_of` from the tables of a snapshot and its in-degrees."""
    in_degree = np.asarray([page.in_degree for page in tables.pages], dtype=np.int32)
    return build_graphs_of(_TableLinks(tables), folder, max_in_degree, in_degree)


@dataclass(frozen=True, slots=True)
class _TableLinks:
    """The links of a snapshot's tables, whose pages are sorted by id."""

    tables: SnapshotTables

    @property
    def page_ids(self) -> Ids:
        return np.asarray([page.page_id for page in self.tables.pages], dtype=np.int64)

    @property
    def filtered(self) -> Flags:
        pages = self.tables.pages
        return np.asarray([page.is_list or page.is_disambiguation for page in pages], dtype=bool)

    def edges(self) -> Iterator[tuple[Ids, Ids]]:
        for start in range(0, len(self.tables.links), CHUNK):
            part = self.tables.links[start : start + CHUNK]
            sources = np.asarray([link.source for link in part], dtype=np.int64)
            targets = np.asarray([link.target for link in part], dtype=np.int64)
            yield sources, targets


def row_finder(ids: Ids) -> Callable[[Ids], Whole]:
    """A function from page ids to rows of the sorted `ids`, -1 for an unknown page.

    A table of all ids up to the largest is several times faster than a search; it is used where
    the ids are dense enough for it to be small.
    """
    n = len(ids)
    top = int(ids[-1]) if n else 0
    if n and ids[0] >= 0 and top < _DENSE * n + CHUNK:
        # One place before and one behind catch, by clipping, whatever lies outside of 0 … top.
        table = np.full(top + 3, -1, dtype=np.int32)
        table[ids + 1] = np.arange(n, dtype=np.int32)
        return lambda x: table.take(np.clip(x, -1, top + 1) + 1)
    padded = np.append(ids, np.iinfo(np.int64).max)

    def search(wanted: Ids) -> Whole:
        rows = np.searchsorted(ids, wanted)
        return np.where(padded[rows] == wanted, rows, -1)

    return search


class _Rows:
    """Appends sorted edges to the file of targets, and counts them by row."""

    def __init__(self, nodes: int, uncounted: Flags | None = None) -> None:
        self._uncounted = uncounted
        self.in_degree: Indices = np.zeros(nodes, dtype=np.int32)
        self._counts: Ids = np.zeros(nodes + 1, dtype=np.int64)
        self._edges = 0

    def add(self, out: IO[bytes], sources: Whole, targets: Indices) -> None:
        _add_counts(self._counts[1:], sources)
        counted = targets if self._uncounted is None else targets[~self._uncounted[sources]]
        np.add.at(self.in_degree, counted, np.int32(1))
        out.write(targets.tobytes())
        self._edges += len(targets)

    def end(self, out: IO[bytes]) -> None:
        """Cut the file at the last edge and tell its length in the header."""
        out.truncate()
        out.seek(0)
        _write_header(out, self._edges)

    def indptr(self) -> Ids:
        return np.cumsum(self._counts)


def _ascending(ids: Ids) -> Ids:
    """Ids sorted, each once; most often they are so already."""
    return ids if (ids[1:] > ids[:-1]).all() else np.unique(ids)


def _start(folder: Path) -> None:
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "graph.json").unlink(missing_ok=True)
        sweep(folder)


def _store(folder: Path, ids: Whole, indptr: Whole, in_degree: Indices) -> LinkGraph:
    """Write what goes beside the targets, then the word that all is there."""
    _start(folder)
    with storage_errors(folder):
        np.save(folder / "ids.npy", _small(ids))
        np.save(folder / "indptr.npy", _small(indptr))
        np.save(folder / "in_degree.npy", in_degree.astype(np.int32, copy=False))
        targets = np.load(folder / "targets.npy", mmap_mode="r")
        about = _about(LinkGraph(ids, indptr, targets, in_degree))
    write_atomic(folder / "graph.json", (json.dumps(about) + "\n").encode())
    return LinkGraph.open(folder)


def _small(numbers: Whole) -> Whole:
    """Ascending numbers as int32 if they fit."""
    fits = not len(numbers) or (numbers[0] >= -(2**31) and numbers[-1] < 2**31)
    return numbers.astype(np.int32 if fits else np.int64, copy=False)


def _about(graph: LinkGraph) -> dict[str, Any]:
    return {"format": FORMAT, "nodes": len(graph.indptr) - 1, "edges": graph.edges}


def _rows(edges: EdgeChunks, find: Callable[[Ids], Whole]) -> Iterator[tuple[Whole, Whole]]:
    """Chunks as row numbers, without self-links and unknown pages."""
    for sources, targets in edges():
        a, b = find(sources), find(targets)
        kept = (a >= 0) & (b >= 0) & (a != b)
        yield a[kept], b[kept]


def _add_counts(counts: Ids, rows: Whole) -> None:
    """Count rows into `counts`. A chunk's rows lie close together, so only their range is used."""
    if len(rows):
        low, high = int(rows.min()), int(rows.max()) + 1
        counts[low:high] += np.bincount(rows - low, minlength=high - low)


def _count(edges: EdgeChunks, find: Callable[[Ids], Whole], n: int) -> Ids:
    counts: Ids = np.zeros(n + 1, dtype=np.int64)
    for sources, _ in _rows(edges, find):
        _add_counts(counts[1:], sources)
    return np.cumsum(counts, out=counts)


def _fill(edges: EdgeChunks, find: Callable[[Ids], Whole], offsets: Ids, path: Path) -> None:
    """Write the targets of every row, in any order, to a `.npy` of one place more than edges.

    (An empty array cannot be mapped.)
    """
    size = (int(offsets[-1]) + 1,)
    raw = np.lib.format.open_memmap(path, mode="w+", dtype=np.int32, shape=size)
    cursor = offsets[:-1].copy()
    for sources, targets in _rows(edges, find):
        order = np.argsort(sources, kind="stable")
        ordered = sources[order]
        first = np.flatnonzero(np.diff(ordered, prepend=-1))
        lengths = np.diff(first, append=len(ordered))
        # Where each run starts in the file, less where it starts in the chunk.
        shift = np.repeat(cursor[ordered[first]] - first, lengths)
        raw[shift + np.arange(len(ordered))] = targets[order]
        cursor[ordered[first]] += lengths
    raw.flush()


def _sort_rows(path: Path, offsets: Ids, uncounted: Flags | None) -> tuple[Ids, Indices]:
    """Sort every row and drop repeats, block by block; gives the final offsets and in-degrees.

    What is written never overtakes what is still to be read, so it all happens in one file.
    """
    raw = np.load(path, mmap_mode="r")
    writer = _Rows(len(offsets) - 1, uncounted)
    with path.open("r+b") as out:
        _write_header(out, int(offsets[-1]) + 1)
        for first, last in _blocks(offsets):
            length = np.diff(offsets[first : last + 1])
            rows = np.repeat(np.arange(first, last, dtype=np.int64), length)
            keys = (rows << 32) | raw[offsets[first] : offsets[last]]
            keys.sort()
            keys = keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
            writer.add(out, keys >> 32, (keys & 0xFFFFFFFF).astype(np.int32))
            out.flush()
        writer.end(out)
    return writer.indptr(), writer.in_degree


def _blocks(offsets: Whole) -> Iterator[tuple[int, int]]:
    """Ranges of whole rows that together hold about one chunk of edges."""
    first, n = 0, len(offsets) - 1
    while first < n:
        last = int(np.searchsorted(offsets, int(offsets[first]) + CHUNK, side="right")) - 1
        last = min(n, max(first + 1, last))
        yield first, last
        first = last


def _write_header(out: IO[bytes], size: int) -> None:
    """The head of a `.npy` of int32; NumPy pads it so that it is equally long for any size."""
    header = {"descr": "<i4", "fortran_order": False, "shape": (size,)}
    np.lib.format.write_array_header_1_0(out, header)
