"""Sending requests politely: few at once, pauses where the wiki asks for one, bounded answers."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import httpx

from hopsight.config.api import ApiSource
from hopsight.errors import SourceError

Sleep = Callable[[float], Awaitable[None]]

MAX_ANSWER: Final = 64 * 1024 * 1024
"""Bytes of one answer; MediaWiki cuts its own at 8 MiB."""
BYTES_LIMIT: Final = "hopsight.max_bytes"
"""Request extension: most bytes that are read of the answer's body."""
TOO_LARGE: Final = "hopsight.too_large"
"""Response extension, set where the body was longer than that; it is then empty."""

GO_ON: Final = "run again: the crawl goes on where it stopped"
_BUSY: Final = frozenset({"maxlag", "ratelimited", "readonly"})
_LONGEST_BACKOFF_S: Final = 60.0
_WHOLE: Final = 10
"""An answer that trickles in may take this many times the wait for a single piece of it."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Busy:
    """Why a request is to be sent again, and after how many seconds if the wiki says so."""

    reason: str
    wait_s: float | None
    response: httpx.Response | None


class PoliteTransport(httpx.AsyncBaseTransport):
    """Every request of a crawl passes here, whoever makes it.

    An answer 429 or 5xx, a `maxlag`, `ratelimited` or `readonly` error of the API, and a broken
    connection are tried again, after the seconds that Retry-After names or a pause that doubles.
    A pause holds back all requests. After the last try the answer is given as it is; SourceError
    if there is none, or if the wiki asks for a longer pause than `max_wait_s`.
    """

    def __init__(
        self, inner: httpx.AsyncBaseTransport, config: ApiSource, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._inner = inner
        self._config = config
        self._sleep = sleep
        self._slots = asyncio.Semaphore(config.concurrency)
        self._pause = asyncio.Lock()
        self._answered = False
        self.requests = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request until it is answered; its body lies in the answer, decoded."""
        attempt = 0
        while True:
            told = await self._in_turn(request)
            if isinstance(told, httpx.Response):
                return told
            last = attempt == self._config.retries
            # Whoever has never answered may not be there at all: that is told at once.
            if told.response is None and (last or not self._answered):
                raise SourceError(
                    f"{request.url.host} does not answer ({told.reason})",
                    f"check base_url and the network, then {GO_ON}",
                )
            if told.response is not None and last:
                return told.response
            await self._wait(told, attempt)
            attempt += 1

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()

    async def _in_turn(self, request: httpx.Request) -> httpx.Response | _Busy:
        async with self._pause:
            pass
        async with self._slots:
            return await self._once(request)

    async def _once(self, request: httpx.Request) -> httpx.Response | _Busy:
        self.requests += 1
        try:
            async with asyncio.timeout(self._config.timeout_s * _WHOLE):
                raw = await self._inner.handle_async_request(request)
                try:
                    response = await _read(raw, request)
                finally:
                    await raw.aclose()
        except (httpx.TransportError, httpx.DecodingError, TimeoutError) as error:
            return _Busy(f"{type(error).__name__}: {error}", None, None)
        self._answered = True
        code = _busy_code(response)
        if response.status_code == 429 or response.status_code >= 500 or code:
            reason = code or f"HTTP {response.status_code}"
            return _Busy(reason, _retry_after(response), response)
        return response

    async def _wait(self, busy: _Busy, attempt: int) -> None:
        wait_s = min(2.0**attempt, _LONGEST_BACKOFF_S) if busy.wait_s is None else busy.wait_s
        if wait_s > self._config.max_wait_s:
            raise SourceError(
                f"the wiki asks for a pause of {wait_s:.0f} s ({busy.reason})",
                f"wait that long or raise max_wait_s, then {GO_ON}",
            )
        _log.info("event=api_wait seconds=%.1f reason=%r", wait_s, busy.reason)
        async with self._pause:
            await self._sleep(wait_s)


class Readdressed(httpx.AsyncBaseTransport):
    """Sends every request to `address`, whatever host it names; its query stays as it is.

    For a client that can only ask the Wikipedias.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, address: str) -> None:
        self._inner = inner
        self._address = httpx.URL(address)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on to the address."""
        url = self._address.copy_with(query=request.url.query)
        headers = request.headers.copy()
        headers["Host"] = url.netloc.decode("ascii")
        return await self._inner.handle_async_request(
            httpx.Request(
                request.method,
                url,
                headers=headers,
                stream=request.stream,
                extensions=request.extensions,
            )
        )


async def _read(raw: httpx.Response, request: httpx.Request) -> httpx.Response:
    """The answer with its body read and decoded, or emptied where it is too long."""
    limit = int(request.extensions.get(BYTES_LIMIT, MAX_ANSWER))
    body = bytearray()
    extensions = {}
    async for chunk in raw.aiter_bytes(65536):
        body += chunk
        if len(body) > limit:
            body.clear()
            extensions[TOO_LARGE] = True
            break
    kept = {"content-type", "location", "mediawiki-api-error", "retry-after"}
    headers = [(name, value) for name, value in raw.headers.items() if name in kept]
    return httpx.Response(
        raw.status_code,
        headers=headers,
        content=bytes(body),
        extensions=extensions,
        request=request,
    )


def _busy_code(response: httpx.Response) -> str:
    """The code of an API error that only asks for patience, or an empty string."""
    code = response.headers.get("mediawiki-api-error", "")
    if not code and response.content.lstrip()[:9].startswith(b'{"error"'):
        try:
            code = json.loads(response.content)["error"]["code"]
        except (ValueError, KeyError, TypeError):
            return ""
    return code if code in _BUSY else ""


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds that Retry-After names, as a number or as a date; None where it names none."""
    value = response.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        then = parsedate_to_datetime(value)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
