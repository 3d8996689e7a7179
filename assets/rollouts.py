"""Rollouts: agents try the questions in the harness, and a judge looks at what they answered."""

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import dagster as dg

from assets.preview import rates_preview, rollout_preview, table, text_preview
from assets.wiki import search_index
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation.passk_filter import pass_rates as rates_of
from curation.rolling import roll_out
from curation.search_leaks import search_leaks
from curation.verdicts import Judged, judge_by
from hopsight.budget import Budget
from hopsight.errors import ProviderError
from hopsight.harness.benches import BenchSettings, open_bench
from hopsight.harness.guard import LeakGuard
from hopsight.harness.limits import limits_of
from hopsight.harness.rollout import RolloutJob, Stage, episode_seed
from hopsight.judge.panel import panel_of
from hopsight.llm.service import open_models
from hopsight.passk import pass_interval
from hopsight.policies import make_policy, tools_for
from hopsight.progress import Progress
from hopsight.providers import trajectory_folder
from hopsight.reference.policies import POLICIES_VERSION, PRICE_PER_CALL
from hopsight.store import ImageStore
from hopsight.store.files import write_atomic
from hopsight.types import Question, Trajectory, Verdict


@dg.asset(
    deps=["enhancements", search_index],
    partitions_def=PARTITIONS,
    group_name="rollouts",
    kinds={"parquet"},
)
def policy_rollouts(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """The policy, which the data are made for, tries each question several times, with tools."""
    return run_stage(context, workspace, _policy_rollouts)


@dg.asset(
    deps=["enhancements", search_index],
    partitions_def=PARTITIONS,
    group_name="rollouts",
    kinds={"parquet"},
)
def teacher_rollouts(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """The teacher, whose traces are learnt from, tries each question several times, with tools."""
    return run_stage(context, workspace, _teacher_rollouts)


@dg.asset(
    deps=[policy_rollouts, teacher_rollouts],
    partitions_def=PARTITIONS,
    group_name="rollouts",
    kinds={"parquet"},
)
def rollout_verdicts(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Was the answer right? An outage of the judge or a tool is never a wrong answer."""
    return run_stage(context, workspace, _judge)


@dg.asset(
    deps=[rollout_verdicts],
    partitions_def=PARTITIONS,
    group_name="rollouts",
    kinds={"parquet"},
)
def pass_rates(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """How often policy and teacher are right on each question (Pass@k)."""
    return run_stage(context, workspace, _rate)


def _policy_rollouts(round_: Round) -> Made:
    return _roll_out(round_, "policy_rollouts", "policy", round_.config.curate.policy_samples)


def _teacher_rollouts(round_: Round) -> Made:
    return _roll_out(round_, "teacher_rollouts", "teacher", round_.config.curate.teacher_samples)


def _roll_out(round_: Round, name: str, role: str, samples: int) -> Made:
    policy = round_.name_of(role)
    questions = round_.read("enhanced_questions", Question)
    jobs = [
        RolloutJob(
            question.id,
            question.task,
            policy,
            sample,
            episode_seed(question.task, policy, sample, round_.config.seed),
            LeakGuard(question.text, (question.answer, *question.answer_aliases)),
        )
        for question in questions
        for sample in range(samples)
    ]
    workspace = round_.workspace
    bench = round_.benches(name)
    stage = Stage(
        partial(make_policy, role, name, round_.sampling, dialect=round_.config.harness.dialect),
        partial(open_bench, bench),
        partial(ImageStore, workspace.root),
        limits_of(round_.config.harness),
        inputs=episode_inputs(round_, bench, role),
        tools=tools_for(role, round_.config.harness, round_.models),
        models=round_.models,
    )
    journal = workspace.journal(round_.key, name, round_.fingerprint[:16])
    file = workspace.root / "progress.json"
    tell = round_.logger.info
    with Progress(name, len(jobs), file=file, on_report=lambda r: tell(r.line())) as progress:
        trajectories = roll_out(
            jobs,
            stage,
            round_.executor,
            journal,
            budget_of(round_, besides=name),
            PRICE_PER_CALL,
            lambda done, owed: progress.advance(),
        )
        progress.advance(len(jobs) - progress.report().done)  # those the journal already held
    _dump(trajectories)
    stops = {
        f"stopped: {reason}": sum(each.stop_reason == reason for each in trajectories)
        for reason in sorted({each.stop_reason for each in trajectories})
    }
    calls = sum(each.usage.tool_calls for each in trajectories)
    outcomes = Counter(
        f"{call.name}: {seen.outcome}"
        for each in trajectories
        for turn in each.turns
        for call, seen in zip(turn.calls, turn.observations, strict=True)
    )
    return Made(
        name,
        len(jobs),
        len(trajectories),
        (),
        {name: trajectories},
        model=policy,
        preview=rollout_preview(trajectories, workspace.images),
        extra={
            "tool calls per rollout": round(calls / max(1, len(trajectories)), 2),
            "outcomes by tool": dg.MetadataValue.md(
                table(("tool: outcome", "calls"), sorted(outcomes.items()))
            ),
            "went for a blocked source": sum(bool(each.blocked) for each in trajectories),
            **search_leaks(questions, trajectories).told(),
            **stops,
        },
    )


def _dump(trajectories: Sequence[Trajectory]) -> None:
    """A file for each episode too, where TRAJ_DUMP_DIR names a folder."""
    folder = trajectory_folder(os.environ)
    if folder is None:
        return
    for each in trajectories:
        write_atomic(folder / f"{each.id}.json", each.model_dump_json().encode(), sync=False)


def episode_inputs(round_: Round, bench: BenchSettings, role: str) -> str:
    """What decides the episodes of a role beside task, tools and limits, as in `Stage.inputs`."""
    version = str(POLICIES_VERSION)
    return " ".join((round_.source().id, bench.identity, version, round_.models.identity(role)))


def budget_of(round_: Round, *, besides: str) -> Budget:
    """The round's budget, less what its other rollouts have used."""
    limits = round_.config.budget
    budget = Budget(limits.max_calls, limits.max_usd)
    for name in ("probe_rollouts", "policy_rollouts", "teacher_rollouts"):
        if name != besides and round_.store.exists(name, round_.key):
            calls = sum(each.usage.model_calls for each in round_.read(name, Trajectory))
            budget.reserve(calls, calls * PRICE_PER_CALL)
    return budget


def _judge(round_: Round) -> Made:
    questions = round_.read("enhanced_questions", Question)
    policy = round_.read("policy_rollouts", Trajectory)
    teacher = round_.read("teacher_rollouts", Trajectory)
    found = asyncio.run(_judged(round_, questions, (policy, teacher)))
    outputs = {
        "policy_verdicts": found[0].verdicts,
        "teacher_verdicts": found[1].verdicts,
    }
    judged = [verdict for verdicts in outputs.values() for verdict in verdicts]
    unjudged = [each for part in found for each in part.unjudged]
    if unjudged and not judged:
        raise ProviderError(
            f"0 of {len(unjudged)} answers could be judged: {unjudged[0].detail}",
            "see that the judge can be reached (`hopsight models check`), then run this again",
        )
    outcomes = sorted({verdict.outcome for verdict in judged})
    return Made(
        "rollout_verdicts",
        len(policy) + len(teacher),
        len(judged),
        tuple(unjudged),
        outputs,
        model=round_.name_of("judge"),
        preview=text_preview([f"{each.outcome}: {each.rationale}" for each in judged]),
        extra={name: sum(each.outcome == name for each in judged) for name in outcomes},
    )


async def _judged(
    round_: Round, questions: Sequence[Question], parts: Sequence[Sequence[Trajectory]]
) -> list[Judged]:
    async with open_models(round_.models) as models:
        panel_for = partial(panel_of, round_.judge, models, "rollout_verdicts")
        return [await judge_by(questions, part, panel_for) for part in parts]


def _rate(round_: Round) -> Made:
    trajectories = [
        *round_.read("policy_rollouts", Trajectory),
        *round_.read("teacher_rollouts", Trajectory),
    ]
    verdicts = [
        *round_.read("policy_verdicts", Verdict),
        *round_.read("teacher_verdicts", Verdict),
    ]
    rates = rates_of(trajectories, verdicts)
    extra: dict[str, Any] = {}
    for policy in sorted({rate.policy for rate in rates}):
        graded = sum(rate.graded for rate in rates if rate.policy == policy)
        correct = sum(rate.correct for rate in rates if rate.policy == policy)
        low, high = pass_interval(graded, correct)
        extra[f"pass rate of {policy}"] = round(correct / max(1, graded), 3)
        extra[f"95 % interval of {policy}"] = f"{low:.3f}–{high:.3f}"
    shown = rates_preview(rates)
    outputs = {"pass_rates": rates}
    return Made("pass_rates", len(rates), len(rates), (), outputs, preview=shown, extra=extra)
