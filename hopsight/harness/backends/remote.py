"""The remote backend: a search server of the user's own, ours or one that speaks `/retrieve`.

`/retrieve` is what Search-R1 and MM-DeepResearch clients speak:
{"queries": [...], "topk": k, "return_scores": true} → {"result": [[{"document": {...}, "score":
s}, ...], ...]}, one list for each query. Our own server answers the other tools as well.
"""

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hopsight.errors import (
    ConfigError,
    HopsightError,
    PictureError,
    ProviderError,
    StoreError,
)
from hopsight.harness.backends import SERVED, ImageHit, PageHit, PageText
from hopsight.harness.backends.arrived import fields_picture, seen
from hopsight.harness.bank import Pictures
from hopsight.llm.failures import shown
from hopsight.llm.retry import LONGEST_ASKED_S, backoff, retry_after
from hopsight.net import BlockedAddress, Fetched, Fetcher
from hopsight.search.image_index import Match
from hopsight.types import ImageRef

MAX_ANSWER_BYTES: Final = 16 << 20
MAX_PICTURE_BYTES: Final = 64 << 20
TRIES: Final = 3
_LATER: Final = frozenset({429, 502, 503, 504})
TOKEN_VARIABLE: Final = "HOPSIGHT_SERVE_TOKEN"  # noqa: S105 -- a variable's name
"""What a server of ours asks of its clients, on both sides."""
_REMEDY: Final = "see that the search server runs and what its log says"

M = TypeVar("M", bound=BaseModel)


class _Got(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, allow_inf_nan=False)


class _Health(_Got):
    offers: list[str]


class _Scored(_Got):
    document: dict[str, Any]
    score: float


class _Retrieved(_Got):
    result: list[list[_Scored]]


class _Page(_Got):
    url: str
    title: str
    snippet: str
    score: float


class _Pages(_Got):
    result: list[_Page]


class _Image(_Got):
    image: ImageRef
    page_title: str
    page_url: str
    score: float
    match: Match


class _Images(_Got):
    result: list[_Image]


class _Text(_Got):
    url: str
    title: str
    markdown: str
    images: list[ImageRef] = Field(default_factory=list)


class _Visited(_Got):
    page: _Text | None


class _FetchedImage(_Got):
    image: ImageRef | None


class RemoteBackend:
    """The client of one server. Its pictures go to `pictures` before they are named.

    `fetcher` must allow the server's `host:port` where that is not public. Without `offers` the
    server is taken for one that speaks `/retrieve` alone; `connect` asks it what it has.
    Raises ConfigError where the fetcher may not ask it.
    """

    def __init__(
        self,
        base_url: str,
        fetcher: Fetcher,
        pictures: Pictures | None = None,
        offers: frozenset[str] = frozenset({"web_search"}),
        token: str | None = None,
    ) -> None:
        self._base = base_url.rstrip("/")
        self._fetcher = fetcher
        self._pictures = pictures
        self._offers = offers & SERVED
        self._token = token

    @classmethod
    async def connect(
        cls, base_url: str, fetcher: Fetcher, pictures: Pictures, token: str | None = None
    ) -> "RemoteBackend":
        """A backend with what the server offers: a server without `/health` must answer a search.

        Raises ProviderError where it does neither.
        """
        other = cls(base_url, fetcher, pictures, token=token)
        health = await other._answer("GET", "/health", None, MAX_ANSWER_BYTES)
        if health.status in (404, 405):
            await other.web_search("test", 1)
            return other
        if not health.ok:
            raise other._failure("/health", health)
        return cls(base_url, fetcher, pictures, frozenset(_parsed(_Health, health).offers), token)

    @property
    def offers(self) -> frozenset[str]:
        """Names of the tools that the server answers."""
        return self._offers

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words, through `/retrieve`."""
        asked = {"queries": [query], "topk": k, "return_scores": True}
        result = (await self._post("/retrieve", asked, _Retrieved)).result
        if len(result) != 1:
            raise ProviderError(
                f"the search server gave {len(result)} result lists for one query", _REMEDY
            )
        return [_page_hit(found) for found in result[0][:k]]

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        """Pictures for words."""
        found = await self._post("/image_search", {"query": query, "topk": k}, _Images)
        return await self._image_hits(found.result[:k])

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture. Raises PictureError where `image` is none."""
        found = await self._post("/visual_search", {"image": _base64(image), "topk": k}, _Images)
        return await self._image_hits(found.result[:k])

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        """Papers for words."""
        found = await self._post("/scholar_search", {"query": query, "topk": k}, _Pages)
        return [PageHit(hit.url, hit.title, hit.snippet, hit.score) for hit in found.result[:k]]

    async def visit(self, url: str) -> PageText | None:
        """The page at `url`, None where there is none."""
        page = (await self._post("/visit", {"url": url}, _Visited)).page
        if page is None:
            return None
        images = await asyncio.gather(*map(self._held, page.images))
        return PageText(page.url, page.title, page.markdown, tuple(images))

    async def fetch_image(self, url: str) -> ImageRef | None:
        """The picture at `url`, stored; None where there is none."""
        image = (await self._post("/fetch_image", {"url": url}, _FetchedImage)).image
        return None if image is None else await self._held(image)

    async def prove_pixels(self) -> None:
        """Send a drawn picture; raises ProviderError where the server saw another one."""
        data = fields_picture()
        answer = await self._fetch("POST", "/self_test", {"image": _base64(data)}, MAX_ANSWER_BYTES)
        if _json(answer) != seen(data):
            raise ProviderError(
                "a picture did not arrive at the search server as it was sent",
                "see what stands between this machine and the server",
            )

    async def _image_hits(self, found: list[_Image]) -> list[ImageHit]:
        images = await asyncio.gather(*(self._held(hit.image) for hit in found))
        return [
            ImageHit(image, hit.page_title, hit.page_url, hit.score, hit.match)
            for hit, image in zip(found, images, strict=True)
        ]

    async def _held(self, image: ImageRef) -> ImageRef:
        """The picture in our own store, fetched where it is not there yet."""
        if self._pictures is None:
            raise ProviderError(
                "the search server names pictures and there is nowhere to keep them",
                "give RemoteBackend a store of pictures",
            )
        try:
            self._pictures.bytes(image.sha256)
        except StoreError:
            answer = await self._fetch("GET", f"/image/{image.sha256}", None, MAX_PICTURE_BYTES)
            if hashlib.sha256(answer.body).hexdigest() != image.sha256:
                raise ProviderError(
                    f"picture {image.sha256} came from the search server as another one", _REMEDY
                ) from None
            return self._pictures.put(answer.body, image.source_url, image.license, image.author)
        return image

    async def _post(self, path: str, asked: Mapping[str, Any], kind: type[M]) -> M:
        return _parsed(kind, await self._fetch("POST", path, asked, MAX_ANSWER_BYTES))

    async def _fetch(
        self, method: str, path: str, asked: Mapping[str, Any] | None, max_bytes: int
    ) -> Fetched:
        """An answer of success."""
        answer = await self._answer(method, path, asked, max_bytes)
        if not answer.ok:
            raise self._failure(path, answer)
        return answer

    async def _answer(
        self, method: str, path: str, asked: Mapping[str, Any] | None, max_bytes: int
    ) -> Fetched:
        """The last answer. What may pass is tried again, when the server asks for it."""
        content = None if asked is None else json.dumps(asked).encode()
        headers = {"content-type": "application/json"} if asked is not None else {}
        if self._token is not None:
            headers["authorization"] = f"Bearer {self._token}"
        for attempt in range(TRIES):
            answer = await self._sent(method, path, headers, content, max_bytes)
            wait = retry_after(answer.headers, time.time())
            too_long = wait is not None and wait > LONGEST_ASKED_S
            if answer.status not in _LATER or too_long or attempt == TRIES - 1:
                break
            await asyncio.sleep(backoff(attempt, path, 0) if wait is None else wait)
        return answer

    async def _sent(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        content: bytes | None,
        max_bytes: int,
    ) -> Fetched:
        try:
            return await self._fetcher.send(
                method, self._base + path, headers=headers, content=content, max_bytes=max_bytes
            )
        except BlockedAddress as error:
            # Its address is the user's choice, not a page's: not for the policy to read about.
            raise ConfigError(
                f"the search server may not be asked: {error.cause}",
                "name its host:port in allow_hosts of the Fetcher",
            ) from error

    def _failure(self, path: str, answer: Fetched) -> HopsightError:
        code, message = _error_of(answer)
        told = shown(message, self._token)
        if code == "blocked":
            return BlockedAddress(told, "use another source")
        if code == "bad_picture":
            return PictureError(told, "give a sound PNG, JPEG or WebP file")
        return ProviderError(
            f"the search server answered {path} with status {answer.status}: {told}", _REMEDY
        )


def _parsed(kind: type[M], answer: Fetched) -> M:
    try:
        return kind.model_validate(_json(answer))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])[:80]
        raise ProviderError(
            f"the search server's answer has another form: {place}: {first['msg']}",
            "see that base_url is the address of a search server",
        ) from error


def _json(answer: Fetched) -> Any:
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise ProviderError(
            "the search server answered with something that is no JSON",
            "see that base_url is the address of a search server",
        ) from error


def _error_of(answer: Fetched) -> tuple[str, str]:
    """Code and words of an error; of a server that is not ours, its words alone."""
    try:
        error = json.loads(answer.body)["error"]
        return str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return "", answer.body[:300].decode("utf-8", "replace")


def _page_hit(found: _Scored) -> PageHit:
    """A document as a page: its own fields where it has them, else title and text of `contents`."""
    document = found.document
    contents = document.get("contents")
    head, _, rest = (contents if isinstance(contents, str) else "").partition("\n")
    title, text = document.get("title"), document.get("text")
    url = document.get("url", document.get("id", ""))
    return PageHit(
        url=str(url),
        title=title if isinstance(title, str) else head.strip('"'),
        snippet=text if isinstance(text, str) else rest,
        score=found.score,
    )


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
