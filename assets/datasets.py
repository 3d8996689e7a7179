"""Data sets: files for trainers, and a card that says what they are."""

import json
from typing import Any

import dagster as dg

from assets.filtering import curated_questions
from assets.rollouts import rollout_verdicts, teacher_rollouts
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation import trajectories as choosing
from curation.card import CardFacts
from curation.card import dataset_card as write_card
from curation.framed import by_id
from hopsight.harness.tools import SPECS
from hopsight.stages import funnel_stages
from hopsight.store.files import write_atomic
from hopsight.types import (
    EvidenceChain,
    ExportRow,
    FunnelRow,
    PassRate,
    Question,
    SplitAssignment,
    Trajectory,
    Verdict,
)
from training.export import Exported, export_rl, export_sft


@dg.asset(
    deps=[curated_questions, teacher_rollouts, rollout_verdicts],
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
    deps=[sft_dataset, rl_dataset],
    partitions_def=PARTITIONS,
    group_name="datasets",
    kinds={"markdown"},
)
def dataset_card(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Source, licences, counts, pass rates and the funnel of this round's data sets."""
    return run_stage(context, workspace, _card)


def _assigned(round_: Round, split: str) -> list[Question]:
    chosen = {
        each.question_id
        for each in round_.read("split_assignments", SplitAssignment)
        if each.split == split
    }
    return [each for each in round_.read("curated_questions", Question) if each.id in chosen]


def _choose(round_: Round) -> Made:
    chosen = choosing.teacher_trajectories(
        [question.id for question in _assigned(round_, "sft")],
        round_.read("teacher_rollouts", Trajectory),
        round_.read("teacher_verdicts", Verdict),
        teacher=round_.config.models.teacher,
    )
    return Made.of("teacher_trajectories", chosen, {"teacher_trajectories": chosen.kept})


def _export_sft(round_: Round) -> Made:
    trajectories = round_.read("teacher_trajectories", Trajectory)
    exported = export_sft(
        trajectories,
        {question.id: question for question in _assigned(round_, "sft")},
        by_id(round_.read("grounded_chains", EvidenceChain)),
        SPECS,
        round_.workspace.images,
        round_.workspace.exports(round_.key) / "sft",
    )
    return _exported("sft_dataset", "sft_rows", len(trajectories), exported)


def _export_rl(round_: Round) -> Made:
    questions = _assigned(round_, "rl")
    exported = export_rl(
        questions,
        by_id(round_.read("grounded_chains", EvidenceChain)),
        SPECS,
        round_.workspace.images,
        round_.workspace.exports(round_.key) / "rl",
    )
    return _exported("rl_dataset", "rl_rows", len(questions), exported)


def _exported(stage: str, rows: str, entered: int, exported: Exported) -> Made:
    files = {f"file {path.name}": dg.MetadataValue.path(path) for path in exported.files}
    return Made(
        stage, entered, len(exported.rows), exported.rejected, {rows: exported.rows}, extra=files
    )


def _card(round_: Round) -> Made:
    snapshot = round_.snapshot()
    source = round_.source()
    domains = {page_id: snapshot.page(page_id).domain for page_id in snapshot.ids()}
    sft, rl = round_.read("sft_rows", ExportRow), round_.read("rl_rows", ExportRow)
    card = write_card(
        CardFacts(
            name=f"Hopsight round {round_.key}",
            round=round_.key,
            source=f"{source.source} wiki, {source.pages} pages, export {source.dump_sha256[:16]}",
            license="cc0-1.0" if source.source == "mini" else "other",
            models=round_.config.models.model_dump(),
            fingerprint=round_.fingerprint,
            questions=round_.read("curated_questions", Question),
            chains=round_.read("grounded_chains", EvidenceChain),
            domains={page_id: domain for page_id, domain in domains.items() if domain},
            splits=round_.read("split_assignments", SplitAssignment),
            rates=round_.read("pass_rates", PassRate),
            funnel=funnel_rows(round_),
            files={"sft/sft.json": len(sft), "rl/rl.parquet": len(rl)},
        )
    )
    path = round_.workspace.exports(round_.key) / "README.md"
    write_atomic(path, card.encode())
    config = json.dumps(json.loads(round_.config.model_dump_json()), indent=1, sort_keys=True)
    write_atomic(path.with_name("round_config.json"), f"{config}\n".encode())
    return Made(
        "dataset_card",
        len(sft) + len(rl),
        len(sft) + len(rl),
        (),
        {},
        preview=card.split("---", 2)[-1],
        extra={"file README.md": dg.MetadataValue.path(path)},
    )


def funnel_rows(round_: Round) -> list[FunnelRow]:
    """The funnel up to the exports, in the order of work."""
    return [
        row
        for stage, key in funnel_stages(round_.key)
        if round_.store.exists(f"funnel_{stage}", key)
        for row in round_.store.read(f"funnel_{stage}", key, FunnelRow)
    ]
