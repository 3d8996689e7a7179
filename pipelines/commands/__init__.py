"""The verbs of the `hopsight` command, one function each."""

import typer

from pipelines.commands import (
    audit,
    catalog,
    check,
    costs,
    demo,
    episode,
    files,
    models,
    preview,
    review,
    rounds,
    serve,
    ui,
)

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
app.command("preview")(preview.preview)
app.command("check")(check.check)
app.command("episode")(episode.episode)
app.command("dev")(ui.dev)
app.command("serve")(serve.serve)
app.command("status")(catalog.status)
app.command("show")(catalog.show)
app.command("lineage")(catalog.lineage)
app.command("sql")(catalog.sql)
app.command("export")(files.export)
app.command("audit")(audit.audit)
app.add_typer(review.app, name="review")

models_app = typer.Typer(
    help="Which models answer, what they can do, and what they have cost.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
models_app.command("check")(models.check)
models_app.command("costs")(costs.costs)
models_app.command("forget-withheld")(costs.forget_withheld)
app.add_typer(models_app, name="models")
