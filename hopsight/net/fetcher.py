"""Fetching from addresses that anyone may have written: guarded, bounded, without memory.

No cookie is kept, no variable of the environment is followed, nothing is sent but what is given.
"""

import asyncio
import logging
import os
import ssl
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType, TracebackType
from typing import Final, Self
from urllib.parse import urljoin

import httpcore2

from hopsight.net.address import Target, shown, target_of
from hopsight.net.answer import Fetched, headers_of, of_kind, read_body
from hopsight.net.connect import GuardedBackend, Resolver, system_resolver
from hopsight.net.decode import decoded
from hopsight.net.failures import BlockedAddress, FetchFailed
from hopsight.net.kinds import ANYTHING, kind_of
from hopsight.net.wire import bounded, proxy_of, wire_headers, wire_url

Blocks = Callable[[str], str | None]
"""An address to the rule of a blocklist that forbids it, None where none does."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_HARMLESS: Final = frozenset({"accept", "accept-language", "user-agent"})
"""Headers that follow a redirect to another origin; the others may be secrets."""
_TO_THREAD: Final = 1 << 18
"""Bodies of more bytes are unpacked beside the event loop."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Seconds, bytes and numbers that no answer may pass.

    `connect_s` bounds naming and connecting, `piece_s` the wait for the first and every further
    piece of an answer, `whole_s` all of it with its redirects.
    """

    connect_s: float = 10.0
    piece_s: float = 20.0
    whole_s: float = 60.0
    max_bytes: int = 16 << 20
    redirects: int = 5
    ports: frozenset[int] = frozenset({80, 443, 8080, 8443})
    connections: int = 64


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy that the user configured, for `hosts` alone: the proxy, not the guard, resolves them.

    Never name hosts here that a page or a model chose.
    """

    url: str
    hosts: frozenset[str]


class Fetcher:
    """Fetches within one event loop; an async context manager.

    `allow_hosts` names `host:port` pairs that may lie anywhere: a search server of the user's own.
    Addresses from pages and models belong into a Fetcher without any. `blocks` is asked about
    every address, those of redirects included.
    """

    def __init__(
        self,
        limits: FetchLimits = FetchLimits(),
        *,
        allow_hosts: frozenset[str] = frozenset(),
        blocks: Blocks | None = None,
        proxy: Proxy | None = None,
        resolver: Resolver = system_resolver,
    ) -> None:
        self.limits = limits
        self._allow_hosts = allow_hosts
        self._blocks = blocks
        self._backend = GuardedBackend(allow_hosts, resolver)
        self._pool: httpcore2.AsyncConnectionPool | None = None
        self._proxy = proxy
        self._proxied: httpcore2.AsyncConnectionPool | None = None
        self._waits = {
            "connect": limits.connect_s,
            "read": limits.piece_s,
            "write": limits.piece_s,
            "pool": limits.whole_s,
        }

    async def __aenter__(self) -> Self:
        ssl_context = _ssl_context(*map(os.environ.get, ("SSL_CERT_FILE", "SSL_CERT_DIR")))
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl_context,
            max_connections=self.limits.connections,
            keepalive_expiry=30.0,
            network_backend=self._backend,
        )
        if self._proxy is not None:
            self._proxied = httpcore2.AsyncConnectionPool(
                ssl_context=ssl_context,
                max_connections=self.limits.connections,
                keepalive_expiry=30.0,
                proxy=proxy_of(self._proxy.url),
            )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pool in (self._pool, self._proxied):
            if pool is not None:
                await pool.aclose()
        self._pool = self._proxied = None

    async def get(
        self,
        url: str,
        *,
        kinds: Collection[str] = ANYTHING,
        max_bytes: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Fetched:
        """Fetch, following redirects. `kinds` bounds what a body of success may be.

        Raises BlockedAddress, FetchFailed (nothing whole came) or BodyRefused; a status is given
        back, whatever it is. Headers stay at the first origin, but for a few that tell nothing.
        """
        sent = _lower(headers)
        async with bounded(url, self.limits.whole_s):
            target = self._checked(url)
            for _ in range(self.limits.redirects + 1):
                answer = await self._once("GET", target, sent, None, max_bytes)
                location = answer.headers.get("location")
                if answer.status not in _REDIRECTS or not location:
                    return of_kind(answer, kinds)
                following = self._redirected(target, location)
                if following.origin != target.origin:
                    sent = {name: sent[name] for name in sent if name in _HARMLESS}
                target = following
        raise FetchFailed(
            f"{shown(url)} redirects more than {self.limits.redirects} times", "try another address"
        )

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        max_bytes: int | None = None,
    ) -> Fetched:
        """One request as it is. A redirect is given back, never followed: what is sent has secrets.

        Raises as `get` does.
        """
        async with bounded(url, self.limits.whole_s):
            return await self._once(method, self._checked(url), _lower(headers), content, max_bytes)

    def _checked(self, url: str) -> Target:
        target = target_of(url)
        allowed = target.place in self._allow_hosts or self._through_proxy(target)
        if not allowed and target.port not in self.limits.ports:
            raise BlockedAddress(
                f"{target.place} is not asked: port {target.port} is none of the web's",
                "give a public URL; a server of your own is named in allow_hosts",
            )
        rule = None if self._blocks is None else self._blocks(target.url)
        if rule is not None:
            raise BlockedAddress(f"{shown(url)} is blocked", "use another source", rule)
        return target

    def _redirected(self, source: Target, location: str) -> Target:
        """Where a redirect leads. What is allowed to the caller is not allowed to a page."""
        try:
            target = self._checked(urljoin(source.url, location.replace(" ", "%20")))
        except ValueError as error:
            raise BlockedAddress(
                f"{source.place} redirects to {shown(location)!r}, which is no address",
                "use another source",
            ) from error
        inside = target.place in self._allow_hosts or self._through_proxy(target)
        if inside and target.origin != source.origin:
            raise BlockedAddress(
                f"{source.place} redirects to {target.place}, which is not public",
                "use another source",
            )
        return target

    def _through_proxy(self, target: Target) -> bool:
        return self._proxy is not None and target.host in self._proxy.hosts

    async def _once(
        self,
        method: str,
        target: Target,
        headers: Mapping[str, str],
        content: bytes | None,
        max_bytes: int | None,
    ) -> Fetched:
        pool = self._proxied if self._through_proxy(target) else self._pool
        if pool is None:
            raise RuntimeError("a Fetcher is used inside `async with`")
        limit = self.limits.max_bytes if max_bytes is None else max_bytes
        async with pool.stream(
            method,
            wire_url(target),
            headers=wire_headers(target, headers, content),
            content=content,
            extensions={"timeout": self._waits},
        ) as response:
            told = headers_of(response.headers)
            raw = b""
            if response.status not in _REDIRECTS:
                raw = await read_body(response, told.get("content-length", ""), limit)
        body = await _unpacked(raw, told.get("content-encoding", ""), limit)
        mime = kind_of(body, told.get("content-type", ""))
        log.debug(
            "event=fetched place=%s status=%d bytes=%d", target.place, response.status, len(body)
        )
        return Fetched(target.url, response.status, mime, body, MappingProxyType(told))


async def _unpacked(raw: bytes, encoding: str, limit: int) -> bytes:
    if len(raw) > _TO_THREAD:
        return await asyncio.to_thread(decoded, raw, encoding, limit)
    return decoded(raw, encoding, limit)


@cache
def _ssl_context(*trusted: str | None) -> ssl.SSLContext:
    """Reading the certificates takes some 30 ms, and one context serves all fetchers.

    `trusted` are the values of the variables that name certificates.
    """
    return httpcore2.default_ssl_context()


def _lower(headers: Mapping[str, str] | None) -> dict[str, str]:
    return {name.lower(): value for name, value in (headers or {}).items()}
