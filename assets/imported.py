"""Imported seeds: solved questions of others, and their way through the wiki."""

import asyncio
from collections.abc import Sequence
from typing import Any

import dagster as dg

from assets.preview import question_preview, text_preview
from assets.wiki import wiki_snapshot
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from hopsight.chains import Framed, by_id
from hopsight.llm.service import open_models
from hopsight.types import Seed
from hopsight.unique import FactIndex
from refine import build_link, imported
from refine.imported.linked import linked_seeds


@dg.asset(
    deps=["round_config", wiki_snapshot],
    partitions_def=PARTITIONS,
    group_name="refine",
    kinds={"parquet"},
)
def imported_seeds(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Solved questions with pictures, from the files that refine.imported names; often none."""
    return run_stage(context, workspace, _read)


@dg.asset(
    deps=[imported_seeds, wiki_snapshot],
    partitions_def=PARTITIONS,
    group_name="refine",
    kinds={"parquet"},
)
def linked_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Imported questions with their way from the picture to the answer, found in the wiki."""
    return run_stage(context, workspace, _link)


def _read(round_: Round) -> Made:
    found = imported.read_files(round_.config.refine.imported, round_.workspace.images)
    return Made.of(
        imported.STAGE,
        found,
        {"imported_seeds": found.kept},
        preview=text_preview([f"{each.question} → {each.answer}" for each in found.kept]),
    )


def _link(round_: Round) -> Made:
    linked = asyncio.run(_linked(round_, round_.read("imported_seeds", Seed)))
    questions = linked.questions
    return Made.of(
        build_link.STAGE,
        questions,
        {"linked_questions": questions.kept, "linked_chains": linked.chains},
        model=round_.name_of("generator"),
        preview=question_preview(questions.kept, by_id(linked.chains), round_.workspace.images),
    )


async def _linked(round_: Round, seeds: Sequence[Seed]) -> Framed:
    world = round_.snapshot()
    async with open_models(round_.models) as models:
        return await linked_seeds(seeds, world, FactIndex(world), models, round_.config)
