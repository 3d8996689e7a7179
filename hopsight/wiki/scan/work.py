"""The scan of one chunk: from its bytes to the files of its pieces and its note."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hopsight.store.files import write_atomic
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.scan.columns import (
    STREAMS,
    PageColumns,
    links_table,
    targets_table,
    write_table,
)
from hopsight.wiki.scan.links import LinkScanner, PageMarks
from hopsight.wiki.scan.pages import Escapes, FoundPage, LostPage, pages_of
from hopsight.wiki.scan.records import ChunkDone
from hopsight.wiki.scan.rules import xml
from hopsight.wiki.scan.splitter import Block, Splitter
from hopsight.wiki.scan.streams import Chunk, ChunkReader
from hopsight.wiki.titles import ARTICLE, FILE, Namespaces, redirect_target

_FIRST_LINK: Final = re.compile(rb"\s*#[^\[\n]*\[\[([^\[\]{}|\n]*)")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of XML: of one piece of output, about, and of the largest page that is read."""

    piece_bytes: int
    max_page: int


def note_path(folder: Path, chunk: int) -> Path:
    """Where the note of a finished chunk lies."""
    return folder / "chunks" / f"{chunk:05d}.json"


def piece_path(folder: Path, chunk: int, piece: int, kind: str) -> Path:
    """Where a piece's table of that kind (pages, targets, links) lies."""
    return folder / "parts" / f"{chunk:05d}-{piece:04d}.{kind}.parquet"


def streams_path(folder: Path, chunk: int) -> Path:
    """Where the places lie from which a chunk can be read."""
    return folder / "parts" / f"{chunk:05d}.streams.parquet"


def scan_chunk(chunk: Chunk, site: SiteInfo, folder: Path, limits: Limits) -> ChunkDone:
    """Scan one chunk, write its pieces, then its note.

    Raises SourceError (cut or damaged file) and StoreError (disk full).
    """
    work = _Work(chunk, Namespaces(site), folder, limits)
    with ChunkReader(chunk) as reader:
        splitter = Splitter(reader, limits.max_page)
        for block in splitter.blocks():
            work.block(block)
        work.close()
        starts = np.asarray(reader.streams, np.int64).reshape(-1, 2)
        columns = [pa.array(starts[:, 0]), pa.array(starts[:, 1])]
        write_table(
            pa.Table.from_arrays(columns, schema=STREAMS), streams_path(folder, chunk.index)
        )
        assert reader.own is not None
        done = ChunkDone(
            chunk=chunk.index,
            pieces=work.pieces,
            own=reader.own,
            lead=splitter.lead,
            end=splitter.end,
            entered=work.entered,
            rows=work.rows,
            left_out=dict(sorted((work.left_out + work.links.left_out).items())),
        )
    write_atomic(note_path(folder, chunk.index), done.model_dump_json(indent=1).encode())
    return done


class _Work:
    """The pieces of a chunk, one after the other."""

    def __init__(self, chunk: Chunk, namespaces: Namespaces, folder: Path, limits: Limits) -> None:
        self._chunk = chunk
        self._namespaces = namespaces
        self._folder = folder
        self._limits = limits
        self.links = LinkScanner(namespaces)
        self.left_out: Counter[str] = Counter()
        self.entered = self.rows = self.pieces = 0
        self._start_piece()

    def _start_piece(self) -> None:
        self.links.clear()
        self._pages = PageColumns()
        self._offsets: list[NDArray[np.int64]] = []
        self._bytes = 0

    def block(self, block: Block) -> None:
        """Take in the pages of a block."""
        self._bytes += len(block.data)
        escapes = Escapes(block.data)
        found: list[FoundPage] = []
        for page in pages_of(block, escapes, self._chunk.path, max_page=self._limits.max_page):
            self.entered += 1
            if isinstance(page, LostPage):
                self.left_out[page.reason] += 1
            elif page.namespace not in (ARTICLE, FILE):
                self.left_out["page_of_other_namespace"] += 1
            elif page.buffer is block.data:
                self._page(page)
                found.append(page)
            else:
                # A buffer of its own: the pages before it must have their offsets first.
                self._locate(found, escapes)
                self._page(page)
                self._locate([page], Escapes(page.buffer))
                found = []
        self._locate(found, escapes)
        if self._bytes >= self._limits.piece_bytes:
            self.close()

    def _page(self, page: FoundPage) -> None:
        before = len(self.links.numbers)
        marks = PageMarks()
        redirect = page.redirect
        if redirect is not None:
            redirect = self._with_section(redirect, page)
        elif page.namespace == ARTICLE:
            marks = self.links.scan(page.buffer, page.start, page.end)
        self._pages.add(page, redirect, marks, len(self.links.numbers) - before)
        self.rows += 1

    def _with_section(self, redirect: str, page: FoundPage) -> str:
        """The target with its section, which an export gives in the wikitext alone."""
        match = _FIRST_LINK.match(page.buffer, page.start, page.end)
        if match is None:
            return redirect
        return redirect_target(redirect, xml(match[1].decode()), self._namespaces)

    def _locate(self, pages: list[FoundPage], escapes: Escapes) -> None:
        """Lengths of the last pages and offsets of their links, in bytes of wikitext."""
        if not pages:
            return
        starts = np.array([page.start for page in pages], np.int64)
        ends = np.array([page.end for page in pages], np.int64)
        origin = escapes.plain(starts)
        self._pages.length.extend((escapes.plain(ends) - origin).tolist())
        counts = np.asarray(self._pages.links[-len(pages) :])
        positions = np.fromiter(self.links.positions, np.int64, len(self.links.positions))
        self._offsets.append(escapes.plain(positions) - np.repeat(origin, counts))
        del self.links.positions[:]

    def close(self) -> None:
        """Write the piece, if there is anything in it."""
        if not self._pages.title:
            return
        names, numbers = self.links.targets.normal()
        targets = numbers[np.fromiter(self.links.numbers, np.int64, len(self.links.numbers))]
        tables = {
            "pages": self._pages.table(),
            "targets": targets_table(names),
            "links": links_table(self._pages, targets, self._offsets),
        }
        for kind, table in tables.items():
            write_table(table, piece_path(self._folder, self._chunk.index, self.pieces, kind))
        self.pieces += 1
        self._start_piece()
