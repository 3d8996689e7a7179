"""Asking a MediaWiki's API: one question, followed to its end; errors told with a remedy."""

import json
import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Final, Self
from urllib.parse import quote

import httpx
import wikipediaapi

from hopsight import __version__
from hopsight.config.api import ApiSource
from hopsight.errors import SourceError
from hopsight.wiki.api.transport import (
    BYTES_LIMIT,
    GO_ON,
    TOO_LARGE,
    PoliteTransport,
    Readdressed,
)

BATCH: Final = 50
"""Most titles or revisions that a MediaWiki takes in one request of an anonymous client."""
_BATCH_BYTES: Final = 5_000
"""Most bytes of titles in one address: servers cut addresses off at 8 KB."""
_ROUNDS: Final = 2_000
"""Most requests that one question may be continued for."""

_CHECK: Final = "set base_url to the wiki's api.php (its Special:Version page names it)"
_NOT_PUBLIC: Final = frozenset({"readapidenied", "permissiondenied", "mustbeloggedin"})

_log = logging.getLogger(__name__)


class ApiClient:
    """One wiki's API, and its picture files."""

    def __init__(self, config: ApiSource, transport: PoliteTransport) -> None:
        self._config = config
        # Without +: what stands before the first space is all that some logs keep.
        agent = f"Hopsight/{__version__} ({config.contact}) httpx/{httpx.__version__}"
        self._http = httpx.AsyncClient(
            transport=transport,
            headers={"User-Agent": agent},
            timeout=config.timeout_s,
            follow_redirects=False,
            trust_env=False,
        )
        self._wikipedia = wikipediaapi.AsyncWikipedia(
            user_agent=agent,
            extra_api_params={"maxlag": config.maxlag},
            max_retries=0,  # the transport below tries again
            timeout=config.timeout_s,
            transport=_Checked(Readdressed(transport, config.base_url)),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def query(self, **parameters: str | int) -> AsyncIterator[dict[str, Any]]:
        """The answers to one `action=query`, until the wiki says there is no more.

        Raises SourceError if the wiki cannot be reached, refuses, or does not speak its API.
        """
        fixed: dict[str, str | int] = {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "maxlag": self._config.maxlag,
            **parameters,
        }
        further: dict[str, str | int] = {}
        for _ in range(_ROUNDS):
            response = await self._http.get(self._config.base_url, params={**fixed, **further})
            answer = checked_answer(response)
            query = answer.get("query", {})
            if not isinstance(query, dict):
                raise not_documented("query is no object")
            yield query
            more = answer.get("continue")
            if more is None:
                return
            if not isinstance(more, dict) or more == further:
                raise not_documented("its continuation does not advance")
            further = more
        raise not_documented(f"its continuation does not end within {_ROUNDS} requests")

    async def listed_links(self, title: str) -> list[str]:
        """Every article that a page links to, as the wiki lists them; empty for a missing page."""
        page = self._wikipedia.page(title)
        try:
            links = await self._wikipedia.links(page, plnamespace=0)
        except (wikipediaapi.WikipediaException, KeyError, TypeError) as error:
            raise not_documented(f"the links of {title!r}: {error!r}") from error
        return [str(name) for name in links]

    async def file(self, url: str) -> httpx.Response | None:
        """A picture file, or None where it is longer than the bound. Redirects are not followed."""
        limit = {BYTES_LIMIT: self._config.max_picture_bytes}
        response = await self._http.get(url, extensions=limit)
        return None if response.extensions.get(TOO_LARGE) else response


class _Checked(httpx.AsyncBaseTransport):
    """Turns an API error into SourceError before a client sees it that does not look for one."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on and check its answer."""
        response = await self._inner.handle_async_request(request)
        checked_answer(response)
        return response


def batches(names: Iterable[str]) -> Iterator[list[str]]:
    """Names in groups that fit into one request."""
    group: list[str] = []
    size = 0
    for name in names:
        length = len(quote(name)) + 3
        if group and (len(group) == BATCH or size + length > _BATCH_BYTES):
            yield group
            group, size = [], 0
        group.append(name)
        size += length
    if group:
        yield group


def checked_answer(response: httpx.Response) -> dict[str, Any]:
    """The JSON object that an API answered. Raises SourceError, naming cause and remedy."""
    where = f"{response.request.url.copy_with(query=None)}"
    status = response.status_code
    if response.extensions.get(TOO_LARGE):
        raise SourceError(f"{where} answers without end", _CHECK)
    if response.is_redirect:
        to = response.headers.get("location", "somewhere else")
        raise SourceError(f"{where} redirects to {to[:300]}", "set base_url to the wiki's api.php")
    try:
        answer = json.loads(response.content)
    except ValueError as error:
        raise _no_json(response, where) from error
    if not isinstance(answer, dict):
        raise not_documented("it is no JSON object")
    if "error" in answer:
        raise _refused(answer["error"], where)
    if status != 200:
        raise SourceError(f"{where} answers HTTP {status}", f"check base_url, then {GO_ON}")
    if "warnings" in answer:
        _log.info("event=api_warning text=%.500r", answer["warnings"])
    return answer


def not_documented(what: str) -> SourceError:
    """The SourceError of an answer that is not as the API's documentation has it."""
    return SourceError(f"the wiki's API does not answer as documented: {what}", _CHECK)


def _no_json(response: httpx.Response, where: str) -> SourceError:
    status = response.status_code
    if status in (401, 403):
        return SourceError(
            f"{where} wants a login or bars this client (HTTP {status})",
            "use a wiki that is open to read, and a contact that its operators can reach",
        )
    if status == 429 or status >= 500:
        return SourceError(f"{where} stays busy or broken (HTTP {status})", f"wait, then {GO_ON}")
    kind = response.headers.get("content-type", "no content type").split(";")[0][:100]
    if kind == "text/html":
        kind = "an HTML page (a login or error page, or no API)"
    return SourceError(f"{where} answers HTTP {status} with {kind} instead of JSON", _CHECK)


def _refused(error: object, where: str) -> SourceError:
    told = error if isinstance(error, dict) else {}
    code, info = str(told.get("code", "?"))[:100], str(told.get("info", error))[:300]
    if code in _NOT_PUBLIC:
        return SourceError(
            f"{where} can only be read after a login ({code}: {info})",
            "use a wiki that is open to read",
        )
    if code in ("maxlag", "ratelimited", "readonly"):
        return SourceError(f"{where} stays busy ({code}: {info})", f"wait, then {GO_ON}")
    return SourceError(f"{where} refuses a question ({code}: {info})", _CHECK)
