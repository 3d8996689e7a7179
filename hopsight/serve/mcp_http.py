"""MCP over streamable HTTP, at `/mcp` of the search server.

A session is what the handshake of MCP opened: its id comes with every request. There is no stream
from server to client, so that a connection that went half open keeps nothing alive: a session
without requests ends after `session_idle_s`, and its pictures with it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from mcp import types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hopsight.harness.setting import Setting
from hopsight.serve.desk import Desks
from hopsight.serve.failures import told
from hopsight.serve.mcp_server import mcp_server
from hopsight.serve.settings import MIB, ServeSettings

PATH: Final = "/mcp"
SESSION_HEADER: Final = "mcp-session-id"
SWEEPS: Final = 4
"""Looks for idle sessions in each period of idleness."""


class McpEndpoint:
    """The tools of one setting, for several clients at once."""

    def __init__(self, setting: Setting, settings: ServeSettings) -> None:
        self.desks = Desks(setting, settings.max_sessions, settings.session_idle_s)
        self._idle_s = settings.session_idle_s
        server = mcp_server(self.desks, _session_of, settings.max_picture_bytes)
        server.add_request_handler("server/discover", types.RequestParams, _discover)
        self._manager = StreamableHTTPSessionManager(
            app=server,
            json_response=True,
            session_idle_timeout=settings.session_idle_s,
            max_sessions=settings.max_sessions,
            max_request_body_size=settings.max_picture_bytes * 4 // 3 + MIB,
            # Who may come in is checked for all routes at once, in hopsight.serve.gate.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

    def route(self) -> Route:
        """Where the endpoint hangs in an application."""
        return Route(PATH, endpoint=self)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve sessions, and end the idle ones, while this is open."""
        async with self._manager.run():
            sweeper = asyncio.create_task(self._sweep())
            try:
                yield
            finally:
                sweeper.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request of a session."""
        if scope["method"] not in ("POST", "DELETE"):
            refusal = told(405, "wrong_method", "POST requests; this server sends none of its own")
            await refusal(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, send)
        if scope["method"] == "DELETE":
            session = dict(scope["headers"]).get(SESSION_HEADER.encode(), b"")
            self.desks.close(session.decode("latin-1"))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self._idle_s / SWEEPS)
            self.desks.sweep()


def _session_of(context: Any) -> str:
    request = context.request
    session = None if request is None else request.headers.get(SESSION_HEADER)
    if not session:
        raise MCPError(
            types.INVALID_REQUEST,
            "pictures are kept by session: open one with `initialize` (protocol "
            f"{HANDSHAKE_PROTOCOL_VERSIONS[-1]} or older)",
        )
    return str(session)


async def _discover(_: Any, __: Any) -> types.DiscoverResult:
    """Name the versions with sessions alone; clients of a newer one then open a session."""
    return types.DiscoverResult(
        supported_versions=list(HANDSHAKE_PROTOCOL_VERSIONS),
        capabilities=types.ServerCapabilities(tools=types.ToolsCapability()),
    )
