"""`demo`: the whole loop on the mini world, and what came of it."""

import time

from hopsight.types import ExportRow
from hopsight.workspace import Workspace
from pipelines.commands.files import ensure_initialised
from pipelines.running import run_round
from pipelines.settings import PROJECT
from pipelines.terminal import console
from pipelines.views import print_funnel, print_pass_rates, print_story

ROUND = "0001"
KINDS = ("sft", "rl", "eval")
ASKED = "select reason, count(*) from rejections group by 1 order by 2 desc"


def demo() -> None:
    """Make round 0001 on the mini world with reference agents: no key, no GPU, no network."""
    began = time.monotonic()
    ensure_initialised()
    console.print("[bold]Hopsight demo[/bold]: one round on the mini world, by rule-based agents\n")
    run_round(ROUND, workers=None, limit=0, max_usd=None)
    workspace = Workspace.from_environment()
    print_funnel(workspace, ROUND)
    console.print()
    print_pass_rates(workspace, ROUND)
    print_story(workspace, ROUND)
    _where(workspace)
    console.print(f"\nDone in {time.monotonic() - began:.0f} s.")


def _where(workspace: Workspace) -> None:
    folder = workspace.exports(ROUND)
    sft, rl, held = (len(workspace.store.read(f"{name}_rows", ROUND, ExportRow)) for name in KINDS)
    command = PROJECT / ".venv" / "bin" / "hopsight"
    told = (
        f"\n  SFT   {sft:>4} rows  {folder / 'sft' / 'sft.json'}",
        f"  RL    {rl:>4} rows  {folder / 'rl' / 'rl.parquet'}",
        f"  eval  {held:>4} rows  {folder / 'eval' / 'eval.parquet'}",
        f"  card             {folder / 'README.md'}",
        "\nMade by reference agents; for trying out, not for training.",
        "\nLook further:",
        f"  {command} lineage sft.json:0",
        f'  {command} sql "{ASKED}"',
        f"  {command} dev      (the UI, on http://127.0.0.1:3000; Ctrl-C ends it)",
    )
    for line in told:
        console.print(line, soft_wrap=True, markup=False)
