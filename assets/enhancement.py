"""Enhancement: a few questions get a worse picture that one tool of the round restores."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import dagster as dg

from assets.preview import question_preview, text_preview
from assets.wiki import search_index
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation import enhancement as enhancing
from curation.enhancement import Enhanced
from hopsight.chains.framed import by_id
from hopsight.datasets import SNAPSHOT_ROUND
from hopsight.harness.benches import open_bench
from hopsight.types import Enhancement, EvidenceChain, PageImage, Question


@dg.asset(
    deps=["probe_results", search_index],
    partitions_def=PARTITIONS,
    group_name="filtering",
    kinds={"parquet"},
)
def enhancements(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Pictures made worse, each with the measured proof that a tool restores it."""
    return run_stage(context, workspace, _enhance)


def _enhance(round_: Round) -> Made:
    questions = round_.read("probed_questions", Question)
    rules, tools = round_.config.curate.enhance, round_.config.harness.tools
    if enhancing.possible(rules, tools) and rules.share > 0:
        made = asyncio.run(_enhanced(round_, questions))
    else:
        made = enhancing.unchanged(questions)
    outputs = {"enhancements": made.attempts.kept, "enhanced_questions": made.questions}
    return Made.of(
        enhancing.STAGE,
        made.attempts,
        outputs,
        preview=_preview(round_, made),
        extra={"questions": len(made.questions), **_kept_by_kind(made)},
    )


async def _enhanced(round_: Round, questions: Sequence[Question]) -> Enhanced:
    """Work with the engines that the round's episodes have, and with nobody who searches."""
    rules, tools = round_.config.curate.enhance, round_.config.harness.tools
    reading = rules.measure == "text"
    needed = {enhancing.TOOL_OF[kind] for kind in enhancing.possible(rules, tools)}
    settings = replace(
        round_.benches(enhancing.STAGE),
        backend="local",
        tools=tuple(sorted(needed | ({"layout_parsing"} if reading else set()))),
    )
    written = _written(round_) if reading else {}
    async with open_bench(settings) as bench:
        studio = enhancing.Studio(
            round_.workspace.images, bench, rules, round_.config.seed, written
        )
        return await enhancing.enhanced_questions(questions, studio, tools)


def _written(round_: Round) -> dict[str, str]:
    """What is known to stand on a picture, by its hash."""
    shown = round_.store.read("page_images", SNAPSHOT_ROUND, PageImage)
    return {each.image.sha256: " ".join(each.text) for each in shown if each.text}


def _kept_by_kind(made: Enhanced) -> dict[str, int]:
    kinds = [each.degradation.kind for each in made.attempts.kept]
    return {f"{kind}: kept": kinds.count(kind) for kind in sorted(set(kinds))}


def _preview(round_: Round, made: Enhanced) -> str:
    """What the tools bring back, then the first questions with the pictures that they now show."""
    shown = {each.question_id for each in made.attempts.kept}
    questions = [question for question in made.questions if question.id in shown]
    chains = by_id(round_.read("refined_chains", EvidenceChain))
    told = text_preview([_told(each) for each in made.attempts.kept])
    return f"{told}\n\n{question_preview(questions, chains, round_.workspace.images)}".strip()


def _told(each: Enhancement) -> str:
    return (
        f"{each.degradation.kind}, {each.measure}: {each.before:.2f} as it was, "
        f"{each.degraded:.2f} as shown, {each.restored:.2f} after {each.tool}"
    )
