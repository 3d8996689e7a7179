"""What a scan writes of one piece of a part: pages, link targets and links as Parquet."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hopsight.store.files import write_atomic
from hopsight.wiki.scan.links import PageMarks
from hopsight.wiki.scan.pages import FoundPage
from hopsight.wiki.titles import is_disambiguation, is_list

PAGES: Final = pa.schema(
    [
        ("page_id", pa.int64()),
        ("namespace", pa.int32()),
        ("title", pa.string()),
        ("revision", pa.int64()),
        ("redirect", pa.string()),
        ("is_list", pa.bool_()),
        ("is_disambiguation", pa.bool_()),
        ("infobox", pa.string()),
        ("picture", pa.string()),
        ("offset", pa.int64()),
        ("length", pa.int32()),
        ("links", pa.int32()),
    ]
)
TARGETS: Final = pa.schema([("target_id", pa.int32()), ("title", pa.string())])
LINKS: Final = pa.schema(
    [("source", pa.int64()), ("target_id", pa.int32()), ("offset", pa.int32())]
)
STREAMS: Final = pa.schema([("file_offset", pa.int64()), ("offset", pa.int64())])

_ROWS: Final = 1 << 18


@dataclass(slots=True)
class PageColumns:
    """Rows of `PAGES` under construction."""

    page_id: "array[int]" = field(default_factory=lambda: array("q"))
    namespace: "array[int]" = field(default_factory=lambda: array("i"))
    title: list[str] = field(default_factory=list)
    revision: "array[int]" = field(default_factory=lambda: array("q"))
    redirect: list[str | None] = field(default_factory=list)
    is_list: list[bool] = field(default_factory=list)
    is_disambiguation: list[bool] = field(default_factory=list)
    infobox: list[str | None] = field(default_factory=list)
    picture: list[str | None] = field(default_factory=list)
    offset: "array[int]" = field(default_factory=lambda: array("q"))
    length: "array[int]" = field(default_factory=lambda: array("i"))
    links: "array[int]" = field(default_factory=lambda: array("i"))

    def add(self, page: FoundPage, redirect: str | None, marks: PageMarks, links: int) -> None:
        """Add a page with `links` links; its `length` is set later."""
        self.page_id.append(page.page_id)
        self.namespace.append(page.namespace)
        self.title.append(page.title)
        self.revision.append(page.revision)
        self.redirect.append(redirect)
        article = redirect is None
        self.is_list.append(article and is_list(page.title))
        apart = marks.is_disambiguation or is_disambiguation(page.title, "")
        self.is_disambiguation.append(article and apart)
        self.infobox.append(marks.infobox)
        self.picture.append(marks.picture)
        self.offset.append(page.offset)
        self.links.append(links)

    def table(self) -> pa.Table:
        """The rows so far."""
        columns = []
        for spec in PAGES:
            values = getattr(self, spec.name)
            numbers = np.asarray(values) if isinstance(values, array) else values
            columns.append(pa.array(numbers, spec.type))
        return pa.Table.from_arrays(columns, schema=PAGES)


def links_table(
    pages: PageColumns, targets: NDArray[np.int32], offsets: Iterable[NDArray[np.int64]]
) -> pa.Table:
    """Links in the order of their pages; offsets as they were gathered, block by block."""
    sources = np.repeat(np.asarray(pages.page_id), np.asarray(pages.links))
    where = np.concatenate([np.empty(0, np.int64), *offsets]).astype(np.int32)
    return pa.Table.from_arrays(
        [pa.array(sources), pa.array(targets), pa.array(where)],
        schema=LINKS,
    )


def targets_table(names: Iterable[str]) -> pa.Table:
    """Distinct targets with their numbers."""
    titles = pa.array(list(names), pa.string())
    numbers = pa.array(np.arange(len(titles), dtype=np.int32))
    return pa.Table.from_arrays([numbers, titles], schema=TARGETS)


def write_table(table: pa.Table, path: Path) -> None:
    """One Parquet file, whole or not at all; equal tables give equal bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        compression="zstd",
        compression_level=1,
        use_dictionary=False,
        write_statistics=False,
        row_group_size=_ROWS,
    )
    write_atomic(path, bytes(sink.getvalue()))
