"""`init` and `export`: files that a user keeps."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from hopsight.config import render_default_config
from hopsight.errors import ConfigError, StoreError
from hopsight.store.files import storage_errors, write_atomic
from hopsight.workspace import Workspace
from pipelines.settings import rounds_folder
from pipelines.terminal import console

ENVIRONMENT = """\
# Secrets and paths of this project; read by `hopsight` and by `dagster dev`. Never commit it.

# Where data sets, pictures and journals are kept.
#HOPSIGHT_DATA=data

# Dagster's home: the folder of dagster.yaml.
DAGSTER_HOME=${PWD}
"""


def init(
    force: Annotated[bool, typer.Option("--force", help="Write over files that exist.")] = False,
) -> None:
    """Write a commented configuration for round 0001 and a .env file."""
    for path, text in _first_files():
        if path.exists() and not force:
            console.print(f"kept     {path} (it exists; --force writes over it)")
            continue
        write_atomic(path, text.encode())
        console.print(f"written  {path}")


def ensure_initialised() -> None:
    """Write the first configuration where there is none."""
    for path, text in _first_files():
        if not path.exists():
            write_atomic(path, text.encode())


def _first_files() -> tuple[tuple[Path, str], ...]:
    first = rounds_folder() / "0001.yaml"
    return (first, render_default_config()), (Path.cwd() / ".env", ENVIRONMENT)


def export(
    to: Annotated[Path, typer.Argument(help="An empty or new folder.")],
    round: Annotated[str, typer.Option(help="The round whose files are copied.")] = "0001",
) -> None:
    """Copy a round's data sets, pictures and card to a folder of your own."""
    source = Workspace.from_environment().exports(round)
    if not (source / "README.md").is_file():
        raise StoreError(
            f"round {round} has no exported data sets", f"run `hopsight run --round {round}` first"
        )
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise ConfigError(f"{to} is not an empty folder", "name a new or empty folder")
    with storage_errors(to):
        shutil.copytree(source, to, dirs_exist_ok=True)
    files = sum(path.is_file() for path in to.rglob("*"))
    console.print(f"{files} files in {to}")
