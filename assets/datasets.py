"""Data sets: files for trainers, and a card that says what they are."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg

from assets.card import write_cards
from assets.distinct import picture_hash
from assets.filtering import curated_questions
from assets.preview import question_preview, rollout_preview
from assets.rollouts import rollout_verdicts, teacher_rollouts
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation import trajectories as choosing
from curation.contamination import contaminated_rollouts, read_fingerprints
from curation.enhancement import originals
from hopsight.chains.framed import by_id
from hopsight.llm.service import open_models
from hopsight.policies import tools_for
from hopsight.types import (
    Enhancement,
    EvidenceChain,
    ProcessVerdict,
    Question,
    SplitAssignment,
    Trajectory,
    Verdict,
)
from training.export import Exported, export_eval, export_rl, export_sft


@dg.asset(
    deps=[curated_questions, "enhancements", teacher_rollouts, rollout_verdicts],
    partitions_def=PARTITIONS,
    group_name="datasets",
    kinds={"parquet"},
)
def teacher_trajectories(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """One correct, lean trace of the teacher for each SFT question."""
    return run_stage(context, workspace, _choose)


@dg.asset(
    deps=[teacher_trajectories], partitions_def=PARTITIONS, group_name="datasets", kinds={"json"}
)
def sft_dataset(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Traces as LLaMA-Factory loads them: conversations, tools, pictures beside the file."""
    return run_stage(context, workspace, _export_sft)


@dg.asset(
    deps=[curated_questions], partitions_def=PARTITIONS, group_name="datasets", kinds={"parquet"}
)
def rl_dataset(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Questions the policy solves sometimes, as verl loads them."""
    return run_stage(context, workspace, _export_rl)


@dg.asset(
    deps=[curated_questions], partitions_def=PARTITIONS, group_name="datasets", kinds={"parquet"}
)
def eval_dataset(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Questions over anchors that no training row has, to measure with."""
    return run_stage(context, workspace, _export_eval)


@dg.asset(
    deps=[sft_dataset, rl_dataset, eval_dataset],
    partitions_def=PARTITIONS,
    group_name="datasets",
    kinds={"markdown"},
)
def dataset_card(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Source, licences, counts, pass rates and the funnel of this round's data sets."""
    return run_stage(context, workspace, write_cards)


def _assigned(round_: Round, split: str) -> list[Question]:
    chosen = {
        each.question_id
        for each in round_.read("split_assignments", SplitAssignment)
        if each.split == split
    }
    return [each for each in round_.read("curated_questions", Question) if each.id in chosen]


def _choose(round_: Round) -> Made:
    ids = [question.id for question in _assigned(round_, "sft")]
    traces = round_.read("teacher_rollouts", Trajectory)
    clean = _clean(round_, traces)
    rollouts = choosing.Rollouts.of(
        clean,
        round_.read("teacher_verdicts", Verdict),
        teacher=round_.name_of("teacher"),
        held_pictures=_evaluated(round_),
    )
    rules = round_.config.curate.traces
    verdicts: tuple[ProcessVerdict, ...] = ()
    process = None
    if rules.process_check:
        verdicts = asyncio.run(_ways(round_, rollouts.sound(ids)))
        process = choosing.Process.of(verdicts, rules.max_vain_share)
    leanest = choosing.teacher_trajectories(ids, rollouts, process)
    chosen = choosing.teacher_trajectories(
        ids, rollouts, process, max_extra_calls=rules.max_extra_calls
    )
    return Made.of(
        "teacher_trajectories",
        chosen,
        {"teacher_trajectories": chosen.kept, "process_verdicts": verdicts},
        model=round_.name_of("analyzer") if rules.process_check else None,
        preview=rollout_preview(chosen.kept, round_.workspace.images),
        extra=_variety(leanest.kept, chosen.kept)
        | {"traces that saw a benchmark": len(traces) - len(clean)},
    )


def _clean(round_: Round, traces: Sequence[Trajectory]) -> Sequence[Trajectory]:
    """The traces that tools showed nothing of a benchmark that the round names."""
    files = [Path(name) for name in round_.config.curate.benchmarks]
    if not files:
        return traces
    hash_of = partial(picture_hash, round_.workspace.images)
    return contaminated_rollouts(traces, read_fingerprints(files), hash_of).kept


def _evaluated(round_: Round) -> frozenset[str]:
    """Pictures that evaluation starts from, and the clean ones that degraded ones were made of."""
    shown = {image.sha256 for each in _assigned(round_, "eval") for image in each.images}
    clean = originals(round_.read("enhancements", Enhancement))
    return frozenset(shown | {clean[each] for each in shown if each in clean})


async def _ways(round_: Round, traces: Sequence[Trajectory]) -> tuple[ProcessVerdict, ...]:
    """What the analyzer finds of the way of each trace."""
    async with open_models(round_.models) as models:
        ask_for = partial(models.complete, "analyzer", choosing.STAGE)
        analyzer = round_.name_of("analyzer")
        return await choosing.process_verdicts(traces, ask_for, analyzer=analyzer)


def _variety(leanest: Sequence[Trajectory], chosen: Sequence[Trajectory]) -> dict[str, Any]:
    """How varied the tools of the traces are, had the leanest been taken and as they are."""
    before, after = choosing.variety(leanest), choosing.variety(chosen)
    return {
        "patterns of tools": f"{after.patterns} (leanest: {before.patterns})",
        "bits of patterns": f"{after.pattern_bits:.3f} (leanest: {before.pattern_bits:.3f})",
        "bits of pairs of tools": f"{after.gram_bits:.3f} (leanest: {before.gram_bits:.3f})",
    }


def _export_sft(round_: Round) -> Made:
    trajectories = round_.read("teacher_trajectories", Trajectory)
    questions = {question.id: question for question in _assigned(round_, "sft")}
    chains = by_id(round_.read("refined_chains", EvidenceChain))
    exported = export_sft(
        trajectories,
        questions,
        chains,
        tools_for("teacher", round_.config.harness, round_.models).specs,
        round_.workspace.images,
        round_.workspace.exports(round_.key) / "sft",
    )
    asked = [questions[row.question_id] for row in exported.rows]
    shown = question_preview(asked, chains, round_.workspace.images)
    return _exported("sft_dataset", "sft_rows", len(trajectories), exported, shown)


def _export_rl(round_: Round) -> Made:
    questions = _assigned(round_, "rl")
    chains = by_id(round_.read("refined_chains", EvidenceChain))
    exported = export_rl(
        questions,
        chains,
        tools_for("policy", round_.config.harness, round_.models).specs,
        round_.workspace.images,
        round_.workspace.exports(round_.key) / "rl",
    )
    shown = question_preview(questions, chains, round_.workspace.images)
    return _exported("rl_dataset", "rl_rows", len(questions), exported, shown)


def _export_eval(round_: Round) -> Made:
    questions = _assigned(round_, "eval")
    chains = by_id(round_.read("refined_chains", EvidenceChain))
    folder = round_.workspace.exports(round_.key) / "eval"
    exported = export_eval(questions, chains, round_.workspace.images, folder)
    shown = question_preview(questions, chains, round_.workspace.images)
    return _exported("eval_dataset", "eval_rows", len(questions), exported, shown)


def _exported(stage: str, rows: str, entered: int, exported: Exported, shown: str) -> Made:
    files = {f"file {path.name}": dg.MetadataValue.path(path) for path in exported.files}
    kept = len(exported.rows)
    outputs = {rows: exported.rows}
    return Made(stage, entered, kept, exported.rejected, outputs, preview=shown, extra=files)
