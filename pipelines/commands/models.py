"""`models check`: a few small real calls for each role, and what they showed."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from assets.workspace import WorkspaceResource
from hopsight.budget import BudgetExceeded
from hopsight.config import ModelsConfig, RoundConfig
from hopsight.config.models import ROLES, Endpoint
from hopsight.errors import ConfigError
from hopsight.judge import JudgeSetup
from hopsight.judge.gateway import through
from hopsight.llm.call_store import CallStore
from hopsight.llm.client import ModelClient
from hopsight.llm.preflight import Probed, Problem, check_endpoint, declared, hints, problems
from hopsight.llm.service import ModelSettings
from pipelines.settings import workspace_from_environment
from pipelines.terminal import console, visible

RoundOption = Annotated[str | None, typer.Option(help="Four digits; without it the newest.")]

VECTORS = "embedder"
"""It is asked for vectors, not for text, and so tried apart."""
COLUMNS = ("role", "endpoint", "model", "declares", "found", "not found", "answers in", "fit")

Found = Mapping[str, tuple[Probed, ...] | Problem]
"""What each endpoint showed, by `_key`; or why it could not even be called."""


@dataclass(frozen=True, slots=True)
class Answering:
    """A role and who answers for it: the name in the configuration; None where rules do."""

    role: str
    name: str
    endpoint: Endpoint | None


def check(round: RoundOption = None) -> None:
    """Try the model of each role with a few small calls: what it can do, and what is wrong."""
    workspace = workspace_from_environment()
    config = workspace.config(round or workspace.newest_round())
    if not report(workspace, config):
        raise typer.Exit(1)


def report(workspace: WorkspaceResource, config: RoundConfig) -> bool:
    """Try every model and print what it can do; whether all is as the files declare it."""
    judge = workspace.judge(config)
    roles = who_answers(config, workspace, judge)
    with _quiet_client():
        found = asyncio.run(_try_all(roles, workspace.model_settings(config), config.seed))
    console.print(f"Who answers in round {config.round}\n")
    console.print(_table(roles, found))
    wrong = [*_gateway(judge), *((r.role, each) for r in roles for each in _wrong(r, found))]
    for role, each in wrong:
        _tell(f"error: {role}: {each.cause} — {each.remedy}")
    for name, capabilities in _undeclared(roles, found).items():
        _tell(f"hint: {name} has {capabilities}; add what you want used to its capabilities")
    return not wrong


@contextmanager
def _quiet_client() -> Iterator[None]:
    """What fails is told with its remedy; the client would tell it a second time."""
    logger = logging.getLogger("hopsight.llm.calling")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def who_answers(
    config: RoundConfig, workspace: WorkspaceResource, judge: JudgeSetup
) -> tuple[Answering, ...]:
    """Every role: those of the round, then those that models.yaml alone names."""
    file = workspace.models_file()
    endpoints = workspace.model_settings(config).endpoints
    others = [role for role in ROLES if role not in ModelsConfig.roles()]
    named = {role: str(getattr(config.models, role)) for role in ModelsConfig.roles()}
    named |= {role: file.name_of(role) for role in others}
    found = []
    for role, name in named.items():
        found.append(Answering(role, name, endpoints.get(role) or file.endpoints.get(name)))
        if role == "judge":
            spare = judge.endpoints[1:]
            found += [Answering(f"judge, fallback {n}", name, e) for n, e in enumerate(spare, 1)]
    return tuple(found)


async def _try_all(roles: tuple[Answering, ...], settings: ModelSettings, seed: int) -> Found:
    """Every endpoint once, however many roles it answers for, side by side."""
    first: dict[str, tuple[str, Endpoint]] = {}
    for each in roles:
        if each.endpoint is not None:
            first.setdefault(_key(each), (each.role, each.endpoint))
    if not first:
        return {}
    with CallStore(settings.folder, settings.scope, settings.limits) as store:
        async with ModelClient(store, settings.prices, seed=seed) as client:

            async def tried(role: str, endpoint: Endpoint) -> tuple[Probed, ...] | Problem:
                try:
                    return await check_endpoint(client, endpoint, role, seed)
                except (ConfigError, BudgetExceeded) as error:
                    return Problem(error.cause, error.remedy)

            results = await asyncio.gather(*(tried(*each) for each in first.values()))
    return dict(zip(first, results, strict=True))


def _key(each: Answering) -> str:
    """Equal for roles that one trial of an endpoint tells enough of."""
    assert each.endpoint is not None
    return f"{each.role == VECTORS} {each.endpoint.model_dump_json()}"


def _wrong(each: Answering, found: Found) -> tuple[Problem, ...]:
    if each.endpoint is None:
        return ()
    results = found[_key(each)]
    if isinstance(results, Problem):
        return (results,)
    return problems(each.role, each.endpoint, results)


def _undeclared(roles: tuple[Answering, ...], found: Found) -> dict[str, str]:
    """What endpoints can do and do not declare."""
    told = {}
    for each in roles:
        results = None if each.endpoint is None else found.get(_key(each))
        if each.endpoint is not None and each.role != VECTORS and isinstance(results, tuple):
            told[each.name] = ", ".join(hints(each.endpoint, results))
    return {name: capabilities for name, capabilities in told.items() if capabilities}


def _gateway(judge: JudgeSetup) -> list[tuple[str, Problem]]:
    if judge.gateway is None:
        return []
    try:
        through(judge.gateway, None)
    except ConfigError as error:
        return [("judge", Problem(error.cause, error.remedy))]
    return []


def _table(roles: tuple[Answering, ...], found: Found) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in COLUMNS:
        table.add_column(name, overflow="fold")
    for each in roles:
        table.add_row(*(Text(visible(cell)) for cell in _cells(each, found)))
    return table


def _cells(each: Answering, found: Found) -> tuple[str, ...]:
    endpoint = each.endpoint
    if endpoint is None:
        told = "a gateway" if each.name == "environment" else "rules answer"
        return (each.role, each.name, told, "", "", "", "", "")
    known = (each.role, each.name, endpoint.model, ", ".join(declared(endpoint)) or "nothing")
    results = found[_key(each)]
    fit = "NO" if _wrong(each, found) else "yes"
    if isinstance(results, Problem):
        return (*known, "", "", "", fit)
    able = [probed.capability for probed in results if probed.able is True]
    unable = [
        probed.capability + ("" if probed.able is False else " (not known)")
        for probed in results
        if probed.able is not True
    ]
    took = f"{results[0].seconds:.2f} s" if results[0].able else ""
    return (*known, ", ".join(able), ", ".join(unable), took, fit)


def _tell(line: str) -> None:
    console.print(Text(visible(" ".join(line.split()))), soft_wrap=True)
