"""Writing the table of titles: sorted by DuckDB, then appended to its files batch by batch."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hopsight.errors import SourceError
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.graph import CHUNK, Flags, Ids, Indices
from hopsight.wiki.resolve.chains import (
    DISAMBIGUATION,
    LIST,
    OTHER_NAMESPACE,
    OTHER_WIKI,
    Redirects,
)
from hopsight.wiki.resolve.streams import NAMES, PAGES, Streams
from hopsight.wiki.resolve.titles import REDIRECT, SECTION
from hopsight.wiki.titles import ARTICLE, FOREIGN, Namespaces

_NO_PAGE: Final = -1
"""In place of the page id of a redirect."""


class PageTables(Protocol):
    """The pages of a scan."""

    @property
    def site(self) -> SiteInfo:
        """What the export says about its wiki."""

    @property
    def parts(self) -> int:
        """Number of parts."""

    def pages(self, part: int) -> pa.Table:
        """page_id, namespace, title, redirect, is_list, is_disambiguation."""


@dataclass(frozen=True, slots=True)
class TitleFiles:
    """The files of the table while it is made. `outside` is one number for each redirect.

    `page_rows` holds for each entry the row of its page, or -1 for a redirect.
    """

    folder: Path
    work: Path
    page_rows: Indices
    entries: Indices
    outside: "np.ndarray[Any, np.dtype[np.int8]]"
    section: Flags
    left_out: dict[str, int]

    @property
    def titles(self) -> int:
        """Number of titles."""
        return len(self.page_rows)

    @property
    def redirects(self) -> int:
        """Number of titles that are redirects."""
        return len(self.entries)

    @property
    def articles(self) -> int:
        """Number of titles that are articles."""
        return self.titles - self.redirects

    def title_names(self) -> Iterator[pa.RecordBatch]:
        """Every title with its number."""
        offsets = np.load(self.folder / "offsets.npy", mmap_mode="r")
        with (self.folder / "titles.bin").open("rb") as text:
            for first in range(0, self.titles, CHUNK):
                last = min(first + CHUNK, self.titles)
                bounds = offsets[first : last + 1]
                data = text.read(int(bounds[-1] - bounds[0]))
                local = (bounds - bounds[0]).astype(np.int32)
                names = pa.StringArray.from_buffers(
                    last - first, pa.py_buffer(local), pa.py_buffer(data)
                )
                yield _numbered(names, first)

    def redirect_names(self) -> Iterator[pa.RecordBatch]:
        """The name that each redirect leads to, with the redirect's number."""
        first = 0
        with pa.ipc.open_stream(self.work / "redirects.arrow") as reader:
            for batch in reader:
                yield _numbered(batch.column(0), first)
                first += batch.num_rows

    def chains(self, found: Indices) -> Redirects:
        """The redirects, where `found` holds the entry that each one leads to."""
        return Redirects(self.entries, found, self.outside, self.section)

    def write_ends(self, ends: Indices, section: Flags) -> None:
        """Write where the entries lead; `ends` are entries or negative reasons."""
        rows = ends.copy()
        inside = ends >= 0
        rows[inside] = self.page_rows[ends[inside]]
        kinds = np.where(section, np.uint8(SECTION), np.uint8(0))
        kinds[self.entries] |= np.uint8(REDIRECT)
        np.save(self.folder / "ends.npy", rows)
        np.save(self.folder / "kinds.npy", kinds)


def write_titles(scan: PageTables, folder: Path, work: Path, streams: Streams) -> TitleFiles:
    """Sort all titles into `titles.bin`; of several pages of one title the first is kept."""
    left_out = {"page_of_other_namespace": 0, "duplicate_title": 0}
    target = _TargetColumns(Namespaces(scan.site))
    ids, barred, lengths = [], [], []
    previous: bytes | None = None
    with (
        (folder / "titles.bin").open("wb") as text,
        pa.OSFile(str(work / "redirects.arrow"), "wb") as sink,
        pa.ipc.new_stream(sink, pa.schema([("name", pa.string())])) as names,
    ):
        for batch in streams.sort(_articles(scan, left_out)):
            fresh = _fresh(batch.column("title"), previous)
            previous = batch.column("title")[-1].as_py().encode()
            rows = batch if fresh.all() else batch.filter(pa.array(fresh))
            left_out["duplicate_title"] += batch.num_rows - rows.num_rows
            lengths.append(_append(rows.column("title"), text))
            ids.append(rows.column("page_id").to_numpy())
            barred.append(rows.column("barred").to_numpy())
            names.write_batch(target.add(rows.column("redirect")))
    np.save(folder / "offsets.npy", np.cumsum(np.concatenate([[0], *lengths]), dtype=np.int64))
    page_of = np.concatenate([np.empty(0, dtype=np.int64), *ids])
    rows_of = _write_pages(folder, page_of, np.concatenate([np.empty(0, dtype=np.int8), *barred]))
    return TitleFiles(
        folder=folder,
        work=work,
        page_rows=rows_of,
        entries=np.flatnonzero(page_of == _NO_PAGE).astype(np.int32),
        outside=np.asarray(target.outside, dtype=np.int8),
        section=np.asarray(target.section, dtype=bool),
        left_out=left_out,
    )


class _TargetColumns:
    """The targets of redirects in normal form, in the order in which they are added."""

    def __init__(self, namespaces: Namespaces) -> None:
        self.outside = bytearray()
        self.section = bytearray()
        self._namespaces = namespaces

    def add(self, redirects: pa.Array) -> pa.RecordBatch:
        """The names that redirects lead to; null stands for an article and is passed over."""
        names = []
        for raw in redirects.drop_null().to_pylist():
            title = self._namespaces.title(raw)
            names.append(title.name)
            self.section.append(bool(title.fragment))
            other = OTHER_WIKI if title.namespace == FOREIGN else OTHER_NAMESPACE
            self.outside.append(0 if title.namespace == ARTICLE else other)
        return pa.record_batch([pa.array(names, pa.string())], names=["name"])


def _articles(scan: PageTables, left_out: dict[str, int]) -> Iterator[pa.RecordBatch]:
    """Pages of the article namespace, numbered in the order of the scan."""
    seq = 0
    for part in range(scan.parts):
        for batch in scan.pages(part).to_batches(CHUNK):
            inside = pc.equal(batch.column("namespace"), ARTICLE)
            rows = batch.filter(inside)
            left_out["page_of_other_namespace"] += batch.num_rows - rows.num_rows
            yield _sortable(rows, seq)
            seq += rows.num_rows


def _sortable(rows: pa.RecordBatch, first: int) -> pa.RecordBatch:
    redirect = rows.column("redirect").cast(pa.string())
    is_article = pc.is_null(redirect)
    barred = pc.if_else(
        rows.column("is_list"),
        pa.scalar(LIST, pa.int8()),
        pc.if_else(
            rows.column("is_disambiguation"),
            pa.scalar(DISAMBIGUATION, pa.int8()),
            pa.scalar(0, pa.int8()),
        ),
    )
    columns = [
        rows.column("title").cast(pa.string()),
        pa.array(np.arange(first, first + rows.num_rows, dtype=np.int64)),
        pc.if_else(is_article, rows.column("page_id"), pa.scalar(_NO_PAGE, pa.int64())),
        barred,
        redirect,
    ]
    return pa.record_batch(columns, schema=PAGES)


def _fresh(titles: pa.Array, previous: bytes | None) -> Flags:
    """Whether each title differs from the one before it."""
    fresh: Flags = np.ones(len(titles), dtype=bool)
    fresh[1:] = pc.not_equal(titles[1:], titles[:-1]).to_numpy(zero_copy_only=False)
    fresh[0] = titles[0].as_py().encode() != previous
    return fresh


def _append(titles: pa.Array, text: IO[bytes]) -> Ids:
    """Append the bytes of titles to a file and give their lengths."""
    _, offsets, data = titles.buffers()
    width = np.int64 if pa.types.is_large_string(titles.type) else np.int32
    bounds = np.frombuffer(offsets, dtype=width)[titles.offset : titles.offset + len(titles) + 1]
    if data is not None:
        text.write(memoryview(data)[int(bounds[0]) : int(bounds[-1])])
    return np.diff(bounds).astype(np.int64)


def _write_pages(
    folder: Path, page_of: Ids, barred: "np.ndarray[Any, np.dtype[np.int8]]"
) -> Indices:
    """Write the pages by ascending id; gives the row of each entry's page, -1 for a redirect."""
    articles = np.flatnonzero(page_of != _NO_PAGE)
    order = articles[np.argsort(page_of[articles], kind="stable")]
    ids = page_of[order]
    twice = np.flatnonzero(ids[1:] == ids[:-1])
    if len(twice):
        raise SourceError(
            f"the scan holds two titles with the page id {ids[twice[0]]}",
            "scan one dump of one wiki, every part of it once",
        )
    rows: Indices = np.full(len(page_of), -1, dtype=np.int32)
    rows[order] = np.arange(len(order), dtype=np.int32)
    np.save(folder / "page_ids.npy", ids)
    np.save(folder / "barred.npy", barred[order])
    return rows


def _numbered(names: pa.Array, first: int) -> pa.RecordBatch:
    number = np.arange(first, first + len(names), dtype=np.int32)
    return pa.record_batch([names, pa.array(number)], schema=NAMES)
