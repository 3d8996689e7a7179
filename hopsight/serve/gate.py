"""What stands before every route: who may come in, how much they may bring, how many at once."""

import asyncio
import hmac
import time
from typing import Final
from urllib.parse import urlsplit

from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hopsight.serve.failures import told
from hopsight.serve.metrics import Metrics, route_of
from hopsight.serve.settings import ServeSettings, is_loopback

OPEN: Final = "/health"
"""Asked by what watches over servers, and tells nothing worth hiding."""

WITH_PICTURES: Final = frozenset({"/visual_search", "/self_test", "/mcp"})


class Gate:
    """ASGI middleware. A body is read whole, within bounds, before a route sees the request."""

    def __init__(
        self, app: ASGIApp, settings: ServeSettings, token: str | None, metrics: Metrics
    ) -> None:
        self._app = app
        self._settings = settings
        self._token = None if token is None else token.encode()
        self._metrics = metrics
        self._in_flight = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._admit(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - started
            self._metrics.count(route_of(scope["path"]), status, seconds)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        crowded = self._in_flight >= self._settings.max_in_flight and scope["path"] != OPEN
        if refusal is None and crowded:
            refusal = told(503, "overloaded", "too many requests at once")
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        self._in_flight += 1
        try:
            body = await self._body(scope, receive)
            if isinstance(body, JSONResponse):
                await body(scope, receive, send)
            else:
                await self._app(scope, _replay(body, receive), send)
        finally:
            self._in_flight -= 1

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if self._settings.local and not _names_this_machine(headers.get(b"host", b"")):
            # A page in a browser can make its own name mean 127.0.0.1; the Host header tells.
            return told(421, "wrong_host", "this server answers to this machine's names alone")
        if self._token is None or scope["path"] == OPEN:
            return None
        kind, _, given = headers.get(b"authorization", b"").partition(b" ")
        if kind.lower() == b"bearer" and hmac.compare_digest(given.strip(), self._token):
            return None
        return told(401, "unauthorised", "send `Authorization: Bearer …` with the server's token")

    async def _body(self, scope: Scope, receive: Receive) -> bytes | JSONResponse:
        limit = self._settings.max_body_bytes
        if route_of(scope["path"]) in WITH_PICTURES:
            limit += self._settings.max_picture_bytes * 4 // 3
        try:
            async with asyncio.timeout(self._settings.body_timeout_s):
                return await _read(receive, limit)
        except TimeoutError:
            return told(408, "slow_body", "the request's body did not come in time")


async def _read(receive: Receive, limit: int) -> bytes | JSONResponse:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return told(400, "cut_short", "the request ended before its body did")
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > limit:
            return told(413, "too_large", f"a request may have {limit} bytes")
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def _names_this_machine(host: bytes) -> bool:
    try:
        name = urlsplit(f"//{host.decode('ascii')}").hostname
    except ValueError:
        return False
    return name is not None and is_loopback(name)
