"""Wiki: the snapshot that everything is made from, its link graph, and search over it.

These are not partitioned: a snapshot serves every round that names its source.
"""

from collections import Counter
from typing import Any

import dagster as dg

from assets.plots import degree_plot, strata_plot
from assets.preview import page_preview, table
from assets.wiring import Made, Round, run_snapshot_stage
from assets.workspace import WorkspaceResource
from hopsight.harness.backends.build import build_local_index
from hopsight.types import SnapshotRecord
from hopsight.wiki import ingest
from hopsight.wiki.select import Selection
from hopsight.wiki.sources import source_files, source_identity, source_name
from hopsight.wiki.tables import SnapshotTables, read_tables


@dg.asset(group_name="wiki", kinds={"parquet"})
def wiki_scan(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Titles, redirects and links in prose of the whole wiki, from one fast pass over its bytes."""
    return run_snapshot_stage(context, workspace, _scan)


@dg.asset(deps=[wiki_scan], group_name="wiki", kinds={"numpy"})
def link_graph(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Who links to whom, as memory-mapped arrays: one for walking, one for finding shortcuts."""
    return run_snapshot_stage(context, workspace, _build_graph)


@dg.asset(deps=[link_graph], group_name="wiki", kinds={"parquet"})
def wiki_snapshot(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Pages read closely: names, links with their sentences, facts with evidence, pictures."""
    return run_snapshot_stage(context, workspace, _read_pages)


@dg.asset(deps=[wiki_snapshot], group_name="wiki", kinds={"tantivy"})
def search_index(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """What agents search: text, names of pictures, and pictures by their pixels."""
    return run_snapshot_stage(context, workspace, _build_index)


def _scan(round_: Round) -> Made:
    scanned = ingest.scan_source(round_.config.source, round_.workspace, round_.workers)
    scan = scanned.scan
    kept = sum(scan.pages(part).num_rows for part in range(scan.parts))
    return Made(
        stage=ingest.SCAN_STAGE,
        entered=scan.entered,
        kept=kept,
        rejected=scanned.rejected,
        reasons=scanned.pages_left_out,
        outputs={},
        extra={
            "wiki": scan.site.name,
            "parts": scan.parts,
            "links in prose": sum(scan.links(part).num_rows for part in range(scan.parts)),
        },
    )


def _build_graph(round_: Round) -> Made:
    hub = round_.config.explore.max_hub_in_degree
    graphs = ingest.build_links(round_.config.source, round_.workspace, hub)
    full, pruned = graphs.full, graphs.pruned
    return Made(
        stage=ingest.GRAPH_STAGE,
        entered=full.edges + sum(graphs.links_left_out.values()),
        kept=full.edges,
        rejected=graphs.rejected,
        reasons=graphs.links_left_out,
        outputs={},
        preview=degree_plot(full.in_degree, hub),
        extra={
            "articles": full.nodes,
            "redirects": graphs.resolution.redirects,
            "edges": full.edges,
            "edges for walking": pruned.edges,
            "in-degree counts": graphs.in_degree_counts,
        },
    )


def _read_pages(round_: Round) -> Made:
    config, workspace = round_.config, round_.workspace
    graphs = ingest.open_links(config.source, workspace)
    selected = ingest.read_selected(config, workspace, graphs)
    tables = selected.tables
    dump_hash, pictures_hash = source_files(config.source, workspace.crawl).hashes()
    snapshot = SnapshotRecord(
        source=config.source.kind,
        version=config.source.version,
        dump=source_name(config.source),
        identity=source_identity(config.source),
        dump_sha256=dump_hash,
        pictures_sha256=pictures_hash,
        articles=graphs.resolution.articles,
        pages=len(tables.pages),
        choice=ingest.choice(config, graphs.resolution.articles),
        in_degree_counts=tables.in_degree_counts,
    )
    return Made(
        stage=ingest.SNAPSHOT_STAGE,
        entered=tables.entered,
        kept=len(tables.pages),
        rejected=tables.rejected,
        reasons=tables.reasons() | selected.pages_left_out,
        outputs={
            "pages": tables.pages,
            "links": tables.links,
            "aliases": tables.aliases,
            "facts": tables.facts,
            "page_images": tables.images,
            "snapshots": (snapshot,),
        },
        preview=page_preview(tables.pages, tables.images, workspace.images),
        extra={
            "links": len(tables.links),
            "facts": len(tables.facts),
            "facts with evidence": sum(fact.evidence is not None for fact in tables.facts),
            "pictures": len(tables.images),
            "in-degree counts": tables.in_degree_counts,
            **_strata(tables, selected.selection),
        },
    )


def _strata(tables: SnapshotTables, selection: Selection) -> dict[str, Any]:
    """Pages by domain with and without a picture; of a large wiki, what its walks gave."""
    pictured = {image.page_id for image in tables.images}
    pages = Counter(str(page.domain) for page in tables.pages if page.domain is not None)
    shown = Counter(
        str(page.domain) for page in tables.pages if page.domain and page.page_id in pictured
    )
    bars = {name: (shown[name], count) for name, count in sorted(pages.items())}
    told: dict[str, Any] = {}
    if bars:
        plot = strata_plot(bars, ("with a picture", "all"))
        told["pages by domain"] = dg.MetadataValue.md(plot)
    if selection.yields:
        header = ("stratum", "walks asked", "found", "dropped", "rejected tries")
        rows = [
            (name, each.asked, each.found, each.dropped, sum(each.rejected.values()))
            for name, each in sorted(selection.yields.items())
        ]
        told["walks"] = dg.MetadataValue.md(table(header, rows))
        told["selection"] = dg.MetadataValue.md(
            table(("what", "count"), sorted(selection.counts.items()))
        )
    return told


def _build_index(round_: Round) -> Made:
    workspace = round_.workspace
    tables = read_tables(workspace.store)
    build_local_index(
        tables.pages,
        tables.links,
        tables.facts,
        tables.aliases,
        tables.images,
        workspace.images.bytes,
        workspace.index,
    )
    return Made(
        stage="search_index",
        entered=len(tables.pages),
        kept=len(tables.pages),
        rejected=(),
        outputs={},
        extra={"pictures": len(tables.images)},
    )
