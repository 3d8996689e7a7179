"""`status`, `show`, `lineage`, `sql`: asking stored data."""

import json
import re
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from hopsight.catalog import Catalog
from hopsight.errors import StoreError
from hopsight.progress import read_progress
from hopsight.stages import funnel_stages
from hopsight.workspace import Workspace
from pipelines.lineage_view import print_lineage
from pipelines.terminal import console, visible

MOST_ROWS = 200
_STEERING = re.compile("[\x7f-\x9f]")
"""Control characters that JSON lets stand as they are, and a terminal would obey."""


def status() -> None:
    """Which rounds there are and how far each has come."""
    workspace = Workspace.from_environment()
    rounds = [key for key in workspace.store.rounds("round_configs") if key != "all"]
    if not rounds:
        console.print("No round has been made yet; `hopsight run` makes round 0001.")
    unfinished = False
    for key in rounds:
        stages = funnel_stages(key)
        done = [name for name, at in stages if workspace.store.exists(f"funnel_{name}", at)]
        following = next((name for name, _ in stages if name not in done), None)
        unfinished = unfinished or following is not None
        told = "complete" if following is None else f"next is {following}"
        console.print(f"round {key}   {len(done)} of {len(stages)} stages, {told}")
    report = read_progress(workspace.root / "progress.json")
    if report is not None and unfinished:
        console.print(f"{report.stage}: {report.done} of {report.owed} rollouts played")


def show(
    name: Annotated[str, typer.Argument(help="A data set, or the id of a record.")],
    limit: Annotated[int, typer.Option(min=1, max=MOST_ROWS)] = 10,
) -> None:
    """Print the rows of a data set, or one record whole."""
    with Catalog(Workspace.from_environment().store) as catalog:
        if name in catalog.names():
            columns, rows = catalog.rows(f'SELECT * FROM "{name}" LIMIT {limit}')  # noqa: S608
            for row in rows:
                _print_json(dict(zip(columns, row, strict=True)))
            return
        node = catalog.lineage(name)
    if node.row is None:
        raise StoreError(
            f"record {name} is known to provenance alone", "materialize its round again"
        )
    _print_json(node.row)


def lineage(
    record: Annotated[
        str, typer.Argument(help="A record's id, or <file>:<row> of an exported file.")
    ],
    round: Annotated[str | None, typer.Option(help="Of which round the file is.")] = None,
) -> None:
    """Tell where a record comes from: question, chain, sentences, pictures, rollouts, verdicts."""
    workspace = Workspace.from_environment()
    with Catalog(workspace.store) as catalog:
        print_lineage(catalog.lineage(record, round=round), workspace)


def sql(query: Annotated[str, typer.Argument(help="A SELECT over the data sets.")]) -> None:
    """Ask every data set at once; each is a view of its name. `SHOW TABLES` lists them."""
    with Catalog(Workspace.from_environment().store) as catalog:
        columns, rows = catalog.sql(query)
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    for row in rows[:MOST_ROWS]:
        table.add_row(*(Text("" if value is None else visible(str(value))) for value in row))
    console.print(table)
    if len(rows) > MOST_ROWS:
        console.print(f"({MOST_ROWS} of {len(rows):,} rows shown; add a LIMIT)", style="dim")


def _print_json(row: object) -> None:
    text = json.dumps(row, ensure_ascii=False, indent=2, default=str)
    text = _STEERING.sub(lambda mark: f"\\u{ord(mark.group()):04x}", text)
    console.print(text, soft_wrap=True, markup=False)
