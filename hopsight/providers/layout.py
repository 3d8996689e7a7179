"""Layout parsing by a PP-StructureV3 service (LAYOUT_PARSING_API_URL, LAYOUT_PARSING_TOKEN).

POST of `{"file": base64, "fileType": 1, …}`, the token as `Authorization: token …`. The answer is
`{"errorCode": 0, "result": {"layoutParsingResults": [{"prunedResult": {"overall_ocr_res":
{"rec_texts", "rec_scores", "rec_boxes"}}}]}}`, boxes in pixels of the picture sent: what would turn
or unwarp it is switched off.
"""

import asyncio
import base64
import json
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from hopsight.config.models import Endpoint
from hopsight.config.providers import ServiceLimits
from hopsight.errors import ConfigError
from hopsight.imaging import LayoutLine
from hopsight.net import Fetched, Fetcher
from hopsight.providers.failures import empty_success, refused
from hopsight.providers.keys import Secret, optional_secret
from hopsight.providers.payload import Sent, Text, checked, json_of, status_error
from hopsight.providers.service import Request, Service
from hopsight.store.images import inspect_picture

LAYOUT_VARIABLE: Final = "LAYOUT_PARSING_API_URL"
NAME: Final = "layout parsing"
MAX_LINES: Final = 20_000
LIMITS: Final = ServiceLimits(concurrency=8, timeout_s=120.0)

_Box = Annotated[list[float], Field(min_length=4, max_length=4)]


class _Ocr(Sent):
    rec_texts: Annotated[list[Text], Field(max_length=MAX_LINES)]
    rec_scores: Annotated[list[float], Field(max_length=MAX_LINES)]
    rec_boxes: Annotated[list[_Box], Field(max_length=MAX_LINES)]


class _Pruned(Sent):
    overall_ocr_res: _Ocr


class _Page(Sent):
    prunedResult: _Pruned  # noqa: N815 -- the provider's spelling


class _Result(Sent):
    layoutParsingResults: Annotated[list[_Page], Field(max_length=100)]  # noqa: N815


class _Answer(Sent):
    errorCode: int = 0  # noqa: N815
    errorMsg: str = ""  # noqa: N815
    result: _Result | None = None


class LayoutService:
    """Reads the lines of text in a picture, with their places."""

    name = "pp-structure-v3"

    def __init__(self, url: str, token: Secret | None, service: Service) -> None:
        self._url = url
        self._token = token
        self._service = service

    async def parse(self, data: bytes) -> tuple[LayoutLine, ...]:
        """Lines in the service's order; none where there is no text.

        Raises PictureError for what is no picture and ServiceError where the service fails.
        """
        _, width, height = await asyncio.to_thread(inspect_picture, data, "to parse")
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"token {self._token.value}"
        off = ("useDocOrientationClassify", "useDocUnwarping", "useChartRecognition", "visualize")
        body = {"file": base64.b64encode(data).decode(), "fileType": 1} | dict.fromkeys(off, False)
        sent = json.dumps(body).encode()
        request = Request("POST", self._url, headers, sent, operation="layout")
        return await self._service.ask(request, lambda got: _lines(got, width, height))


def layout_service(
    environ: Mapping[str, str], fetcher: Fetcher, limits: ServiceLimits = LIMITS
) -> LayoutService | None:
    """The service of LAYOUT_VARIABLE; None where it is not set.

    A service of the user's own at a private address is named in the fetcher's allow_hosts.
    Raises ConfigError for a URL that is none.
    """
    url = environ.get(LAYOUT_VARIABLE, "").strip()
    if not url:
        return None
    try:
        Endpoint(base_url=url, model="layout")
        usable = True
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(
            f"{LAYOUT_VARIABLE} cannot be used", "give an http(s) address without a password"
        )
    token = optional_secret(environ, "LAYOUT_PARSING_TOKEN")
    secrets = () if token is None else (token,)
    return LayoutService(url, token, Service(NAME, fetcher, limits, secrets=secrets))


def _lines(fetched: Fetched, width: int, height: int) -> tuple[LayoutLine, ...]:
    if fetched.status != 200:
        raise status_error(NAME, fetched, lambda body: checked(NAME, _Answer, body).errorMsg)
    answer = checked(NAME, _Answer, json_of(NAME, fetched))
    if answer.errorCode != 0:
        raise refused(NAME, answer.errorCode, answer.errorMsg)
    if answer.result is None or not answer.result.layoutParsingResults:
        raise empty_success(NAME, "no result")
    ocr = answer.result.layoutParsingResults[0].prunedResult.overall_ocr_res
    if not len(ocr.rec_texts) == len(ocr.rec_scores) == len(ocr.rec_boxes):
        raise empty_success(NAME, "lists of unequal length")
    return tuple(
        LayoutLine(text, _fractions(box, width, height), min(1.0, max(0.0, score)))
        for text, score, box in zip(ocr.rec_texts, ocr.rec_scores, ocr.rec_boxes, strict=True)
        if text
    )


def _fractions(box: list[float], width: int, height: int) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    across = sorted(min(1.0, max(0.0, x / width)) for x in (x0, x1))
    down = sorted(min(1.0, max(0.0, y / height)) for y in (y0, y1))
    return across[0], down[0], across[1], down[1]
