"""`preview`: a few questions of a round, and what the whole would cost."""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from curation.preview import Preview, preview_questions, probe_preview
from curation.probes import STAGE as PROBES
from hopsight.config import RoundConfig
from hopsight.judge import JudgeSetup
from hopsight.llm.call_store import CallStore
from hopsight.llm.costs import CostRow
from hopsight.llm.service import ModelSettings, open_models
from hopsight.workspace import Workspace
from pipelines.commands.projection import Projected, Whole, projected, whole_of
from pipelines.commands.rounds import RoundOption
from pipelines.settings import workspace_from_environment
from pipelines.terminal import console, plain, visible
from refine.operator import drafted

NOT_IN_IT = (
    "calls that are repeated after failures, answers that a model is asked to mend, and "
    "what is answered from the cache, which costs nothing. A limit that holds is budget.max_usd."
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What asking models for the previewed questions gave, rejected and cost.

    `rows` are costs by stage, one row a question.
    """

    found: Preview
    reasons: Mapping[str, Mapping[str, int]]
    rows: Mapping[str, tuple[CostRow, ...]]


def preview(
    round: RoundOption = "0001",
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many questions.")] = 5,
) -> None:
    """Show a few questions of a round, made by the same stages, and the cost of the whole.

    So many paths of the wiki are tried, and so many rows of imported files. No data set is
    stored; what a model answers is kept, and the round does not pay for it again.
    """
    resource = workspace_from_environment(limit=limit)
    config = resource.config(round)
    settings = replace(resource.model_settings(config), scope=preview_scope(round))
    with tempfile.TemporaryDirectory(prefix="hopsight-preview-") as folder:
        scratch = Workspace(Path(folder))
        judge = resource.judge(config)
        measured = asyncio.run(_made(config, resource.workspace, scratch, settings, judge))
    found = measured.found
    _print_rows(found, measured.reasons)
    whole = workspace_from_environment().config(round)
    size = whole_of(found, config.explore.paths, whole.explore.paths)
    parts = projected(whole, settings, resource.judge(whole), size, measured.rows)
    told = {role for part in parts for role in part.role.split(" and ")}
    others = sorted(settings.endpoints.keys() - told)
    _print_cost(whole, size, parts, others)


def preview_scope(round: str) -> str:
    """What the calls of a round's previews are counted by."""
    return f"preview-{round}"


async def _made(
    config: RoundConfig,
    workspace: Workspace,
    scratch: Workspace,
    settings: ModelSettings,
    judge: JudgeSetup,
) -> Measured:
    """Make the questions, and let a model try them without tools, where one does.

    What an earlier preview or the round itself has paid for is not paid again, and its costs
    stand for those questions.
    """
    reasons: dict[str, Mapping[str, int]] = {}
    async with open_models(settings) as models:
        found = await preview_questions(config, workspace, scratch, models)
        asked = dict(found.asked)
        if "direct" in config.curate.probes and "prober" in settings.endpoints:
            probed = await probe_preview(found, config, models, judge)
            reasons[PROBES] = probed.questions.reasons()
            asked[PROBES] = frozenset(question.task.id for question in found.questions.kept)
    rows = {stage: _costs(settings, config, stage, records) for stage, records in asked.items()}
    return Measured(found, reasons, rows)


def _costs(
    settings: ModelSettings, config: RoundConfig, stage: str, records: Set[str]
) -> tuple[CostRow, ...]:
    """What a stage cost for each of the records, in the preview or in the round."""
    rows: dict[str, CostRow] = {}
    for scope in (config.round, settings.scope):
        with CallStore(settings.folder, scope) as store:
            for row in store.costs(("stage", "record")):
                if row.group[0] == stage and row.group[1] in records:
                    rows[row.group[1]] = row
    return tuple(rows.values())


def _print_rows(found: Preview, reasons: Mapping[str, Mapping[str, int]]) -> None:
    for question, chain in found.pairs:
        way = " → ".join(node.title for node in chain.nodes)
        console.print(f"\n[bold]{plain(question.text)}[/bold]")
        console.print(f"  answer  {plain(question.answer)}\n  way     {plain(way)}")
        console.print(f"  named   {plain(drafted(chain))}")
    for stage, counts in {**found.reasons, **reasons}.items():
        told = ", ".join(f"{reason} {count}" for reason, count in counts.items()) or "nothing"
        console.print(f"rejected by {stage}: {told}", style="dim")


def _print_cost(
    whole: RoundConfig, size: Whole, parts: Sequence[Projected], others: Sequence[str]
) -> None:
    """Tell the figures; `others` are roles that a model answers and no figure is made for."""
    rollouts = whole.curate.policy_samples + whole.curate.teacher_samples
    rows = f" and {size.rows:,} imported rows" if size.rows else ""
    console.print(
        f"\nThe whole round wants {whole.explore.paths} paths{rows}, which give about "
        f"{size.questions} questions, and {rollouts} rollouts for each."
    )
    if not parts and not others:
        console.print("Projected cost: nothing: rules answer for every role.")
        return
    for part in parts:
        _tell(f"  {part.stage} ({part.role}): {_money(part)}; {part.basis}")
    left = f"what may be asked of {', '.join(others)}; " if others else ""
    _tell(f"Projected cost: {_total(parts)}. Not in it: {left}{NOT_IN_IT}")


def _money(part: Projected) -> str:
    if part.usd is None:
        return "unknown, since the price of its model is"
    if part.low is None and part.high is not None:
        return f"up to ${part.high:,.4f}"
    if part.low is None:
        return f"${part.usd:,.4f}"
    return f"${part.usd:,.4f} (${part.low:,.4f} to ${part.high:,.4f} with 95 %)"


def _total(parts: Sequence[Projected]) -> str:
    highs = [part.usd if part.high is None else part.high for part in parts]
    known = [high for high in highs if high is not None]
    lows = [part.low if part.low is not None else 0.0 for part in parts]
    told = f"${sum(lows):,.4f} to ${sum(known):,.4f}"
    if len(known) < len(parts):
        return f"unknown; the stages with a price come to {told}" if known else "unknown"
    return told


def _tell(line: str) -> None:
    console.print(Text(visible(line)), soft_wrap=True)
