"""Opening connections: a name is resolved once, its addresses checked, and one of them used.

Nothing resolves the name again, so that an answer that changes (DNS rebinding) changes nothing.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Final

import httpcore2
from typing_extensions import override

from hopsight.net.address import why_not_public
from hopsight.net.failures import BlockedAddress

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port to IP addresses. Raises OSError where there are none."""

MAX_TRIED: Final = 4

log = logging.getLogger(__name__)


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """The addresses that the operating system names, best first."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(f"{host} is no name") from error
    return list(dict.fromkeys(str(row[4][0]) for row in found))


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to public addresses alone, and to the `host:port` pairs that are allowed."""

    def __init__(self, allow_hosts: Collection[str], resolver: Resolver) -> None:
        self._allow_hosts = frozenset(allow_hosts)
        self._resolver = resolver
        self._inner = httpcore2.AnyIOBackend()

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Raises BlockedAddress before anything is sent where any address is not public."""
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._checked(host, port)
                # An address that swallows everything must leave time for the others.
                share = None if timeout is None else timeout / max(1, len(addresses))
                return await self._first(addresses, port, share, socket_options)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"{host} was not reached in time") from error

    @override
    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Never."""
        raise BlockedAddress(f"the socket {path} is not asked", "give a public URL")

    @override
    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def _first(
        self,
        addresses: Sequence[str],
        port: int,
        timeout: float | None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the first address that takes one."""
        failed: Exception = httpcore2.ConnectError("the name has no address")
        for address in addresses:
            try:
                return await self._inner.connect_tcp(
                    address, port, timeout, socket_options=socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
        raise failed

    async def _checked(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a host. One that is not public condemns all: it is a trap."""
        try:
            addresses = await self._resolver(host, port)
        except OSError as error:
            raise httpcore2.ConnectError(f"{host} cannot be resolved ({error})") from error
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        if place in self._allow_hosts:
            return addresses[:MAX_TRIED]
        for address in addresses:
            why = why_not_public(address)
            if why is not None:
                # A model may read the cause: what names stand for in here is not its business.
                log.warning("event=address_blocked place=%s address=%s", place, address[:60])
                raise BlockedAddress(
                    f"{place} is not asked: it leads to {why}",
                    "give a public URL; a server of your own is named in allow_hosts",
                )
        return addresses[:MAX_TRIED]
