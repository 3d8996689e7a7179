"""`episode`: one question, played and watched."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from assets.workspace import WorkspaceResource
from hopsight.catalog import Catalog
from hopsight.config import RoundConfig
from hopsight.errors import ConfigError, HopsightError
from hopsight.harness import run_episode
from hopsight.harness.benches import open_bench
from hopsight.harness.limits import limits_of
from hopsight.harness.policies import Sampling
from hopsight.harness.render import handle
from hopsight.harness.setting import Setting
from hopsight.llm.service import open_models
from hopsight.policies import make_policy, tools_for
from hopsight.store import ImageStore
from hopsight.store.files import write_atomic
from hopsight.types import Task, Trajectory
from pipelines.commands.rounds import RoundOption
from pipelines.episode_view import EpisodeView
from pipelines.settings import workspace_from_environment
from pipelines.terminal import console, plain

STAGE = "episode"
"""What its calls are counted by."""


def episode(
    question: Annotated[
        str, typer.Argument(help="The question, a file that holds it, or the id of a stored one.")
    ],
    image: Annotated[
        list[Path] | None, typer.Option(help="A picture that it is about; may be repeated.")
    ] = None,
    round: RoundOption = "0001",
    role: Annotated[str, typer.Option(help="Who plays: policy or teacher.")] = "policy",
    seed: Annotated[int, typer.Option(min=0, help="Of the policy's choices.")] = 1,
    whole: Annotated[bool, typer.Option("--whole", help="Show texts at full length.")] = False,
    save: Annotated[Path | None, typer.Option(help="Write the trajectory to a file.")] = None,
) -> None:
    """Play one question and watch it: turns, tool calls, and what came back."""
    resource = workspace_from_environment()
    config = resource.config(round)
    if role not in ("policy", "teacher"):
        raise ConfigError(f"nobody plays as {role!r}", "give --role policy or --role teacher")
    task = _task(question, tuple(image or ()), resource)
    view = EpisodeView(whole=whole)
    shown = " ".join(handle(number) for number in range(len(task.images)))
    console.print(f"[bold]{shown}[/bold] {plain(task.text)}")
    played = asyncio.run(_play(task, resource, config, role, seed, view))
    view.end(played)
    if save is not None:
        write_atomic(save, f"{played.model_dump_json(indent=1)}\n".encode())
        console.print(f"saved    {save}")


async def _play(
    task: Task,
    resource: WorkspaceResource,
    config: RoundConfig,
    role: str,
    seed: int,
    view: EpisodeView,
) -> Trajectory:
    workspace = resource.workspace
    sampling = Sampling(**config.harness.sampling.model_dump())
    limits = limits_of(config.harness)
    async with (
        open_models(resource.model_settings(config)) as models,
        open_bench(resource.bench_settings(config, STAGE)) as bench,
    ):
        name, dialect = str(getattr(config.models, role)), config.harness.dialect
        policy = make_policy(role, STAGE, sampling, name, models, dialect=dialect)
        tools = tools_for(role, config.harness, models.settings)
        setting = Setting(bench, workspace.images, limits, tools)
        return await run_episode(task, policy, setting, seed, "", 0, watch=view)


def _task(given: str, pictures: tuple[Path, ...], resource: WorkspaceResource) -> Task:
    """The task that the argument stands for. Raises HopsightError where a picture is none."""
    if given.startswith("q_") and not pictures:
        return _stored(given, resource)
    path = Path(given)
    text, named = given, pictures
    if len(given) < 4_096 and path.is_file():
        text, beside = _read(path)
        named = pictures or beside
    if not text.strip():
        raise ConfigError("the question is empty", "write it, or name a file that holds one")
    store: ImageStore = resource.workspace.images
    images = tuple(store.put(_bytes(each), "", "unknown", "unknown") for each in named)
    return Task(text=text.strip(), images=images)


def _stored(question_id: str, resource: WorkspaceResource) -> Task:
    with Catalog(resource.workspace.store) as catalog:
        row = catalog.lineage(question_id).row
    if row is None or "text" not in row:
        raise ConfigError(f"{question_id} is no stored question", "take an id that `show` tells")
    return Task.model_validate({"text": row["text"], "images": row["images"]})


def _read(path: Path) -> tuple[str, tuple[Path, ...]]:
    """A text file's question, or a JSON file's `question` and `images` (paths beside it)."""
    written = path.read_text(encoding="utf-8")
    if path.suffix != ".json":
        return written, ()
    try:
        value = json.loads(written)
        names = [str(each) for each in value.get("images", [])]
        return str(value["question"]), tuple(path.parent / name for name in names)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"{path} holds no question", 'write {"question": "…", "images": ["picture.png"]}'
        ) from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise HopsightError(f"{path} cannot be read: {error.strerror}", "name a picture") from error
