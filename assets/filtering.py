"""Filtering: what can be answered without tools is out; pass rates say where the rest belong."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import dagster as dg

from assets.preview import question_preview, text_preview
from assets.questions import grounded_questions
from assets.rollouts import pass_rates, rollout_verdicts
from assets.wiki import search_index
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation import probes
from curation.framed import by_id
from curation.passk_filter import banded_questions
from curation.splits import split_questions
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.policy import Policy
from hopsight.judge.panel import panel_of
from hopsight.llm.service import open_models
from hopsight.policies import make_policy
from hopsight.reference.agents import DirectAnswerer
from hopsight.reference.agents.memory import remember
from hopsight.types import EvidenceChain, PassRate, ProbeResult, Question, Verdict


@dg.asset(
    deps=[grounded_questions, search_index],
    partitions_def=PARTITIONS,
    group_name="filtering",
    kinds={"parquet"},
)
def probe_results(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Is the question answered without any tool, from memory? If so it is out. Shown: those."""
    return run_stage(context, workspace, _probe)


@dg.asset(
    deps=[probe_results, pass_rates, rollout_verdicts],
    partitions_def=PARTITIONS,
    group_name="filtering",
    kinds={"parquet"},
)
def curated_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Questions that teach something, each assigned to SFT, RL or evaluation."""
    return run_stage(context, workspace, _curate)


def _probe(round_: Round) -> Made:
    questions = round_.read("grounded_questions", Question)
    if not round_.config.curate.direct_probe:
        untouched = {"probe_results": (), "probed_questions": tuple(questions)}
        return Made("probe_results", len(questions), len(questions), (), untouched)
    probed = asyncio.run(_probed(round_, questions))
    outputs = {"probe_results": probed.results, "probed_questions": probed.questions.kept}
    return Made.of(
        "probe_results",
        probed.questions,
        outputs,
        model=round_.name_of("prober"),
        preview=_solved(questions, probed.results),
    )


async def _probed(round_: Round, questions: Sequence[Question]) -> probes.Probed:
    """Ask the prober's model, or by rules an agent that knows the pages most linked to."""
    images, seed = round_.workspace.images, round_.config.seed
    async with open_models(round_.models) as models:
        prober: Policy
        if models.endpoint("prober") is None:
            backend = LocalBackend(round_.workspace.index)
            prober = DirectAnswerer(await remember(round_.snapshot(), backend))
        else:
            name = round_.name_of("prober")
            prober = make_policy("prober", "probe_results", round_.sampling, name, models)
        panel_for = partial(panel_of, round_.judge, models, "probe_results")
        return await probes.direct(questions, prober, images, panel_for, seed=seed)


def _solved(questions: Sequence[Question], results: Sequence[ProbeResult]) -> str:
    """What was answered without tools and is out."""
    texts = {question.id: question.text for question in questions}
    return text_preview(
        [f"{each.answer}: {texts[each.question_id]}" for each in results if each.solved]
    )


def _curate(round_: Round) -> Made:
    config = round_.config
    questions = round_.read("probed_questions", Question)
    chains = round_.read("grounded_chains", EvidenceChain)
    rates = round_.read("pass_rates", PassRate)
    banded, bands = banded_questions(questions, rates, policy=round_.name_of("policy"))
    solved = frozenset(
        verdict.question_id
        for verdict in round_.read("teacher_verdicts", Verdict)
        if verdict.outcome == "correct"
    )
    split = split_questions(
        banded.kept,
        chains,
        bands,
        solved,
        eval_share=config.curate.eval_share,
        rl_share=config.curate.rl_share,
        seed=config.seed,
    )
    chosen = {assignment.question_id for assignment in split.kept}
    kept = tuple(question for question in banded.kept if question.id in chosen)
    sizes = {f"to {name}": sum(each.split == name for each in split.kept) for name in SPLITS}
    return Made(
        "curated_questions",
        len(questions),
        len(kept),
        (*banded.rejected, *split.rejected),
        {"curated_questions": kept, "split_assignments": split.kept},
        preview=question_preview(kept, by_id(chains), round_.workspace.images),
        extra=sizes,
    )


SPLITS = ("sft", "rl", "eval")
