"""`dev`: the Dagster UI over this project."""

import os
import sys
from pathlib import Path
from typing import Annotated

import dagster as dg
import typer

from assets.workspace import PARTITIONS
from pipelines.commands.files import ensure_initialised
from pipelines.settings import PROJECT, rounds_folder, use_home
from pipelines.terminal import console


def dev(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the UI listens.")] = 3000,
    host: Annotated[str, typer.Option(help="The address it binds to.")] = "127.0.0.1",
) -> None:
    """Open the UI: assets, runs and previews of every round, until Ctrl-C."""
    ensure_initialised()
    home = use_home()
    rounds = sorted(path.stem for path in rounds_folder().glob("[0-9][0-9][0-9][0-9].yaml"))
    with dg.DagsterInstance.get() as instance:
        instance.add_dynamic_partitions(str(PARTITIONS.name), rounds)
    console.print(f"The UI comes up on http://{host}:{port} in about 15 s; home is {home}")
    command = [sys.executable, "-m", "dagster", "dev", "-m", "pipelines.definitions"]
    command += ["--host", host, "--port", str(port), "--log-level", "warning"]
    # The data and round folders were named against this directory; keep them when it changes.
    os.environ.setdefault("HOPSIGHT_DATA", str(Path("data").absolute()))
    os.environ.setdefault("HOPSIGHT_ROUNDS", str(rounds_folder()))
    os.chdir(PROJECT)
    os.execv(sys.executable, command)  # noqa: S606 -- our own interpreter and module
