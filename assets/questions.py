"""Questions: a path told with all its names, then without them, then from its picture."""

import asyncio
from typing import Any

import dagster as dg

from assets.paths import link_paths
from assets.preview import question_preview
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation import canonical, fuzz, ground
from curation.recipe import path_rules
from curation.wording import readers_of, worded_questions
from hopsight.chains.framed import Framed, by_id, framed
from hopsight.chains.walker import Walker
from hopsight.llm.service import open_models
from hopsight.types import EvidenceChain, LinkPath, Question
from hopsight.unique import FactIndex
from hopsight.wiki.snapshot import Snapshot


@dg.asset(deps=[link_paths], partitions_def=PARTITIONS, group_name="questions", kinds={"parquet"})
def canonical_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Each path as a question that names every entity on it: a step on the way, never exported."""
    return run_stage(context, workspace, _canonical)


@dg.asset(
    deps=[canonical_questions],
    partitions_def=PARTITIONS,
    group_name="questions",
    kinds={"parquet"},
)
def fuzzed_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Descriptions in place of names: each fits one entity given the one before, none by itself."""
    return run_stage(context, workspace, _fuzzed)


@dg.asset(
    deps=[fuzzed_questions],
    partitions_def=PARTITIONS,
    group_name="questions",
    kinds={"parquet"},
)
def grounded_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """The first entity is shown in its picture; the text names nothing on the way to the answer."""
    return run_stage(context, workspace, _grounded)


def _canonical(round_: Round) -> Made:
    walker = Walker(round_.snapshot(), path_rules(round_.config))
    paths = round_.read("link_paths", LinkPath)
    made = canonical.canonical_questions(walker, paths, round=round_.key)
    return _made(round_, "canonical", made)


def _fuzzed(round_: Round) -> Made:
    walker = Walker(round_.snapshot(), path_rules(round_.config))
    made = fuzz.fuzzed_questions(walker, stored(round_, "canonical"), seed=round_.config.seed)
    return _made(round_, "fuzzed", made)


def _grounded(round_: Round) -> Made:
    world = round_.snapshot()
    made = ground.grounded_questions(
        world,
        stored(round_, "fuzzed"),
        round_.workspace.images,
        min_picture_px=round_.config.seed_entities.min_picture_px,
    )
    return _made(round_, "grounded", asyncio.run(_worded(round_, world, made)))


async def _worded(round_: Round, world: Snapshot, grounded: Framed) -> Framed:
    """Let models read the evidence and word the questions."""
    async with open_models(round_.models) as models:
        readers = readers_of(models)
        if readers is None:
            return grounded
        return await worded_questions(world, FactIndex(world), grounded, readers)


def _made(round_: Round, name: str, framed: Framed) -> Made:
    questions = framed.questions
    outputs = {f"{name}_questions": questions.kept, f"{name}_chains": framed.chains}
    shown = question_preview(questions.kept, by_id(framed.chains), round_.workspace.images)
    model = round_.name_of("generator")
    return Made.of(f"{name}_questions", questions, outputs, model=model, preview=shown)


def stored(round_: Round, name: str) -> Framed:
    """The result of an earlier stage, read back: questions with their chains in step."""
    questions = round_.read(f"{name}_questions", Question)
    chains = by_id(round_.read(f"{name}_chains", EvidenceChain))
    return framed(len(questions), ((each, chains[each.chain_id]) for each in questions))
