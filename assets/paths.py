"""Paths: where questions start and which way they go."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import dagster as dg

from assets.plots import strata_plot
from assets.preview import page_preview, table, text_preview
from assets.wiki import wiki_snapshot
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation import paths as walking
from curation.recipe import draw_seeds, path_rules
from hopsight.chains.walker import Walker
from hopsight.errors import SourceError
from hopsight.stage import Staged
from hopsight.types import LinkPath, Page
from hopsight.wiki.snapshot import Snapshot


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
    world = round_.snapshot()
    drawn = draw_seeds(world, round_.config)
    if not drawn.kept:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in drawn.reasons().items())
        raise SourceError(
            f"no page of the wiki can be a seed: {reasons}",
            "give a source with pictures and infoboxes, or ask less of a seed in seed_entities",
        )
    shown = page_preview(drawn.kept, world.tables.images, round_.workspace.images)
    return Made.of(
        "seed_entities",
        drawn,
        {"seed_entities": drawn.kept},
        preview=shown,
        extra={"by domain": dg.MetadataValue.md(_by_domain(world, drawn))},
    )


def _by_domain(world: Snapshot, drawn: Staged[Page]) -> str:
    """Seeds of each domain beside its pages that could have been one: a plot and a table."""
    undrawn = {each.record_id for each in drawn.rejected if each.reason == "not_drawn"}
    seeds = Counter(str(page.domain) for page in drawn.kept)
    usable = seeds + Counter(str(p.domain) for p in world.tables.pages if p.id in undrawn)
    counts = {name: (seeds[name], usable[name]) for name in sorted(usable)}
    rows = [(name, *both) for name, both in counts.items()]
    plot = strata_plot(counts, ("drawn", "could be drawn"))
    return f"{plot}\n\n{table(('domain', 'drawn', 'could be drawn'), rows)}"


def _walk(round_: Round) -> Made:
    rules = path_rules(round_.config)
    seeds = round_.read("seed_entities", Page)
    walker = Walker(round_.snapshot(), rules)
    found = walking.sample_paths(walker, seeds, rules, seed=round_.config.seed)
    shown = text_preview([f"{' → '.join(p.titles)}: {p.attribute}" for p in found.kept])
    return Made.of(
        "link_paths",
        found,
        {"link_paths": found.kept},
        preview=shown,
        extra={"yield by domain": dg.MetadataValue.md(_yields(seeds, found))},
    )


def _yields(seeds: Sequence[Page], found: Staged[LinkPath]) -> str:
    """Paths and failed walks of each domain, with the commonest reasons; a walk tells its pages."""
    domains = {page.title: str(page.domain) for page in seeds}
    paths = Counter(str(path.domain) for path in found.kept)
    failed: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found.rejected:
        failed[domains[each.detail.partition(walking.ARROW)[0]]][each.reason] += 1
    rows = [
        (name, paths[name], failed[name].total(), _commonest(failed[name]))
        for name in sorted({*domains.values()})
    ]
    return table(("domain", "paths", "failed walks", "commonest reasons"), rows)


def _commonest(reasons: Counter[str]) -> str:
    order = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason.replace('_', ' ')} {count:,}" for reason, count in order[:3])
