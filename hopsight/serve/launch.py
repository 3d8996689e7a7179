"""Starting the server: one process, or several workers that map the same files."""

import asyncio
import os
import tempfile
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Final

import uvicorn
from fastapi import FastAPI
from mcp.server.stdio import stdio_server
from pydantic import BaseModel, ConfigDict
from starlette.types import Receive, Scope, Send

from hopsight.errors import ConfigError
from hopsight.harness.bank import Pictures
from hopsight.harness.setting import Setting
from hopsight.harness.tools import TOOLS
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.imaging import open_layout_parser, open_upscaler
from hopsight.net.listening import check_listening
from hopsight.serve.app import Served, create_app
from hopsight.serve.desk import Desks
from hopsight.serve.mcp_http import McpEndpoint
from hopsight.serve.mcp_server import mcp_server
from hopsight.serve.metrics import Metrics
from hopsight.serve.settings import (
    ServeSettings,
    check_exposure,
    token_from_environment,
)
from hopsight.serve.sources import Source, open_source

PLAN_VARIABLE: Final = "HOPSIGHT_SERVE_PLAN"
KEEP_ALIVE_S: Final = 15
ANOTHER_PORT: Final = "end what listens there, or name another --port"


class Plan(BaseModel):
    """All that a worker needs to know; it holds no secret. `metrics` is the file of the counts."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    source: Source
    settings: ServeSettings
    metrics: Path | None = None


def serve_http(
    source: Source, settings: ServeSettings, proven: Callable[[], None] = lambda: None
) -> None:
    """Serve until interrupted. `proven` is called when nothing stands against it any more.

    Raises ConfigError where everybody could use the server unintended, or index and embedder do
    not match, and StoreError for unreadable files: before anything listens.
    """
    check_exposure(settings, token_from_environment())
    check_listening("the server", settings.host, settings.port, ANOTHER_PORT)
    asyncio.run(_prove(source, settings))
    proven()
    with tempfile.TemporaryDirectory(prefix="hopsight-serve-") as folder:
        metrics = Path(folder) / "metrics"
        Metrics.create(metrics, settings.workers)
        plan = Plan(source=source, settings=settings, metrics=metrics)
        os.environ[PLAN_VARIABLE] = plan.model_dump_json()
        uvicorn.run(
            "hopsight.serve.launch:worker",
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=5,
        )


def worker() -> "Worker":
    """The application of one worker, from the environment that `serve_http` made."""
    return Worker(Plan.model_validate_json(os.environ[PLAN_VARIABLE]))


class Worker:
    """An ASGI application that opens its files as it starts, in the loop that it will run in."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._app: FastAPI | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or the life of the process."""
        if scope["type"] != "lifespan":
            assert self._app is not None
            await self._app(scope, receive, send)
            return
        async with open_source(self._plan.source) as served:
            self._app = _application(served, self._plan)
            await self._app(scope, receive, send)


def _application(served: Served, plan: Plan) -> FastAPI:
    settings = plan.settings
    metrics = Metrics(plan.metrics, settings.workers)
    mcp = McpEndpoint(_setting(served), settings) if settings.mcp else None
    return create_app(served, settings, token=token_from_environment(), metrics=metrics, mcp=mcp)


def open_bench(served: Served) -> Workbench:
    """The backend and the picture engines of this machine. Raises ConfigError without a backend.

    There is no sandbox on it: code is not run for clients.
    """
    if served.backend is None:
        raise ConfigError("there is nothing to search over MCP", "give --index or a corpus")
    return Workbench(served.backend, layout=open_layout_parser(), upscaler=open_upscaler())


def tool_setting(bench: Workbench, pictures: Pictures) -> Setting:
    """Every tool that the bench can serve."""
    names = tuple(name for name in TOOLS if _works(name, bench))
    return Setting(bench, pictures, tools=Toolset(names))


def _setting(served: Served) -> Setting:
    assert served.pictures is not None
    return tool_setting(open_bench(served), served.pictures)


def _works(name: str, bench: Workbench) -> bool:
    try:
        Toolset((name,)).check(bench)
    except ConfigError:
        return False
    return True


def serve_stdio(source: Source, settings: ServeSettings) -> None:
    """Serve one client over standard input and output, as MCP hosts start servers."""
    asyncio.run(_stdio(source, settings))


async def _stdio(source: Source, settings: ServeSettings) -> None:
    async with open_source(source) as served:
        desks = Desks(_setting(served), 1, inf)
        server = mcp_server(desks, lambda _: "", settings.max_picture_bytes)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


async def _prove(source: Source, settings: ServeSettings) -> None:
    async with open_source(source) as served:
        if settings.mcp:
            open_bench(served)
