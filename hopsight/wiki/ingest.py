"""A configured source, step by step: scanned whole, its links as graphs, its chosen pages read.

Every step leaves its files in the workspace and takes what the one before it left.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hopsight.config import RoundConfig, SourceConfig
from hopsight.errors import SourceError, StoreError
from hopsight.types import Rejection, SnapshotRecord, content_hash
from hopsight.wiki.api import crawl
from hopsight.wiki.build import build_tables
from hopsight.wiki.graph import LinkGraph, build_graphs_of
from hopsight.wiki.images import (
    NO_CREDIT,
    Credit,
    Pictures,
    file_credit,
    file_key,
    picture_files,
    read_sidecar,
)
from hopsight.wiki.resolve import Resolution, resolve
from hopsight.wiki.scan import Scan, scan_dump
from hopsight.wiki.select import Selection, SelectRules, select_pages
from hopsight.wiki.sources import SourceFiles, source_files, source_identity, source_name
from hopsight.wiki.sql import in_degrees
from hopsight.wiki.tables import SnapshotTables
from hopsight.wiki.titles import FILE, Namespaces
from hopsight.wiki.walks import WalkRules
from hopsight.workspace import Workspace

SCAN_STAGE = "wiki_scan"
GRAPH_STAGE = "link_graph"
SNAPSHOT_STAGE = "wiki_snapshot"

NOT_SELECTED: Final = "page_not_selected"
LINK_REASONS: Final = frozenset(
    "redirect_cycle link_to_other_wiki link_to_other_namespace link_to_nowhere link_to_list "
    "link_to_disambiguation link_to_itself link_from_page_left_out".split()
)
"""Why a link of the scan is no edge; other reasons of a resolution count titles."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """A scan, and what it left out: one rejection a reason, with its count, and what a crawl of
    the wiki could not take."""

    scan: Scan
    rejected: tuple[Rejection, ...]

    @property
    def pages_left_out(self) -> dict[str, int]:
        """Pages of the export that are in no table, by reason."""
        return {k: v for k, v in self.scan.left_out.items() if not k.startswith("link_")}


@dataclass(frozen=True, slots=True)
class Graphs:
    """The links of a wiki. `in_degree_counts` says what in-degrees count: prose or pagelinks."""

    resolution: Resolution
    full: LinkGraph
    pruned: LinkGraph
    in_degree_counts: str
    rejected: tuple[Rejection, ...]

    @property
    def links_left_out(self) -> dict[str, int]:
        """Links of the scan that are no edge, by reason; of equal ones the first is the edge."""
        left_out = self.resolution.left_out
        counts = {k: v for k, v in left_out.items() if k in LINK_REASONS}
        counts["link_repeated"] = self.resolution.links - self.full.edges
        return {reason: count for reason, count in counts.items() if count}


@dataclass(frozen=True, slots=True)
class Selected:
    """The pages that were read closely, as tables, and how they were chosen."""

    tables: SnapshotTables
    selection: Selection

    @property
    def pages_left_out(self) -> dict[str, int]:
        """Articles that were not read closely."""
        left = self.tables.entered - len(self.selection.page_ids)
        return {NOT_SELECTED: left} if left else {}


def scan_source(source: SourceConfig, workspace: Workspace, workers: int) -> Scanned:
    """Scan every byte of the source; an API source is crawled first, or the crawl finished."""
    refused: list[Rejection] = []
    if source.api is not None:
        refused = _crawl_rejections(crawl(source.api, workspace.crawl).rejections)
    files = source_files(source, workspace.crawl)
    scan = scan_dump(files.dump, workspace.scan, workers=workers)
    return Scanned(scan, (*refused, *_counted(SCAN_STAGE, scan.left_out)))


def build_links(source: SourceConfig, workspace: Workspace, max_hub_in_degree: int) -> Graphs:
    """Resolve the scan's links and store the graphs. Raises SourceError without an article."""
    scan, files = _scan_of(source, workspace), source_files(source, workspace.crawl)
    resolution = resolve(scan, workspace.titles)
    if not resolution.articles:
        raise SourceError(
            f"{files.dump[0]} holds no article: {scan.entered} pages, all of them redirects or of "
            "other namespaces",
            "give an export that holds pages of the article namespace",
        )
    in_degree, left_out = None, dict(resolution.left_out)
    left_out.pop("page_of_other_namespace", None)  # pages of files: the scan kept them for credits
    sql = files.sql
    if sql is not None:
        in_degree, reasons = in_degrees(sql, resolution.page_ids)
        left_out |= {f"pagelinks_{reason}": count for reason, count in reasons.items()}
    full, pruned = build_graphs_of(resolution, workspace.graph, max_hub_in_degree, in_degree)
    return Graphs(resolution, full, pruned, _counts(source), _counted(GRAPH_STAGE, left_out))


def open_links(source: SourceConfig, workspace: Workspace) -> Graphs:
    """The stored graphs. Raises StoreError where they are missing."""
    resolution = Resolution.open(_scan_of(source, workspace), workspace.titles)
    full = LinkGraph.open(workspace.graph / "full")
    pruned = LinkGraph.open(workspace.graph / "pruned")
    return Graphs(resolution, full, pruned, _counts(source), ())


def read_selected(config: RoundConfig, workspace: Workspace, graphs: Graphs) -> Selected:
    """Choose pages and parse them with the full parser."""
    scan = Scan.open(workspace.scan)
    chosen = select_pages(
        scan, graphs.resolution, graphs.full, graphs.pruned, select_rules(config), config.seed
    )
    if not len(chosen.page_ids):
        raise SourceError(
            f"no page of {graphs.resolution.articles:,} was chosen: {chosen.counts}",
            "raise source.select.max_pages or walks, or ask less of a seed in seed_entities",
        )
    in_degree, ids, closed = graphs.full.in_degree, graphs.resolution.page_ids, chosen.closed
    files = source_files(config.source, workspace.crawl)
    tables = build_tables(
        scan.read_pages(chosen.page_ids.tolist()),
        scan.site,
        graphs.resolution.titles,
        in_degree=lambda page_id: int(in_degree[np.searchsorted(ids, page_id)]),
        closed=lambda page_id: _holds(closed, page_id),
        pictures=_pictures(files, scan),
        images=workspace.images,
        entered=graphs.resolution.articles,
        in_degree_counts=graphs.in_degree_counts,
    )
    left = Selected(tables, chosen).pages_left_out
    return Selected(tables.with_rejected(_counted(SNAPSHOT_STAGE, left)), chosen)


def same_source(config: RoundConfig, stored: SnapshotRecord) -> bool:
    """Whether a stored snapshot was read from the round's source."""
    source = config.source
    named = (source.kind, source_name(source), source.version)
    same_name = (stored.source, stored.dump, stored.version) == named
    return same_name and stored.identity == source_identity(source)


def choice(config: RoundConfig, articles: int) -> str:
    """What tells apart the pages that two rounds choose from a wiki; "" where all are taken."""
    if articles <= config.source.select.all_below:
        return ""
    parts = (config.source.select, config.seed_entities, config.explore)
    return content_hash([config.seed, *(part.model_dump(mode="json") for part in parts)])


def select_rules(config: RoundConfig) -> SelectRules:
    """How pages are chosen in this round."""
    select, seeds = config.source.select, config.seed_entities
    # A walk of one link shows nothing that longer ones do not.
    hops = {length: weight for length, weight in config.explore.hops.items() if length > 1}
    return SelectRules(
        all_below=select.all_below,
        max_pages=select.max_pages,
        max_neighbours=select.max_neighbours,
        min_in_degree=seeds.min_in_degree,
        max_in_degree=seeds.max_in_degree,
        walks=WalkRules(hops or {2: 1.0}, select.walks, config.explore.retries),
    )


def _scan_of(source: SourceConfig, workspace: Workspace) -> Scan:
    """The stored scan. Raises StoreError where there is none, or one of another source."""
    scan = Scan.open(workspace.scan)
    if not scan.is_of(source_files(source, workspace.crawl).dump):
        raise StoreError(
            f"{workspace.scan} holds the scan of another source than {source_name(source)}",
            "materialize wiki_scan, link_graph, wiki_snapshot and search_index again",
        )
    return scan


def _counts(source: SourceConfig) -> str:
    """What in-degrees count: links in prose, or all that the wiki's own table lists."""
    return "prose" if source.sql is None else "pagelinks"


def _pictures(files: SourceFiles, scan: Scan) -> Pictures | None:
    """The pictures at hand; what a file's own page says of it is read from the scan."""
    if files.pictures is None:
        return None
    rows = () if files.sidecar is None else read_sidecar(files.sidecar)
    told = {file_key(row.file) for row in rows if row.license and row.author}
    asked = picture_files(files.pictures).keys() - told
    credits_ = _credits(scan, frozenset(asked)) if asked else {}
    return Pictures.of_folder(
        files.pictures, rows, lambda key: credits_.get(key, NO_CREDIT), scan.site.base
    )


def _credits(scan: Scan, asked: frozenset[str]) -> dict[str, Credit]:
    namespaces = Namespaces(scan.site)
    ids = [page_id for page_id, title in _file_pages(scan) if file_key(title) in asked]
    return {
        file_key(namespaces.title(page.title).name): file_credit(page.text, namespaces)
        for page in scan.read_pages(ids)
    }


def _file_pages(scan: Scan) -> Iterator[tuple[int, str]]:
    """Id and title, without its namespace, of every page of a file."""
    namespaces = Namespaces(scan.site)
    for part in range(scan.parts):
        table = scan.pages(part).select(["page_id", "namespace", "title"])
        for row in table.filter(table["namespace"].to_numpy() == FILE).to_pylist():
            yield row["page_id"], namespaces.title(row["title"]).name


def _holds(ids: "np.ndarray[tuple[int], np.dtype[np.int64]]", page_id: int) -> bool:
    """Whether an id is among ascending ones."""
    place = int(np.searchsorted(ids, page_id))
    return place < len(ids) and int(ids[place]) == page_id


def _counted(stage: str, left_out: dict[str, int]) -> tuple[Rejection, ...]:
    """One rejection for each reason, with how often it happened."""
    return tuple(
        Rejection(
            record_id=f"wiki:{stage}:{reason}", stage=stage, reason=reason, detail=f"{count:,}"
        )
        for reason, count in sorted(left_out.items())
        if count
    )


def _crawl_rejections(path: Path) -> list[Rejection]:
    rows: Iterable[dict[str, str]] = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Rejection(
            record_id=f"wiki:title:{row['subject']}",
            stage=SCAN_STAGE,
            reason=row["reason"],
            detail=row["detail"],
        )
        for row in rows
    ]
