"""Filtering: what a shortcut solves is out; pass rates say where the rest belong."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import dagster as dg

from assets.distinct import distinct_questions
from assets.preview import question_preview
from assets.probing import probe
from assets.rollouts import pass_rates, rollout_verdicts
from assets.wiki import search_index
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation.enhancement import originals
from curation.passk_filter import banded_questions
from curation.replay import Finding, read_by_model, read_by_rule, replay, told
from curation.splits import QUARANTINE, STAGE, split_questions
from curation.trajectories import Rollouts, too_easy
from hopsight.chains.framed import by_id
from hopsight.judge.panel import panel_of
from hopsight.llm.service import open_models
from hopsight.policies import make_policy
from hopsight.types import (
    Enhancement,
    EvidenceChain,
    PassRate,
    Question,
    Rejection,
    Trajectory,
    Verdict,
)


@dg.asset(
    deps=[distinct_questions, search_index],
    partitions_def=PARTITIONS,
    group_name="filtering",
    kinds={"parquet"},
)
def probe_results(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Is there a shortcut (no tools, one search, no picture)? If so it is out. Shown: those."""
    return run_stage(context, workspace, probe)


@dg.asset(
    deps=["enhancements", pass_rates, rollout_verdicts],
    partitions_def=PARTITIONS,
    group_name="filtering",
    kinds={"parquet"},
)
def curated_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Questions that teach something, each assigned to SFT, RL or evaluation."""
    return run_stage(context, workspace, _curate)


def _curate(round_: Round) -> Made:
    config = round_.config
    questions = round_.read("enhanced_questions", Question)
    chains = round_.read("refined_chains", EvidenceChain)
    rates = round_.read("pass_rates", PassRate)
    demanding, easy = _demanding(round_, questions)
    banded, bands = banded_questions(demanding, rates, policy=round_.name_of("policy"))
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
        originals=originals(round_.read("enhancements", Enhancement)),
    )
    chosen = {assignment.question_id for assignment in split.kept}
    kept = tuple(question for question in banded.kept if question.id in chosen)
    sizes = {f"to {name}": sum(each.split == name for each in split.kept) for name in SPLITS}
    findings = _replayed(round_, questions, chains, split.rejected)
    counts = Counter(findings.values())
    return Made(
        "curated_questions",
        len(questions),
        len(kept),
        (*easy, *banded.rejected, *told(split.rejected, findings)),
        {"curated_questions": kept, "split_assignments": split.kept},
        preview=question_preview(kept, by_id(chains), round_.workspace.images),
        extra=sizes | {f"quarantined: {name}": count for name, count in sorted(counts.items())},
    )


def _demanding(
    round_: Round, questions: Sequence[Question]
) -> tuple[list[Question], list[Rejection]]:
    """The questions that the teacher needs tools for, and a rejection of each other one."""
    rollouts = Rollouts.of(
        round_.read("teacher_rollouts", Trajectory),
        round_.read("teacher_verdicts", Verdict),
        teacher=round_.name_of("teacher"),
    )
    easy = too_easy([question.id for question in questions], rollouts)
    rejected = [
        Rejection(record_id=each, stage=STAGE, reason="answered_without_tools", detail="teacher")
        for each in sorted(easy)
    ]
    return [question for question in questions if question.id not in easy], rejected


def _replayed(
    round_: Round,
    questions: Sequence[Question],
    chains: Sequence[EvidenceChain],
    rejected: Sequence[Rejection],
) -> dict[str, Finding]:
    """What a replay with the evidence finds of each question that nobody solved."""
    quarantined = {each.record_id for each in rejected if each.reason == QUARANTINE}
    unsolved = [question for question in questions if question.id in quarantined]
    return asyncio.run(_replay(round_, unsolved, by_id(chains))) if unsolved else {}


async def _replay(
    round_: Round, unsolved: Sequence[Question], chains: Mapping[str, EvidenceChain]
) -> dict[str, Finding]:
    """The policy's model reads the evidence, or by rules the strong agent."""
    async with open_models(round_.models) as models:
        reader = read_by_rule(round_.snapshot(), chains)
        if models.endpoint("policy") is not None:
            name = round_.name_of("policy")
            policy = make_policy("policy", STAGE, round_.sampling, name, models)
            reader = read_by_model(policy, chains)
        panel_for = partial(panel_of, round_.judge, models, STAGE)
        images, seed = round_.workspace.images, round_.config.seed
        return await replay(unsolved, reader, images, panel_for, seed=seed)


SPLITS = ("sft", "rl", "eval")
