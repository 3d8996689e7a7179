"""`check`: every model and every tool of a round, tried once before anything is spent."""

import asyncio
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from assets.named_files import check_named_files
from assets.workspace import WorkspaceResource
from hopsight.catalog import Catalog
from hopsight.config import RoundConfig
from hopsight.errors import ConfigError, HopsightError
from hopsight.harness.benches import open_bench
from hopsight.harness.limits import limits_of
from hopsight.harness.preflight import Checked, Known, check_tools
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.types import ImageRef
from pipelines.commands import models
from pipelines.settings import workspace_from_environment
from pipelines.terminal import console, visible

STAGE = "check"
"""What its searches are counted by."""

KNOWN = "Eiffel Tower"
"""What any search of the web finds, with a picture."""


def check(
    round: models.RoundOption = None,
    known: Annotated[
        str, typer.Option(help="What a search server or the web is asked for; it must know it.")
    ] = KNOWN,
) -> None:
    """Try each model, search provider and tool of a round once: what works, what is wrong.

    The files that the round names are looked for first.
    """
    workspace = workspace_from_environment()
    config = workspace.config(round or workspace.newest_round())
    check_named_files(config)
    able = models.report(workspace, config)
    console.print(f"\nTools of round {config.round}, searches by {config.harness.backend}\n")
    found = asyncio.run(_tried(workspace, config, known))
    console.print(_table(found))
    if not able or not all(each.able for each in found):
        raise typer.Exit(1)


async def _tried(
    workspace: WorkspaceResource, config: RoundConfig, known: str
) -> tuple[Checked, ...]:
    images = workspace.workspace.images
    async with open_bench(workspace.bench_settings(config, STAGE)) as bench:
        setting = Setting(bench, images, limits_of(config.harness), Toolset(config.harness.tools))
        if config.harness.backend == "local":
            return await check_tools(setting, _of_snapshot(workspace))
        return await check_tools(setting, await _of_search(setting, known))


def _of_snapshot(workspace: WorkspaceResource) -> Known:
    """An article of the stored wiki that has a picture."""
    with Catalog(workspace.workspace.store) as catalog:
        _, rows = catalog.rows(
            "SELECT p.title, p.url, i.image FROM page_images i JOIN pages p USING (page_id)"
            " ORDER BY p.page_id LIMIT 1"
        )
    if not rows:
        raise ConfigError("the stored wiki shows no picture", "check a round whose wiki has some")
    title, url, image = rows[0]
    picture = ImageRef.model_validate(image)
    return Known(str(title), picture, str(url), picture.source_url)


async def _of_search(setting: Setting, query: str) -> Known:
    """What a search by words shows; its picture must then be found by its pixels."""
    backend = setting.bench.backend
    if "image_search" not in backend.offers:
        raise ConfigError(
            "the backend finds no pictures, so that nothing can be looked for",
            "configure who searches for pictures, or check a round with backend: local",
        )
    hits = await backend.image_search(query, 1)
    if not hits:
        raise HopsightError(
            f"no picture was found for {query!r}", "give --known something that is there"
        )
    hit = hits[0]
    return Known(query, hit.image, "", hit.image_url)


def _table(found: tuple[Checked, ...]) -> Table:
    table = Table("tool", "works", "took", "seen", box=None, pad_edge=False)
    for each in found:
        works = Text("yes", style="green") if each.able else Text("no", style="red")
        table.add_row(each.tool, works, f"{each.seconds:.2f} s", Text(visible(each.detail)))
    return table
