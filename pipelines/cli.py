"""The `hopsight` command: one module of `pipelines.commands` per verb."""

import logging
import sys

import typer
from rich.console import Console

from hopsight.errors import HopsightError
from pipelines.commands import catalog, demo, files, rounds, ui

app = typer.Typer(
    name="hopsight",
    help="Make, check and trace multi-hop visual search questions.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("init")(files.init)
app.command("demo")(demo.demo)
app.command("run")(rounds.run)
app.command("preview")(rounds.preview)
app.command("dev")(ui.dev)
app.command("status")(catalog.status)
app.command("show")(catalog.show)
app.command("lineage")(catalog.lineage)
app.command("sql")(catalog.sql)
app.command("export")(files.export)


def main() -> None:
    """Run a command; what the user can mend is told in one line, without a traceback."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    try:
        app()
    except HopsightError as error:
        Console(stderr=True, soft_wrap=True, highlight=False).print(
            f"error: {error}", style="red", markup=False
        )
        sys.exit(1)
