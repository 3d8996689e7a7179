"""From a scan's titles, redirects and links to a table of titles and edges between page ids.

A folder holds the table (see `titles`), `targets.npy` (int32: what each link target of each part
comes to: a row of `page_ids`, or a negative reason) and `resolution.json`, which is removed first
and written last: what was killed is done again with the same bytes.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from shutil import rmtree
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa

from hopsight.errors import StoreError
from hopsight.store.files import storage_errors, sweep, write_atomic
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.graph import CHUNK, Flags, Ids, Indices, row_finder
from hopsight.wiki.resolve.chains import NOWHERE, REASONS, follow
from hopsight.wiki.resolve.streams import NAMES, Streams, open_streams
from hopsight.wiki.resolve.titles import TitleTable
from hopsight.wiki.resolve.writing import TitleFiles, write_titles

FORMAT: Final = 1
_AGAIN: Final = "materialize the asset link_graph again"

_log = logging.getLogger(__name__)


class ScanTables(Protocol):
    """The part of a scan that is resolved; `hopsight.wiki.scan.Scan` has it all."""

    @property
    def site(self) -> SiteInfo:
        """What the export says about its wiki."""

    @property
    def parts(self) -> int:
        """Number of parts; each is read by itself."""

    def pages(self, part: int) -> pa.Table:
        """page_id, namespace, title, redirect, is_list, is_disambiguation."""

    def targets(self, part: int) -> pa.Table:
        """target_id (0 …) and title: the distinct link targets of the part, in normal form."""

    def links(self, part: int) -> pa.Table:
        """source (page id) and target_id of every prose link."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The links of a scan as edges between pages, and the table that resolves titles.

    `articles`, `redirects` and `left_out` (reason → count) say what became of pages and links:
    links to pages that may not be linked, to the page itself, and from pages that are no article.
    """

    titles: TitleTable
    articles: int
    redirects: int
    links: int
    left_out: dict[str, int]
    _scan: ScanTables
    _targets: Indices
    _starts: tuple[int, ...]

    @property
    def page_ids(self) -> Ids:
        """Ids of all articles, lists and disambiguation pages included, ascending."""
        return self.titles.page_ids

    @property
    def filtered(self) -> Flags:
        """For each of `page_ids`, whether it is a list or a disambiguation page."""
        return self.titles.filtered

    def edges(self) -> Iterator[tuple[Ids, Ids]]:
        """Links that may be followed, as chunks of (source ids, target ids)."""
        ids = np.asarray(self.page_ids)
        for sources, codes in _links(self._scan, self._targets, self._starts):
            kept = codes >= 0
            yield sources[kept], ids[codes[kept]]

    @classmethod
    def open(cls, scan: ScanTables, folder: Path) -> "Resolution":
        """A stored resolution of that scan. Raises StoreError if it is missing or damaged."""
        try:
            about = json.loads((folder / "resolution.json").read_text(encoding="utf-8"))
            targets = np.load(folder / "targets.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise StoreError(
                f"{folder} holds no whole resolution of links ({error})", _AGAIN
            ) from error
        if about.pop("format", None) != FORMAT or about.pop("site", None) != _site(scan.site):
            raise StoreError(f"{folder} was made from another scan or by another version", _AGAIN)
        starts = tuple(about.pop("starts"))
        if len(starts) != scan.parts + 1 or starts[-1] != len(targets):
            raise StoreError(f"{folder} does not fit the scan it was made from", _AGAIN)
        return cls(TitleTable.open(folder, scan.site), **about, _scan=scan, _targets=targets,
                   _starts=starts)  # fmt: skip


def resolve(scan: ScanTables, folder: Path, *, memory_limit: str = "2GB") -> Resolution:
    """Resolve every link target of a scan and store the result in `folder`.

    DuckDB sorts and joins the titles within `memory_limit` and spills beside the result; a few
    bytes per title are held beside that. Of several pages of one title the first counts.
    Raises StoreError without memory or space, SourceError if two titles claim one page id.
    """
    work = folder / "work"
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "resolution.json").unlink(missing_ok=True)
        sweep(folder)
        rmtree(work, ignore_errors=True)
        work.mkdir()
    with open_streams(work / "spill", memory_limit) as streams, storage_errors(folder):
        files = write_titles(scan, folder, work, streams)
        starts = _resolve_targets(scan, folder, files, streams)
    rmtree(work)
    targets = np.load(folder / "targets.npy", mmap_mode="r")
    links, left_out = _account(scan, targets, starts, np.load(folder / "page_ids.npy"))
    about: dict[str, Any] = {
        "format": FORMAT,
        "site": _site(scan.site),
        "articles": files.articles,
        "redirects": files.redirects,
        "links": links,
        "left_out": {k: v for k, v in sorted({**files.left_out, **left_out}.items()) if v},
        "starts": starts,
    }
    write_atomic(folder / "resolution.json", (json.dumps(about) + "\n").encode())
    resolution = Resolution.open(scan, folder)
    _log.info(
        "event=links_resolved articles=%d redirects=%d links=%d left_out=%d",
        resolution.articles,
        resolution.redirects,
        links,
        sum(left_out.values()),
    )
    return resolution


def _resolve_targets(
    scan: ScanTables, folder: Path, files: TitleFiles, streams: Streams
) -> tuple[int, ...]:
    """Follow the redirects, then write what every target of every part comes to.

    Redirects' targets and links' targets are looked up by one join: first the former, then the
    latter, are numbered on.
    """
    counts = [scan.targets(part).num_rows for part in range(scan.parts)]
    starts = (0, *np.cumsum(counts, dtype=np.int64).tolist())
    size = len(files.outside)
    found: Indices = np.full(size + starts[-1], -1, dtype=np.int32)
    names = chain(files.redirect_names(), _target_names(scan, starts, size))
    for batch in streams.join(names, files.title_names()):
        found[batch.column("name").to_numpy()] = batch.column("title").to_numpy()
    ends, section = follow(files.titles, files.chains(found[:size]))
    files.write_ends(ends, section)
    codes = TitleTable.open(folder, scan.site).codes()
    # What stands at no title reads the spare last place.
    codes = np.append(codes, np.int32(-NOWHERE))
    np.save(folder / "targets.npy", codes[found[size:]])
    return starts


def _target_names(
    scan: ScanTables, starts: tuple[int, ...], first: int
) -> Iterator[pa.RecordBatch]:
    for part in range(scan.parts):
        table = scan.targets(part).select(["title", "target_id"])
        for batch in table.to_batches(CHUNK):
            number = batch.column("target_id").to_numpy() + np.int32(first + starts[part])
            title = batch.column("title").cast(pa.string())
            yield pa.record_batch([title, pa.array(number)], schema=NAMES)


def _links(
    scan: ScanTables, targets: Indices, starts: tuple[int, ...]
) -> Iterator[tuple[Ids, Indices]]:
    """All links in chunks: source ids and what their targets come to."""
    for part in range(scan.parts):
        codes = np.asarray(targets[starts[part] : starts[part + 1]])
        for batch in scan.links(part).select(["source", "target_id"]).to_batches(CHUNK):
            yield batch.column("source").to_numpy(), codes[batch.column("target_id").to_numpy()]


def _account(
    scan: ScanTables, targets: Indices, starts: tuple[int, ...], page_ids: Ids
) -> tuple[int, dict[str, int]]:
    """The number of links that are kept, and of those left out by reason."""
    find = row_finder(page_ids)
    counts = np.zeros(len(REASONS), dtype=np.int64)
    kept = to_itself = from_elsewhere = 0
    for sources, codes in _links(scan, targets, starts):
        rows = find(sources)
        known = rows >= 0
        counts += np.bincount(-codes[known & (codes < 0)], minlength=len(REASONS))
        to_itself += int(np.count_nonzero(known & (rows == codes)))
        from_elsewhere += int(np.count_nonzero(~known))
        kept += int(np.count_nonzero(known & (codes >= 0) & (rows != codes)))
    left_out = dict(zip(REASONS[1:], counts[1:].tolist(), strict=True))
    left_out["link_to_itself"] = to_itself
    left_out["link_from_page_left_out"] = from_elsewhere
    return kept, left_out


def _site(site: SiteInfo) -> dict[str, Any]:
    """What JSON makes of it: its keys are strings."""
    about: dict[str, Any] = json.loads(json.dumps(asdict(site)))
    return about
