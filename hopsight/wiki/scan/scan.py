"""A finished scan in its folder: tables by part, and pages by their ids."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pydantic import ValidationError

from hopsight.errors import SourceError, StoreError
from hopsight.store.files import storage_errors
from hopsight.wiki.dump import RawPage, SiteInfo, read_site
from hopsight.wiki.scan.fetch import read_at
from hopsight.wiki.scan.records import ScanDone, ScanSource, SourceFile
from hopsight.wiki.scan.run import DONE, SITE, SOURCE, Progress, scan_files
from hopsight.wiki.scan.streams import Chunk, plan_chunks
from hopsight.wiki.scan.work import piece_path, streams_path


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan found. A *part* is a piece of the export, in its order; parts count from 0.

    `entered` is the number of pages of the export: those in the tables and those in `left_out`
    under a reason of pages (page_of_other_namespace, page_too_large, page_malformed, invalid_utf8,
    duplicate_page). The other reasons count links: link_to_other_namespace, link_to_other_wiki,
    link_to_own_section, link_malformed.
    """

    folder: Path
    site: SiteInfo
    entered: int
    left_out: dict[str, int]
    _source: ScanSource
    _pieces: tuple[tuple[int, int], ...]
    _duplicates: dict[int, list[int]] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path) -> "Scan":
        """Raises StoreError if the folder holds no finished scan."""
        try:
            done = ScanDone.model_validate_json((folder / DONE).read_bytes())
            source = ScanSource.model_validate_json((folder / SOURCE).read_bytes())
            site = read_site(folder / SITE)
        except (OSError, ValidationError, SourceError) as error:
            raise StoreError(
                f"{folder} holds no finished scan ({type(error).__name__})", "scan the dump again"
            ) from error
        duplicates: dict[int, list[int]] = {}
        for part, row in done.duplicates:
            duplicates.setdefault(part, []).append(row)
        pieces = tuple(
            (chunk, piece) for chunk, count in enumerate(done.pieces) for piece in range(count)
        )
        return cls(folder, site, done.entered, done.left_out, source, pieces, duplicates)

    def is_of(self, paths: Sequence[Path]) -> bool:
        """Whether these are the files that were scanned, as they were. Raises SourceError."""
        try:
            return tuple(map(SourceFile.of, paths)) == self._source.files
        except OSError as error:
            raise SourceError(f"the export cannot be read ({error})", "put it back") from error

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self._pieces)

    def pages(self, part: int) -> pa.Table:
        """The articles, redirects and file pages of a part, in the order of the export.

        Columns: page_id, namespace (0 or 6), title, revision, redirect (the target with its
        section, or null), is_list, is_disambiguation, infobox (its kind or null), picture (name of
        the page's first file or null), offset (for this package alone), length (bytes of
        wikitext), links (rows of `links` that are the page's). A page whose id came before is left
        out; two pages of one title are not told apart here.
        """
        table = self._table(part, "pages")
        return table.filter(pa.array(self._kept(part, len(table))))

    def targets(self, part: int) -> pa.Table:
        """The distinct link targets of a part in normal form: target_id (0, 1, …), title."""
        return self._table(part, "targets")

    def links(self, part: int) -> pa.Table:
        """The links in prose of a part, in the order of pages and text.

        Columns: source (page id), target_id, offset (bytes into the page's wikitext as UTF-8).
        """
        table = self._table(part, "links")
        if part not in self._duplicates:
            return table
        counts = self._table(part, "pages")["links"].to_numpy()
        return table.filter(pa.array(np.repeat(self._kept(part, len(counts)), counts)))

    def read_pages(self, ids: Collection[int]) -> Iterator[RawPage]:
        """The pages with these ids, in the order of the files; ids without a page give none.

        Plain XML and bz2 with many streams are read where the pages lie, other files in one pass.
        Raises SourceError if a file is missing or is no longer the one that was scanned.
        """
        wanted = np.fromiter(ids, np.int64, len(ids))
        chunks = self._chunks()
        offsets: dict[int, list[int]] = {}
        for part, (chunk, _) in enumerate(self._pieces):
            table = self._table(part, "pages", ["page_id", "offset"])
            found = np.isin(table["page_id"].to_numpy(), wanted) & self._kept(part, len(table))
            offsets.setdefault(chunk, []).extend(table["offset"].to_numpy()[found].tolist())
        for chunk, places in sorted(offsets.items()):
            if places:
                yield from read_at(chunks[chunk], self._streams(chunk), places)

    def _chunks(self) -> Sequence[Chunk]:
        files = self._source.files
        for known in files:
            try:
                same = SourceFile.of(Path(known.path)) == known
            except OSError:
                same = False
            if not same:
                raise SourceError(
                    f"{known.path} is not there any more, or not as it was scanned",
                    "put the file back, or scan the dump again",
                )
        return plan_chunks(
            [Path(known.path) for known in files],
            plain_chunk=self._source.plain_chunk,
            bz2_chunk=self._source.bz2_chunk,
        )

    def _streams(self, chunk: int) -> NDArray[np.int64]:
        table = _read(streams_path(self.folder, chunk))
        return np.column_stack([table["file_offset"].to_numpy(), table["offset"].to_numpy()])

    def _table(self, part: int, kind: str, columns: list[str] | None = None) -> pa.Table:
        chunk, piece = self._pieces[part]
        return _read(piece_path(self.folder, chunk, piece, kind), columns)

    def _kept(self, part: int, rows: int) -> NDArray[np.bool_]:
        kept = np.ones(rows, bool)
        kept[self._duplicates.get(part, [])] = False
        return kept


def _read(path: Path, columns: list[str] | None = None) -> pa.Table:
    try:
        with storage_errors(path):
            return pq.read_table(path, columns=columns)
    except pa.ArrowInvalid as error:
        raise StoreError(f"{path} is damaged ({error})", "scan the dump again") from error


def scan_dump(
    paths: Sequence[Path], folder: Path, *, workers: int = 1, progress: Progress | None = None
) -> Scan:
    """Scan every byte of an export: its part files in order, plain XML, bz2 or zstd.

    Large files are cut into chunks, `workers` processes scan them, and `progress` is told how many
    of all are done. What was done before is kept: a run that was killed goes on, and the bytes are
    the same whatever the number of workers or kills. Other files start the folder anew.

    Raises SourceError (missing, cut or damaged file, no export) and StoreError (disk full, locked).
    """
    scan_files(paths, folder, workers=workers, progress=progress)
    return Scan.open(folder)
