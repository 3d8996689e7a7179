"""Wiki: the snapshot that everything is made from, its link graph, and search over it.

These are not partitioned: a snapshot serves every round that names its source.
"""

from typing import Any

import dagster as dg

from assets.preview import text_preview
from assets.wiring import Made, run_snapshot_stage
from assets.workspace import WorkspaceResource
from hopsight.config import RoundConfig
from hopsight.harness.backends.build import build_local_index
from hopsight.types import SnapshotRecord
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.graph import build_graphs
from hopsight.wiki.sources import source_files
from hopsight.wiki.tables import read_tables
from hopsight.workspace import Workspace


@dg.asset(group_name="wiki", kinds={"parquet"})
def wiki_snapshot(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Pages, links in prose, names, facts with the sentences that state them, and pictures."""
    return run_snapshot_stage(context, workspace, _read_source)


@dg.asset(deps=[wiki_snapshot], group_name="wiki", kinds={"numpy"})
def link_graph(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Who links to whom, as memory-mapped arrays: one for walking, one for finding shortcuts."""
    return run_snapshot_stage(context, workspace, _build_graph)


@dg.asset(deps=[wiki_snapshot], group_name="wiki", kinds={"tantivy"})
def search_index(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """What agents search: text, names of pictures, and pictures by their pixels."""
    return run_snapshot_stage(context, workspace, _build_index)


def _read_source(workspace: Workspace, config: RoundConfig) -> Made:
    files = source_files(config.source)
    dump_hash, pictures_hash = files.hashes()
    tables = build_snapshot(files.dump, files.pictures, files.sidecar, workspace.images)
    snapshot = SnapshotRecord(
        source=files.kind,
        dump=files.dump.name,
        dump_sha256=dump_hash,
        pictures_sha256=pictures_hash,
        pages=len(tables.pages),
    )
    return Made(
        stage="wiki_snapshot",
        entered=tables.entered,
        kept=len(tables.pages),
        rejected=tables.rejected,
        outputs={
            "pages": tables.pages,
            "links": tables.links,
            "aliases": tables.aliases,
            "facts": tables.facts,
            "page_images": tables.images,
            "snapshots": (snapshot,),
        },
        preview=text_preview([page.lead for page in tables.pages]),
        extra={
            "links": len(tables.links),
            "facts": len(tables.facts),
            "facts with evidence": sum(fact.evidence is not None for fact in tables.facts),
            "pictures": len(tables.images),
            "in-degree counts": tables.in_degree_counts,
        },
    )


def _build_graph(workspace: Workspace, config: RoundConfig) -> Made:
    tables = read_tables(workspace.store)
    full, pruned = build_graphs(tables, workspace.graph, config.explore.max_hub_in_degree)
    return Made(
        stage="link_graph",
        entered=full.edges,
        kept=full.edges,
        rejected=(),
        outputs={},
        extra={"nodes": full.nodes, "edges": full.edges, "edges for walking": pruned.edges},
    )


def _build_index(workspace: Workspace, config: RoundConfig) -> Made:
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
