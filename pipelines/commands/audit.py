"""`audit`: the static gates over a file that somebody has published; nothing else is run."""

from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from curation.audit import Audit, audit_file, facts, found, write_audit
from curation.contamination import Fingerprints, read_fingerprints
from pipelines.terminal import console, visible

FOUND: Final = 3
"""The exit status where something was found; 1 says that the file could not be audited."""


def audit(
    file: Annotated[
        Path, typer.Argument(help="JSON, JSON Lines, Parquet or CSV: SFT, RL or question rows.")
    ],
    benchmark: Annotated[
        list[Path] | None,
        typer.Option(help="A benchmark's file, which the rows must not hold; may be repeated."),
    ] = None,
    images: Annotated[
        Path | None, typer.Option(help="Folder of the pictures; else that of the file.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for card.md, report.md and findings.jsonl.")
    ] = None,
) -> None:
    """Audit a data set: duplicates, leaks, answers, pictures, templates, contamination.

    Ends with 0 where nothing was found, 3 where something was, 1 where it cannot be read or holds
    no rows.
    """
    prints = None if not benchmark else read_fingerprints(benchmark)
    made = audit_file(file, images or file.parent, prints)
    console.print(_card(made))
    if prints is not None:
        _tell_benchmarks(prints)
    if made.findings:
        console.print(_found(made))
    console.print(f"\n{made.clean_rows:,} of {made.entered:,} rows have no finding.", markup=False)
    if out is not None:
        for path in write_audit(made, out):
            console.print(f"  {visible(str(path))}", markup=False)
    if made.findings:
        raise typer.Exit(FOUND)


def _card(made: Audit) -> Table:
    table = Table(title=Text(visible(made.file)), title_justify="left", box=None, pad_edge=False)
    table.add_column()
    table.add_column()
    for name, value in facts(made):
        table.add_row(name, value)
    table.show_header = False
    return table


def _tell_benchmarks(prints: Fingerprints) -> None:
    rejected = len(prints.rejected)
    told = f"\nHeld against {len(prints.rows):,} benchmark rows"
    told += f"; {rejected:,} rows or pictures of theirs are unusable:" if rejected else "."
    console.print(told, markup=False)
    for each in prints.rejected[:5]:
        line = f"  {each.record_id}: {each.reason}, {each.detail}"
        console.print(Text(visible(line.replace("\n", " "))))


def _found(made: Audit) -> Table:
    table = Table("gate", "reason", "rows", "share", "examples", box=None, pad_edge=False)
    for row in found(made):
        table.add_row(*(Text(visible(cell.replace("\n", " "))) for cell in row))
    return table
