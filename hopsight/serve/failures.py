"""Errors as a client gets them: a status, a code and one line; never a trace of the program."""

import logging
import re
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from hopsight.errors import HopsightError, PictureError, ProviderError
from hopsight.harness.render import clip
from hopsight.llm.failures import ModelError, Reason
from hopsight.net import BlockedAddress

MESSAGE_CHARS: Final = 500
_OBJECT: Final = re.compile(r"<_io\.[^>]*>")
_CODES: Final = {404: "not_found", 405: "wrong_method", 413: "too_large"}

log = logging.getLogger(__name__)


class ApiError(Exception):
    """A request that cannot be served, and what the client is told."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def told(status: int, code: str, message: str) -> JSONResponse:
    """The answer that tells of an error. Who may come again later is told when."""
    headers = {"Retry-After": "1"} if status in (429, 503) else None
    body = {"error": {"code": code, "message": clip(message, MESSAGE_CHARS)}}
    return JSONResponse(body, status, headers)


def add_handlers(app: FastAPI) -> None:
    """Turn everything that a route raises into an answer.

    A failure of what is searched is 503 or 504, so that no client takes it for "nothing found".
    """
    app.add_exception_handler(ApiError, _api_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(PictureError, _bad_picture)
    app.add_exception_handler(ProviderError, _provider_failed)
    app.add_exception_handler(BlockedAddress, _blocked)
    app.add_exception_handler(HopsightError, _not_working)
    app.add_exception_handler(TimeoutError, _too_slow)
    app.add_exception_handler(Exception, _bug)


async def _api_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)
    return told(error.status, error.code, error.message)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return told(422, "invalid_request", "; ".join(_fault(item) for item in error.errors()[:5]))


def _fault(item: Any) -> str:
    place = ".".join(str(part) for part in item["loc"])[:80]
    return f"{place}: {item['msg']}"


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return told(error.status_code, _CODES.get(error.status_code, "bad_request"), error.detail)


async def _bad_picture(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PictureError)
    return told(422, "bad_picture", _OBJECT.sub("the bytes", error.cause))


async def _provider_failed(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProviderError)
    log.warning("event=provider_failed cause=%r", error.cause)
    if isinstance(error, ModelError) and error.reason is Reason.TIMEOUT:
        return told(504, "timeout", error.cause)
    return told(503, "provider_failed", error.cause)


async def _blocked(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, BlockedAddress)
    return told(403, "blocked", error.cause)


async def _not_working(_: Request, error: Exception) -> JSONResponse:
    # Its text names folders and settings of this machine, which are no business of a client's.
    log.error("event=not_working error=%s", error)
    return told(503, "not_working", "the server cannot use its files; its log says why")


async def _too_slow(_: Request, error: Exception) -> JSONResponse:
    return told(504, "timeout", "the search took too long and was stopped")


async def _bug(_: Request, error: Exception) -> JSONResponse:
    return told(500, "internal", "the server failed; its log says why")
