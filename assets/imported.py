"""Imported seeds: solved questions of others, and their way through the wiki."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg

from assets.preview import question_preview, text_preview
from assets.wiki import wiki_snapshot
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from hopsight.chains import Framed, by_id
from hopsight.llm.service import open_models
from hopsight.net import Fetcher
from hopsight.types import Rejection, Seed
from hopsight.unique import FactIndex
from refine import build_link, imported
from refine.imported import OpenUrls


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
    rules = round_.config.refine.imported
    folder = None if rules.pictures is None else Path(rules.pictures)
    kept: list[Seed] = []
    rejected: list[Rejection] = []
    entered = 0
    with _opened(fetch=rules.fetch) as open_urls:
        for name in rules.files:
            found = imported.read_seeds(
                Path(name), round_.workspace.images, pictures=folder, open_urls=open_urls
            )
            entered += found.entered
            kept += found.kept
            rejected += found.rejected
    return Made(
        imported.STAGE,
        entered,
        len(kept),
        tuple(rejected),
        {"imported_seeds": kept},
        preview=text_preview([f"{each.question} → {each.answer}" for each in kept]),
    )


@contextmanager
def _opened(*, fetch: bool) -> Iterator[OpenUrls | None]:
    """What fetches pictures, where that is asked for."""
    if not fetch:
        yield None
        return
    with imported.web_pictures(Fetcher()) as open_urls:
        yield open_urls


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
    """Ask the round's generator for the entities, or rules."""
    world = round_.snapshot()
    rules = build_link.LinkRules(
        max_hub_in_degree=round_.config.explore.max_hub_in_degree,
        answer_max_tokens=round_.config.explore.answer_max_tokens,
    )
    async with open_models(round_.models) as models:
        is_asked = models.endpoint("generator") is not None
        ask = partial(models.complete, "generator", build_link.STAGE) if is_asked else None
        return await build_link.build_links(
            seeds, world, FactIndex(world), ask, round=round_.key, rules=rules
        )
