"""Where the application keeps its things, from the environment."""

import os
from pathlib import Path

from dotenv import dotenv_values

from assets.workspace import WorkspaceResource
from hopsight.errors import ConfigError
from hopsight.workspace import Workspace

PROJECT = Path(__file__).resolve().parent.parent
HOME_VARIABLE = "DAGSTER_HOME"
ROUNDS_VARIABLE = "HOPSIGHT_ROUNDS"
MODELS_VARIABLE = "HOPSIGHT_MODELS"
PROVIDERS_VARIABLE = "HOPSIGHT_PROVIDERS"
RAY_VARIABLE = "HOPSIGHT_RAY"
WORKERS_VARIABLE = "HOPSIGHT_WORKERS"


def read_env_file(*, above_all: bool = False) -> None:
    """Take over `.env` of the working directory; what the environment says already stands.

    `above_all` is for Dagster, which puts the file above the environment: there a contradiction
    raises ConfigError, since the UI would look elsewhere than the other commands.
    """
    file = Path.cwd() / ".env"
    os.environ["PWD"] = str(Path.cwd())  # a caller that changed the directory may not have
    for name, value in dotenv_values(file).items():
        if value is not None and os.environ.setdefault(name, value) != value and above_all:
            raise ConfigError(
                f"{name} is {os.environ[name]} in the environment and {value} in {file}, which "
                "Dagster puts above the environment",
                f"change it in .env, or unset {name}",
            )


def rounds_folder() -> Path:
    """The folder of round configurations: HOPSIGHT_ROUNDS, else `configs/rounds`."""
    return Path(os.environ.get(ROUNDS_VARIABLE) or "configs/rounds").expanduser().absolute()


def models_file() -> Path:
    """The file of models: HOPSIGHT_MODELS, else `configs/models.yaml`."""
    return Path(os.environ.get(MODELS_VARIABLE) or "configs/models.yaml").expanduser().absolute()


def providers_file() -> Path:
    """The file of web services: HOPSIGHT_PROVIDERS, else `configs/providers.yaml`."""
    named = os.environ.get(PROVIDERS_VARIABLE) or "configs/providers.yaml"
    return Path(named).expanduser().absolute()


def use_home() -> Path:
    """Make the project's folder Dagster's home unless another is set; gives the home."""
    home = Path(os.environ.setdefault(HOME_VARIABLE, str(PROJECT))).expanduser().absolute()
    os.environ[HOME_VARIABLE] = str(home)
    if not home.is_dir():
        raise ConfigError(
            f"{HOME_VARIABLE} names {home}, which is no folder",
            f"create it or unset {HOME_VARIABLE}",
        )
    return home


def default_workers() -> int:
    """Processes that roll out: HOPSIGHT_WORKERS, else up to two, as there are cores."""
    text = os.environ.get(WORKERS_VARIABLE)
    if text is None or text == "":
        return min(2, os.cpu_count() or 1)
    if not text.isdigit() or not 1 <= int(text) <= 1024:
        raise ConfigError(f"{WORKERS_VARIABLE} is {text!r}", "set it to a number from 1 to 1024")
    return int(text)


def workspace_from_environment(
    workers: int | None = None, limit: int = 0, max_usd: float | None = None
) -> WorkspaceResource:
    """The resource for this process; `limit` 0 and `max_usd` None leave the configuration's."""
    return WorkspaceResource(
        data=str(Workspace.from_environment().root),
        rounds=str(rounds_folder()),
        models=str(models_file()),
        providers=str(providers_file()),
        ray=os.environ.get(RAY_VARIABLE, ""),
        workers=workers or default_workers(),
        limit=limit,
        max_usd=-1.0 if max_usd is None else max_usd,
    )
