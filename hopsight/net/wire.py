"""Requests as they are sent: the URL in parts, the headers, the proxy, the names of failures."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import unquote, urlsplit

import httpcore2

from hopsight.errors import ConfigError
from hopsight.net.address import PORTS, Target, shown
from hopsight.net.decode import ACCEPTED
from hopsight.net.failures import FetchFailed

_OURS: Final = frozenset({"host", "content-length", "transfer-encoding", "accept-encoding"})
_AGENT: Final = "hopsight (+https://github.com/hopsight/hopsight)"


def wire_url(target: Target) -> httpcore2.URL:
    """A target in the parts that are sent, so that nobody reads the URL a second time."""
    return httpcore2.URL(
        scheme=target.scheme.encode(),
        host=target.host.encode(),
        port=target.port,
        target=target.path.encode("ascii"),
    )


def wire_headers(
    target: Target, headers: Mapping[str, str], content: bytes | None
) -> list[tuple[bytes, bytes]]:
    """Headers by lower-case name, with those that only the fetcher may set."""
    sent = {"user-agent": _AGENT, "accept": "*/*"}
    sent |= {name: value for name, value in headers.items() if name not in _OURS}
    sent |= {"host": target.netloc, "accept-encoding": ACCEPTED}
    if content is not None:
        sent["content-length"] = str(len(content))
    return [(name.encode("ascii"), value.encode("latin-1")) for name, value in sent.items()]


def proxy_of(url: str) -> httpcore2.Proxy:
    """A proxy by its URL, which may hold a user name and a password. Raises ConfigError."""
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError) as error:
        # The URL itself is not shown: it may hold a password.
        raise ConfigError("the proxy's URL cannot be used", "give http://host:port") from error
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    at = httpcore2.URL(scheme=parts.scheme.encode(), host=host.encode(), port=port, target=b"/")
    return httpcore2.Proxy(at, auth=auth)


@asynccontextmanager
async def bounded(url: str, seconds: float) -> AsyncIterator[None]:
    """At most so long. What goes wrong on the network raises FetchFailed."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise _failed(url, f"nothing whole within {seconds:g} s") from error
    except httpcore2.TimeoutException as error:
        raise _failed(url, f"too slow ({type(error).__name__})") from error
    except (httpcore2.NetworkError, httpcore2.ProxyError) as error:
        raise _failed(url, f"not reached ({error or type(error).__name__})") from error
    except httpcore2.ProtocolError as error:
        raise _failed(url, f"no sound answer ({error})") from error


def _failed(url: str, why: str) -> FetchFailed:
    return FetchFailed(f"{shown(url)}: {why}", "try again later, or another address")
