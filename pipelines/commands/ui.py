"""`dev`: the Dagster UI over this project."""

import os
import sys
from pathlib import Path
from typing import Annotated

import dagster as dg
import typer

from assets.workspace import PARTITIONS
from hopsight.net.listening import check_listening
from hopsight.store.files import write_atomic
from hopsight.workspace import Workspace
from pipelines.commands.files import ensure_initialised
from pipelines.reaper import reap, told
from pipelines.settings import PROJECT, read_env_file, rounds_folder, use_home
from pipelines.terminal import console

SETTINGS = "dagster.yaml"
ANOTHER_PORT = "end what listens there, or name another port (`hopsight dev --port 3001`)"
NO_TELEMETRY = "DAGSTER_DISABLE_TELEMETRY"
SUPERSEDED = "ignore:Function `dev_command` is superseded"
"""`dg dev` asks for a package that does nothing else for us."""


def dev(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the UI listens.")] = 3000,
    host: Annotated[str, typer.Option(help="The address it binds to.")] = "127.0.0.1",
) -> None:
    """Open the UI: assets, runs and previews of every round, until Ctrl-C."""
    ensure_initialised()
    read_env_file(above_all=True)  # as Dagster will
    # Dagster would take another port.
    check_listening("the UI", host, port, ANOTHER_PORT)
    home = use_home()
    _ensure_settings(home)
    rounds = sorted(path.stem for path in rounds_folder().glob("[0-9][0-9][0-9][0-9].yaml"))
    with dg.DagsterInstance.get() as instance:
        for run in reap(instance):
            console.print(f"{told(run)} was killed; it is now marked as failed", soft_wrap=True)
        instance.add_dynamic_partitions(str(PARTITIONS.name), rounds)
    for line in _greeting(f"http://{host}:{port}", rounds[-1], home):
        console.print(line, soft_wrap=True, markup=False)
    os.environ[NO_TELEMETRY] = "yes"
    os.execv(sys.executable, _command(host, port))  # noqa: S606 -- our own interpreter and module


def _command(host: str, port: int) -> list[str]:
    module = ["-m", "dagster", "dev", "-d", str(PROJECT), "-m", "pipelines.definitions"]
    where = ["--host", host, "--port", str(port), "--log-level", "warning"]
    return [sys.executable, "-W", SUPERSEDED, *module, *where]


def _greeting(address: str, round: str, home: Path) -> tuple[str, ...]:
    return (
        f"The UI comes up in about 15 s. Open {address}/asset-groups",
        f"To make a round: Materialize all…, choose {round}, Launch. Ctrl-C ends the UI.",
        f"Home is {home}, data lie in {Workspace.from_environment().root}",
    )


def _ensure_settings(home: Path) -> None:
    """A home of one's own gets the project's settings: without them telemetry is on."""
    if not (home / SETTINGS).exists():
        write_atomic(home / SETTINGS, (PROJECT / SETTINGS).read_bytes())
