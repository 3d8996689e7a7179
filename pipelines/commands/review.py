"""`review`: a page on which people decide about questions, and the same as a sheet."""

import getpass
from pathlib import Path
from typing import Annotated

import typer

from curation.review import SheetRow, review_queue, standing, take_sheet, write_sheet
from hopsight.chains import chain_of
from hopsight.errors import ConfigError
from hopsight.harness.backends.remote import TOKEN_VARIABLE
from hopsight.types import Question
from hopsight.workspace import Workspace
from pipelines.commands.rounds import RoundOption
from pipelines.review import Material, open_material, serve_review
from pipelines.terminal import console, plain

MOST_FAULTS = 20

app = typer.Typer(
    help="Decide about a round's questions: on a page, or in a sheet.",
    invoke_without_command=True,
    rich_markup_mode=None,
)


@app.callback()
def review(
    context: typer.Context,
    round: RoundOption = "0001",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port.")] = 9001,
    open_to_all: Annotated[
        bool, typer.Option("--open-to-all", help="Listen beyond this machine without a token.")
    ] = False,
) -> None:
    """Serve the review page until Ctrl-C: picture, question, chain, evidence.

    A token in HOPSIGHT_SERVE_TOKEN is asked of every browser.
    """
    if context.invoked_subcommand is not None:
        return

    def greet(signs_in: bool) -> None:
        way = f"/?token=${TOKEN_VARIABLE}" if signs_in else ""
        console.print(f"Open http://{host}:{port}{way} — Ctrl-C ends it.", markup=False)

    workspace = Workspace.from_environment()
    serve_review(workspace, round, host, port, ready=greet, open_to_all=open_to_all)


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(help="A .csv or .parquet file to write.")],
    round: RoundOption = "0001",
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
) -> None:
    """Write a round's questions and decisions as a sheet to be filled in."""
    _check_name(file)
    if file.exists() and not force:
        raise ConfigError(f"{file} exists", "name another file, or say --force")
    material = open_material(Workspace.from_environment(), round)
    subjects = material.desk.subjects
    decided = standing(material.desk.journal.load())
    ordered = review_queue(subjects.questions.values(), decided, seed=subjects.seed)
    rows = [
        SheetRow(
            each, chain_of(each, subjects.chains), _picture(material, each), decided.get(each.id)
        )
        for each in ordered
    ]
    console.print(
        f"{write_sheet(file, rows)} questions, {len(decided)} decided, in {plain(str(file))}"
    )


@app.command("import")
def take(
    file: Annotated[Path, typer.Argument(help="A .csv or .parquet file that was filled in.")],
    round: RoundOption = "0001",
    reviewer: Annotated[str, typer.Option(help="Who decided, where the sheet does not say.")] = "",
) -> None:
    """Take a sheet's decisions over; rows that cannot be are told by line."""
    _check_name(file)
    material = open_material(Workspace.from_environment(), round)
    try:
        taken = take_sheet(material.desk, file, reviewer=reviewer or _login())
    finally:
        material.close()
    for fault in taken.faults[:MOST_FAULTS]:
        console.print(f"line {fault.line}: {plain(fault.why)}", soft_wrap=True)
    console.print(
        f"{len(taken.decisions)} decisions taken, {taken.unchanged} stood already, "
        f"{taken.undecided} rows undecided, {len(taken.faults)} refused"
    )
    if taken.faults:
        raise ConfigError(
            f"{len(taken.faults)} rows of {file} were refused",
            "mend those lines and import the sheet again: what was taken stays",
        )


def _picture(material: Material, question: Question) -> str:
    paths = [material.workspace.images.path(image.sha256) for image in question.images]
    return " ".join(map(str, paths))


def _check_name(file: Path) -> None:
    if file.suffix not in (".csv", ".parquet"):
        raise ConfigError(f"{file} is neither CSV nor Parquet", "name a .csv or .parquet file")


def _login() -> str:
    """The name of the person at this machine, "" where it has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
