"""`run` and `preview`: making a round, or a look at what it would be."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from curation.preview import preview_questions
from hopsight.workspace import Workspace
from pipelines.running import run_round
from pipelines.settings import workspace_from_environment
from pipelines.terminal import console, plain
from pipelines.views import print_funnel

RoundOption = Annotated[str, typer.Option(help="Four digits; configs/rounds has its file.")]


def run(
    round: RoundOption = "0001",
    limit: Annotated[int, typer.Option(min=0, help="At most so many paths; 0: all.")] = 0,
    budget: Annotated[
        float | None, typer.Option(min=0, help="Stop before this many US dollars are spent.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes that roll out; the data do not depend on it."),
    ] = None,
) -> None:
    """Make a round: from the wiki to the exported data sets."""
    console.print(f"Round {plain(round)}")
    run_round(round, workers=workers, limit=limit, max_usd=budget)
    print_funnel(Workspace.from_environment(), round)


def preview(
    round: RoundOption = "0001",
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many questions.")] = 5,
) -> None:
    """Show a few questions of a round, made by the same stages; nothing is stored."""
    config = workspace_from_environment(limit=limit).config(round)
    with tempfile.TemporaryDirectory(prefix="hopsight-preview-") as folder:
        found = preview_questions(config, Workspace(Path(folder)))
    for question, chain in found.pairs:
        way = " → ".join(node.title for node in chain.nodes)
        console.print(f"\n[bold]{plain(question.text)}[/bold]")
        console.print(f"  answer  {plain(question.answer)}\n  way     {plain(way)}")
    for stage, reasons in found.reasons.items():
        told = ", ".join(f"{reason} {count}" for reason, count in reasons.items()) or "nothing"
        console.print(f"rejected by {stage}: {told}", style="dim")
    whole = workspace_from_environment().config(round)
    rollouts = config.curate.policy_samples + config.curate.teacher_samples
    console.print(
        f"\nThe whole round wants {whole.explore.paths} paths and {rollouts} rollouts for each "
        "question kept. Projected cost: 0.00 US dollars (reference models)."
    )
