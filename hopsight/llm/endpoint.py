"""The connection to an endpoint: one call out, one checked answer back, within one time-out.

The key stays here. Errors of the SDK hold the request with its headers, so none of them leaves
this file: what went wrong is told anew, without the key, and not chained to them.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache
from typing import Any, cast

import aiohttp
import httpx2
from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncOpenAI,
    DefaultAioHttpClient,
    OpenAIError,
    omit,
)

from hopsight.config.models import Endpoint
from hopsight.errors import ConfigError
from hopsight.llm.failures import ModelError, Reason, shown
from hopsight.llm.received import UNKNOWN_USE, A, Received, error_of_status
from hopsight.llm.retry import retry_after

MAX_BYTES = 32 << 20
"""The longest answer: 100,000 tokens with 20 alternatives each stay below it."""
CONNECT_S = 15.0
KEEP_S = 2.0
"""Idle connections are dropped before common servers drop them (5 s): a call that meets a closing
connection is lost, and perhaps paid."""
NO_KEY = "none"
_NEVER_SENT = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.ClientHttpProxyError,
    ssl.SSLError,
)


class Connection:
    """An open endpoint. It belongs to one event loop; close it there."""

    def __init__(self, endpoint: Endpoint, environ: Mapping[str, str]) -> None:
        self.endpoint = endpoint
        self._key = read_key(endpoint, environ)
        key = self._key or NO_KEY
        self._client = AsyncOpenAI(
            api_key=key,
            base_url=endpoint.base_url,
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=min(CONNECT_S, endpoint.timeout_s)),
            default_headers=_headers(key),
            http_client=_http_client(endpoint),
        )
        # The SDK fills these from the environment; they are meant for one provider alone.
        self._client.organization = self._client.project = None

    async def send(
        self, path: str, body: bytes, read: Callable[[bytes, str | None], Received[A]]
    ) -> Received[A]:
        """Make one call; `read` checks the body of an answer and lets no secret stay in it.

        Never raises for a failure of the server: it is in what is returned.
        """
        url = f"{self.endpoint.base_url}{path}"
        try:
            async with asyncio.timeout(self.endpoint.timeout_s):
                response = await self._client.post(url, cast_to=httpx2.Response, content=body)
            failed = None
        except (OpenAIError, aiohttp.ClientError, OSError) as error:  # TimeoutError is an OSError
            failed = self._failure(error)
        if failed is not None:
            return Received(None, failed, UNKNOWN_USE)
        if response.status_code != 200:
            return Received(None, self._of_response(response), UNKNOWN_USE)
        return read(response.content, self._key)

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()

    def _failure(self, error: Exception) -> ModelError:
        if isinstance(error, APIStatusError):
            return self._of_response(error.response)
        causes = _causes(error)
        for cause in causes:
            if isinstance(cause, _TooManyBytes):
                return ModelError(Reason.TOO_MANY_BYTES, cause.args[0])
        if any(isinstance(cause, _NEVER_SENT) for cause in causes):
            why = shown(str(causes[-1]), self._key)
            return ModelError(Reason.UNREACHABLE, why, billed=False)
        if any(isinstance(cause, TimeoutError) for cause in causes):
            return ModelError(Reason.TIMEOUT, f"no whole answer in {self.endpoint.timeout_s:g} s")
        if isinstance(error, APITimeoutError | APIConnectionError | aiohttp.ClientError | OSError):
            return ModelError(Reason.DISCONNECTED, shown(str(causes[-1]), self._key))
        return ModelError(Reason.MALFORMED, shown(f"{type(error).__name__}: {error}", self._key))

    def _of_response(self, response: Any) -> ModelError:
        headers = {name.lower(): value for name, value in response.headers.items()}
        wait = retry_after(headers, time.time())
        return error_of_status(response.status_code, response.content, self._key, wait)


def read_key(endpoint: Endpoint, environ: Mapping[str, str]) -> str | None:
    """The key of an endpoint from the environment. Raises ConfigError, which never shows it."""
    if endpoint.key_env is None:
        return None
    key = environ.get(endpoint.key_env, "").strip()
    if not key:
        raise ConfigError(
            f"{endpoint.address} needs a key, and {endpoint.key_env} is not set",
            f"set {endpoint.key_env} in .env or in the environment",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(
            f"the value of {endpoint.key_env} is no key (it holds spaces or signs beyond ASCII)",
            "set it to the key alone",
        )
    return key


def _http_client(endpoint: Endpoint) -> httpx2.AsyncClient:
    """The SDK's aiohttp transport, which costs a fifth of its default one."""
    verify = _usual_certificates()
    if endpoint.ca_bundle is not None:
        try:
            verify = ssl.create_default_context(cafile=endpoint.ca_bundle)
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(
                f"ca_bundle {endpoint.ca_bundle} cannot be used ({error})",
                "give a file of PEM certificates",
            ) from error
    return DefaultAioHttpClient(
        verify=verify,
        proxy=endpoint.proxy,
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=endpoint.concurrency, keepalive_expiry=KEEP_S),
        event_hooks={"response": [_bound]},
    )


def _headers(key: str) -> dict[str, str]:
    """What goes with each call. The SDK's account of this machine is left out: it is nobody's
    business, and each header is copied six times per call.
    """
    told = {
        "Authorization": f"Bearer {key}",
        "Accept-Encoding": "identity",
        "User-Agent": "hopsight",
    }
    about = "Lang Package-Version OS Arch Runtime Runtime-Version Async".split()
    return told | {f"X-Stainless-{name}": cast(str, omit) for name in about}


@cache
def _usual_certificates() -> ssl.SSLContext:
    """Loading them takes some 30 ms, so once per process."""
    return httpx2.create_ssl_context()


class _TooManyBytes(httpx2.TransportError):
    """An answer that is larger than any should be, or might become so when it is unpacked."""


class _Bounded(httpx2.AsyncByteStream):
    """The bytes of an answer, up to MAX_BYTES."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_BYTES:
                raise _TooManyBytes(f"the answer is larger than {MAX_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise _TooManyBytes("the answer is packed, though it was asked for plain")
    size = response.headers.get("content-length", "")
    if size.isdecimal() and int(size) <= MAX_BYTES:
        return  # the transport reads no more than that
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)


def _causes(error: BaseException) -> list[BaseException]:
    """An error and what it was raised from, the first cause last."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None:
        causes.append(cause)
    return causes
