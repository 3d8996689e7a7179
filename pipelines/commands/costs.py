"""`models costs`: what the calls of a round have cost, from the ledger."""

from pathlib import Path

from rich.table import Table
from rich.text import Text

from hopsight.llm.call_store import FILE, CallStore
from hopsight.llm.costs import CostRow
from pipelines.commands.models import RoundOption
from pipelines.commands.preview import preview_scope
from pipelines.settings import workspace_from_environment
from pipelines.terminal import console, visible

COLUMNS = ("stage", "role", "calls", "tokens", "US dollars", "unknown", "assumed", "lost", "free")
LEGEND = (
    "unknown: calls without a price, which the dollars leave out; assumed, lost: counted with "
    "their worst case; free: calls that failed unbilled"
)


def costs(round: RoundOption = None) -> None:
    """Tell what the calls of a round have cost so far, by stage and role."""
    workspace = workspace_from_environment()
    key = workspace.config(round or workspace.newest_round()).round
    folder = workspace.workspace.calls
    scopes = {key: f"Round {key}", preview_scope(key): f"Previews of round {key}"}
    shown = (folder / FILE).exists() and [_show(folder, *each) for each in scopes.items()]
    if not shown or not any(shown):
        console.print(f"Round {key} has called no model: nothing is spent.")
        return
    console.print(LEGEND, style="dim", soft_wrap=True)


def forget_withheld(round: RoundOption = None) -> None:
    """Ask again what content filters refused: such requests are remembered, not paid twice."""
    workspace = workspace_from_environment()
    key = workspace.config(round or workspace.newest_round()).round
    folder = workspace.workspace.calls
    count = 0
    if (folder / FILE).exists():
        with CallStore(folder, key) as store:
            count = store.forget_withheld()
    console.print(f"{count} refused requests are forgotten; a further run asks them again.")


def _show(folder: Path, scope: str, title: str) -> bool:
    """Print the costs of a scope; False where it has none."""
    with CallStore(folder, scope) as store:
        rows, failures = store.costs(("stage", "role")), store.failures()
        spent = store.spent()
    if not rows:
        return False
    console.print(f"{title}: {spent.calls:,} calls, {spent.tokens:,} tokens, ${spent.usd:.6f}")
    table = Table(box=None, pad_edge=False)
    for name in COLUMNS:
        left = name in ("stage", "role")
        table.add_column(name, justify="left" if left else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in _cells(row)))
    console.print(table)
    if failures:
        told = ", ".join(f"{reason} {count:,}" for reason, count in failures.items())
        console.print(Text(f"failed: {visible(told)}"), soft_wrap=True)
    console.print()
    return True


def _cells(row: CostRow) -> tuple[str, ...]:
    figures = (row.unknown, row.assumed, row.lost, row.free)
    usd = "unknown" if row.unknown == row.calls and row.calls else f"{row.usd:.6f}"
    return (*row.group, f"{row.calls:,}", f"{row.tokens:,}", usd, *(f"{n:,}" for n in figures))
