"""Jina Reader (r.jina.ai): a page as Markdown.

POST / with `{"url"}` and Accept: application/json. The answer is an envelope `{"code", "status",
"data"}`; an error has `name` and `message` in it and no data. How the page itself answered is told
in `data.httpStatus` or in the first words of `data.warning`: an error page of a site, which the
service gives as content all the same, is none here.
"""

import json
import re
from typing import Annotated, Final

from pydantic import Field

from hopsight.config.providers import JinaConfig
from hopsight.llm.failures import Reason, of_status
from hopsight.net import Fetched
from hopsight.providers.failures import ServiceError, empty_success, refused
from hopsight.providers.keys import Secret
from hopsight.providers.markdown import without_pictures
from hopsight.providers.payload import Link, Sent, Text, checked, json_of, status_error
from hopsight.providers.ports import FoundPage
from hopsight.providers.service import Request, Service

NAME: Final = "jina"
GONE: Final = frozenset({404, 410})
MAX_CHARS: Final = 2_000_000
_WARNED: Final = re.compile(r"Target URL returned error ([1-5][0-9][0-9])\b")


class _Page(Sent):
    title: Text = ""
    url: Link = ""
    content: Annotated[str, Field(max_length=MAX_CHARS)] = ""
    warning: str = ""
    httpStatus: int | None = None  # noqa: N815 -- the provider's spelling


class _Envelope(Sent):
    code: int = 200
    name: str = ""
    message: str = ""
    data: _Page | None = None


class Jina:
    """Reads pages. Without a key it is slower and answers fewer calls."""

    def __init__(self, config: JinaConfig, key: Secret | None, service: Service) -> None:
        self._config = config
        self._key = key
        self._service = service

    async def read(self, url: str) -> FoundPage | None:
        """The page at `url`; None where the site says that there is none."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.value}"
        body = json.dumps({"url": url}).encode()
        address = f"{self._config.base_url}/"
        request = Request("POST", address, headers, body, paid="page", operation="page")
        return await self._service.ask(request, lambda fetched: _page(fetched, url))


def _page(fetched: Fetched, url: str) -> FoundPage | None:
    if fetched.status != 200:
        raise status_error(NAME, fetched, _said)
    sent = checked(NAME, _Envelope, json_of(NAME, fetched))
    if sent.code != 200:
        raise refused(NAME, sent.code, f"{sent.name} {sent.message}")
    page = sent.data
    if page is None:
        raise empty_success(NAME, "no data")
    status = _site_status(page)
    if status in GONE:
        return None
    if status >= 400:
        raise site_error(NAME, status)
    if not page.content.strip():
        raise empty_success(NAME, "no content")
    url = page.url or url
    markdown, pictures = without_pictures(page.content, url)
    return FoundPage(url, page.title, markdown, pictures)


def site_error(service: str, status: int) -> ServiceError:
    """The error of a page that its own site refuses to show."""
    reason = of_status(status, "")
    if reason in (Reason.UNAUTHORISED, Reason.QUOTA_EXHAUSTED):
        reason = Reason.BAD_REQUEST
    return ServiceError(
        service,
        reason,
        f"the page's site answered with status {status}",
        remedy="visit another page",
        upstream=True,
    )


def _site_status(page: _Page) -> int:
    if page.httpStatus is not None:
        return page.httpStatus
    warned = _WARNED.match(page.warning)
    return 200 if warned is None else int(warned[1])


def _said(body: object) -> str:
    told = checked(NAME, _Envelope, body)
    return f"{told.name} {told.message}".strip()
