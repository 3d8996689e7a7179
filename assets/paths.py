"""Paths: where questions start and which way they go."""

from typing import Any

import dagster as dg

from assets.preview import text_preview
from assets.wiki import wiki_snapshot
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation import paths as walking
from curation.recipe import draw_seeds, path_rules
from hopsight.errors import SourceError
from hopsight.types import Page


@dg.asset(
    deps=[wiki_snapshot, "round_config"],
    partitions_def=PARTITIONS,
    group_name="paths",
    kinds={"parquet"},
)
def seed_entities(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Pages with a picture that a question may start from, drawn over five kinds of things."""
    return run_stage(context, workspace, _draw_seeds)


@dg.asset(
    deps=[seed_entities],
    partitions_def=PARTITIONS,
    group_name="paths",
    kinds={"parquet"},
)
def link_paths(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Walks of two to four links, each link stated by a sentence, ending at a short fact."""
    return run_stage(context, workspace, _walk)


def _draw_seeds(round_: Round) -> Made:
    drawn = draw_seeds(round_.snapshot(), round_.config)
    if not drawn.kept:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in drawn.reasons().items())
        raise SourceError(
            f"no page of the wiki can be a seed: {reasons}",
            "give a source with pictures and infoboxes, or ask less of a seed in seed_entities",
        )
    shown = text_preview([f"{page.title} ({page.domain})" for page in drawn.kept])
    return Made.of("seed_entities", drawn, {"seed_entities": drawn.kept}, preview=shown)


def _walk(round_: Round) -> Made:
    rules = path_rules(round_.config)
    seeds = round_.read("seed_entities", Page)
    walker = walking.Walker(round_.snapshot(), rules)
    found = walking.sample_paths(walker, seeds, rules, seed=round_.config.seed)
    shown = text_preview([f"{' → '.join(p.titles)}: {p.attribute}" for p in found.kept])
    return Made.of("link_paths", found, {"link_paths": found.kept}, preview=shown)
