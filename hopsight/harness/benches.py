"""Opening the workbench of a process: who answers searches, and the engines that the tools need."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hopsight.config import DEFAULT_TOOLS
from hopsight.config.providers import ProvidersFile
from hopsight.errors import ConfigError
from hopsight.harness.backends import SERVED, SearchBackend
from hopsight.harness.backends.live import open_live
from hopsight.harness.backends.local import OFFERS, LocalBackend
from hopsight.harness.backends.remote import TOKEN_VARIABLE, RemoteBackend
from hopsight.harness.backends.replay import ReplayBackend
from hopsight.harness.guard import Blocklist
from hopsight.harness.model_reader import ModelReader
from hopsight.harness.reading import PageReader, Passages
from hopsight.harness.sandbox import open_sandbox
from hopsight.harness.sandbox.opening import conceivable
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.imaging import (
    LayoutParser,
    layout_installed,
    open_layout_parser,
    open_upscaler,
)
from hopsight.llm.call_store import CallStore
from hopsight.llm.service import Complete, ModelSettings, open_models
from hopsight.llm.spending import Spending
from hopsight.net import BlockedAddress, Fetcher
from hopsight.net.address import target_of
from hopsight.providers import Payer, Tape, tools_of
from hopsight.providers.layout import LAYOUT_VARIABLE, layout_service
from hopsight.store import ImageStore
from hopsight.types import content_hash


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """What a bench is opened from; workers receive it pickled.

    `backend` is `local` (the index in `index`), `live` (the providers), `replay` (what they have
    answered before, and nothing else), or the address of a search server. `paying` is whose
    limits paid searches count against, at the cost of `stage`. Only engines that `tools` need are
    opened.
    """

    index: Path
    pictures: Path
    backend: str = "local"
    tools: tuple[str, ...] = DEFAULT_TOOLS
    providers: ProvidersFile = field(default_factory=ProvidersFile)
    paying: ModelSettings = field(default_factory=ModelSettings.of_rules)
    stage: str = "tools"

    @property
    def identity(self) -> str:
        """Tells apart who answers searches, so that episodes of another web are not reused."""
        if self.backend in ("live", "replay"):
            return content_hash(tools_of(self.providers, os.environ))
        return self.backend


@asynccontextmanager
async def open_bench(settings: BenchSettings) -> AsyncIterator[Workbench]:
    """Open it within one event loop. Raises ConfigError for what is missing."""
    async with AsyncExitStack() as stack:
        backend = await _backend(settings, stack)
        sandbox = None
        if "python_code" in settings.tools:
            sandbox = await stack.enter_async_context(open_sandbox())
        yield Workbench(
            backend,
            reader=await _reader(settings, stack),
            python=sandbox,
            layout=await _layout(stack) if "layout_parsing" in settings.tools else None,
            upscaler=open_upscaler() if "super_resolution" in settings.tools else None,
        )


def check_bench(settings: BenchSettings, tools: Toolset) -> None:
    """Refuse tools that nothing could serve, before a round begins: asks nobody, loads no engine.

    A search server is taken to serve all, and a sandbox to hold, until they are opened. Call it
    outside of an event loop. Raises ConfigError, for a missing key or price too.
    """
    engines = {
        "python_code": conceivable(),
        "layout_parsing": bool(os.environ.get(LAYOUT_VARIABLE, "").strip()) or layout_installed(),
        "super_resolution": True,
    }
    there = frozenset(name for name, is_there in engines.items() if is_there)
    tools.check_served(asyncio.run(_offers(settings)), there)


async def _offers(settings: BenchSettings) -> frozenset[str]:
    if settings.backend == "local":
        return OFFERS
    async with AsyncExitStack() as stack:
        if settings.backend in ("live", "replay"):
            return (await _backend(settings, stack)).offers
    _place_of_server(settings)
    return SERVED


@asynccontextmanager
async def local_bench(folder: Path) -> AsyncIterator[Workbench]:
    """Searches and pages of the snapshot whose index lies in `folder`, and no engine."""
    yield Workbench(LocalBackend(folder))


async def _backend(settings: BenchSettings, stack: AsyncExitStack) -> SearchBackend:
    if settings.backend == "local":
        return LocalBackend(settings.index)
    if settings.backend == "replay":
        return _replay(settings, stack)
    if settings.backend == "live":
        return await _live(settings, stack)
    return await _remote(settings, stack)


async def _reader(settings: BenchSettings, stack: AsyncExitStack) -> PageReader:
    if "reader" not in settings.paying.endpoints:
        return Passages()
    models = await stack.enter_async_context(open_models(settings.paying))

    def ask_for(url: str) -> Complete:
        complete = models.complete("reader", settings.stage, url)
        assert complete is not None  # its endpoint was there
        return complete

    return ModelReader(ask_for)


async def _layout(stack: AsyncExitStack) -> LayoutParser | None:
    """The service that the environment names, else the engine that is installed here."""
    fetcher = await stack.enter_async_context(Fetcher())
    return layout_service(os.environ, fetcher) or open_layout_parser()


def _replay(settings: BenchSettings, stack: AsyncExitStack) -> SearchBackend:
    folder = settings.providers.recordings
    if folder is None:
        raise ConfigError(
            "there are no recordings to replay", "name their folder in configs/providers.yaml"
        )
    tape = stack.enter_context(Tape(folder))
    return ReplayBackend(tape, tools_of(settings.providers, os.environ))


async def _live(settings: BenchSettings, stack: AsyncExitStack) -> SearchBackend:
    paying = settings.paying
    store = stack.enter_context(CallStore(paying.folder, paying.scope, paying.limits))
    web = await stack.enter_async_context(Fetcher(blocks=Blocklist().blocks))
    live = open_live(
        settings.providers,
        os.environ,
        web,
        ImageStore(settings.pictures),
        payer=Payer(Spending(store, paying.prices), settings.stage, "tools"),
        seed=paying.seed,
    )
    return await stack.enter_async_context(live)


async def _remote(settings: BenchSettings, stack: AsyncExitStack) -> SearchBackend:
    own = frozenset({_place_of_server(settings)})
    fetcher = await stack.enter_async_context(Fetcher(allow_hosts=own))
    return await RemoteBackend.connect(
        settings.backend, fetcher, ImageStore(settings.pictures), os.environ.get(TOKEN_VARIABLE)
    )


def _place_of_server(settings: BenchSettings) -> str:
    try:
        return target_of(settings.backend).place
    except BlockedAddress as error:
        raise ConfigError(
            f"{settings.backend!r} is no backend: {error.cause}",
            "give local, live, replay, or the http address of a search server",
        ) from error
