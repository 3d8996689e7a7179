"""Refine: easy questions made hard by one operator after the other."""

import asyncio
from collections import Counter
from typing import Any

import dagster as dg

from assets.imported import linked_questions
from assets.preview import question_preview, table
from assets.questions import grounded_questions, stored
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation.recipe import path_rules
from curation.wording import readers_of, worded_anew
from hopsight.chains import Framed, by_id, framed
from hopsight.chains.walker import Walker
from hopsight.llm.service import open_models
from hopsight.types import Difficulty, EvidenceChain, Question
from hopsight.unique import FactIndex
from hopsight.wiki.snapshot import Snapshot
from refine.difficulty import difficulty_of
from refine.imported.unchanged import STAGE as REFINED
from refine.imported.unchanged import unchanged_seeds
from refine.plans import Operator
from refine.stages import STAGES, refined_by


@dg.asset(
    deps=[grounded_questions, linked_questions],
    partitions_def=PARTITIONS,
    group_name="refine",
    kinds={"parquet"},
)
def expanded_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Some questions go on from their old answer, so many hops further."""
    return run_stage(context, workspace, _expanded)


@dg.asset(
    deps=[expanded_questions], partitions_def=PARTITIONS, group_name="refine", kinds={"parquet"}
)
def blurred_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Some no longer say how two entities are related: facts single out the second."""
    return run_stage(context, workspace, _blurred)


@dg.asset(
    deps=[blurred_questions], partitions_def=PARTITIONS, group_name="refine", kinds={"parquet"}
)
def visualized_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Some tell an entity by what its picture shows, which has to be found and read."""
    return run_stage(context, workspace, _visualized)


@dg.asset(
    deps=[visualized_questions], partitions_def=PARTITIONS, group_name="refine", kinds={"parquet"}
)
def refined_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """All questions in their last form, read again where models read, with their difficulty."""
    return run_stage(context, workspace, _refined)


def _expanded(round_: Round) -> Made:
    pairs = [*stored(round_, "grounded").pairs, *stored(round_, "linked").pairs]
    entered = framed(len(pairs), pairs)
    return _operated(round_, entered, "expand")


def _blurred(round_: Round) -> Made:
    return _operated(round_, stored(round_, "expanded"), "blur")


def _visualized(round_: Round) -> Made:
    return _operated(round_, stored(round_, "blurred"), "visualize")


def _operated(round_: Round, entered: Framed, operator: Operator) -> Made:
    stage = STAGES[operator]
    walker = Walker(round_.snapshot(), path_rules(round_.config))
    rules, seed = round_.config.refine, round_.config.seed
    found = refined_by(operator, walker, entered, rules, seed=seed)
    due, harder, joined = found.due, found.harder, found.joined
    name = stage.removesuffix("_questions")
    return Made.of(
        stage,
        joined.questions,
        {f"{name}_questions": joined.questions.kept, f"{name}_chains": joined.chains},
        preview=question_preview(
            harder.questions.kept, by_id(harder.chains), round_.workspace.images
        ),
        extra={"tried on": len(due.questions.kept), "made harder": len(harder.questions.kept)},
    )


def _refined(round_: Round) -> Made:
    world = round_.snapshot()
    longest = round_.config.explore.answer_max_tokens
    gated = unchanged_seeds(world, stored(round_, "visualized"), answer_max_tokens=longest)
    final = asyncio.run(_worded(round_, world, gated))
    sources = ("grounded_chains", "linked_chains")
    first = by_path([each for name in sources for each in round_.read(name, EvidenceChain)])
    rows = [difficulty_of(question, first[chain.path_id], chain) for question, chain in final.pairs]
    outputs = {
        "refined_questions": final.questions.kept,
        "refined_chains": final.chains,
        "difficulties": rows,
    }
    shown = question_preview(final.questions.kept, by_id(final.chains), round_.workspace.images)
    return Made.of(
        REFINED,
        final.questions,
        outputs,
        model=round_.name_of("generator"),
        preview=shown,
        extra={"by operator": dg.MetadataValue.md(_by_operator(final.questions.kept, rows))},
    )


def by_path(chains: list[EvidenceChain]) -> dict[str, EvidenceChain]:
    """Chains by their path, which no operator changes."""
    return {chain.path_id: chain for chain in chains}


async def _worded(round_: Round, world: Snapshot, entered: Framed) -> Framed:
    """Let models read what the operators made; the rest was read when it was grounded."""
    async with open_models(round_.models) as models:
        readers = readers_of(models, REFINED)
        if readers is None:
            return entered
        return await worded_anew(world, FactIndex(world), entered, readers, STAGES)


def _by_operator(questions: tuple[Question, ...], rows: list[Difficulty]) -> str:
    """How many questions each operator made last, and how hard they are made on average."""
    totals = {row.question_id: row.total for row in rows}
    counts = Counter(question.operator for question in questions)
    return table(
        ("operator", "questions", "mean difficulty"),
        [
            (
                name,
                count,
                round(sum(totals[q.id] for q in questions if q.operator == name) / count, 2),
            )
            for name, count in sorted(counts.items())
        ],
    )
