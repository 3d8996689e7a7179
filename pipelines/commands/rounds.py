"""`run`: making a round."""

from typing import Annotated

import typer

from hopsight.workspace import Workspace
from pipelines.running import run_round
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
