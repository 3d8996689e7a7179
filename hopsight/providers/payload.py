"""Answers of services, checked: what they send is untrusted."""

import json
import logging
import time
from collections.abc import Callable, Iterable
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from hopsight.llm.failures import Reason, shown
from hopsight.llm.retry import retry_after
from hopsight.net import Fetched
from hopsight.providers.failures import ServiceError, empty_success, refused
from hopsight.search import PageHit

log = logging.getLogger(__name__)

MAX_TEXT: Final = 20_000
MAX_LINK: Final = 3_000_000
"""Thumbnails come as data: URLs."""

S = TypeVar("S", bound="Sent")


class Sent(BaseModel):
    """A part of an answer; what else a service adds is ignored, and errors show no values."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, allow_inf_nan=False)


def _clean(text: str) -> str:
    """Without lone surrogates and NUL, which JSON can spell and nothing can store."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "").strip()[:MAX_TEXT]


def _link(text: str) -> str:
    """An address of the web or a picture in place; anything else is none."""
    found = text.strip()
    if found.startswith("data:"):
        return found
    good = found.startswith(("http://", "https://")) and found.isprintable() and len(found) <= 8000
    return found if good and " " not in found else ""


Text = Annotated[str, AfterValidator(_clean)]
Link = Annotated[str, Field(max_length=MAX_LINK), AfterValidator(_link)]


def json_of(service: str, fetched: Fetched) -> object:
    """The JSON of a body. Raises ServiceError: an empty body is a success without content."""
    if not fetched.body.strip():
        raise empty_success(service, "no body")
    try:
        parsed: object = json.loads(fetched.body)
        return parsed
    except (ValueError, RecursionError):
        what = "an HTML page" if fetched.body.lstrip()[:1] == b"<" else "no whole JSON"
    raise ServiceError(service, Reason.NOT_JSON, f"got {what}")


def checked(service: str, model: type[S], value: object) -> S:
    """`value` as `model`. Raises ServiceError, which names the field and shows no value."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    raise ServiceError(service, Reason.MALFORMED, shown(f"{where}: {first['msg']}", None))


def status_error(
    service: str,
    fetched: Fetched,
    said: Callable[[object], str],
    reason: Callable[[int, str], Reason | None] = lambda status, said: None,
) -> ServiceError:
    """The error of an answer that is no success; `said` finds the message in its JSON."""
    try:
        message = said(json_of(service, fetched))
    except ServiceError:
        html = fetched.body.lstrip()[:1] == b"<"
        message = "an HTML page" if html else fetched.body[:300].decode("utf-8", "replace")
    wait = retry_after(fetched.headers, time.time())
    why = reason(fetched.status, message)
    return refused(service, fetched.status, message, reason=why, retry_after=wait)


def page_hits(service: str, rows: Iterable[tuple[str, str, str]], k: int) -> list[PageHit]:
    """Hits of (address, title, snippet) rows, the best first; `score` is 1 / rank.

    A row without an address cannot be visited: it is left out and counted in the log.
    """
    hits: list[PageHit] = []
    left_out = 0
    for url, title, snippet in rows:
        if not url or url.startswith("data:"):
            left_out += 1
        elif len(hits) < k:
            hits.append(PageHit(url, title, snippet, 1 / (len(hits) + 1)))
    if left_out:
        log.info("event=hits_without_address service=%s count=%d", service, left_out)
    return hits
