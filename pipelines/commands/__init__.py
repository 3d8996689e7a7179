"""The verbs of the `hopsight` command, one function each."""

import typer

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
