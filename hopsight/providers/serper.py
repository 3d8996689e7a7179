"""Serper (google.serper.dev): Google's web, image, scholar and lens results.

POST /search, /images, /scholar take `{"q", "num", "gl", "hl"}` and /lens takes `{"url"}`, with the
key in X-API-KEY. Results are in `organic` (`images` for images). A wrong key is told with status
403, an empty account with 400 "Not enough credits".
"""

import json
from collections.abc import Callable
from typing import Annotated, Final, TypeVar

from pydantic import Field

from hopsight.config.providers import SerperConfig
from hopsight.errors import ProviderError
from hopsight.llm.failures import Reason
from hopsight.net import Fetched
from hopsight.providers.failures import empty_success
from hopsight.providers.keys import Secret
from hopsight.providers.payload import Link, Sent, Text, checked, json_of, page_hits, status_error
from hopsight.providers.ports import FoundPicture, SearchKind
from hopsight.providers.public import public_address
from hopsight.providers.service import Request, Service
from hopsight.search import PageHit

NAME: Final = "serper"
MOST: Final = 100
T = TypeVar("T")


class _Page(Sent):
    title: Text = ""
    link: Link = ""
    snippet: Text = ""
    publicationInfo: Text = ""  # noqa: N815 -- the provider's spelling


class _Picture(Sent):
    title: Text = ""
    link: Link = ""
    imageUrl: Link = ""  # noqa: N815
    thumbnailUrl: Link = ""  # noqa: N815


class _Pages(Sent):
    organic: Annotated[list[_Page], Field(max_length=1000)] | None = None


class _Pictures(Sent):
    images: Annotated[list[_Picture], Field(max_length=1000)] | None = None
    organic: Annotated[list[_Picture], Field(max_length=1000)] | None = None


class _Told(Sent):
    message: str = ""


class Serper:
    """Searches of the web, of pictures, of papers and by picture."""

    kinds: frozenset[SearchKind] = frozenset({"search", "images", "scholar", "lens"})

    def __init__(self, config: SerperConfig, key: Secret, service: Service) -> None:
        self._config = config
        self._key = key
        self._service = service

    async def search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words."""
        return await self._ask("search", self._words(query, k), lambda got: _pages(got, k))

    async def scholar(self, query: str, k: int) -> list[PageHit]:
        """Papers for words; authors, place and year stand before the snippet."""
        return await self._ask("scholar", self._words(query, k), lambda got: _pages(got, k))

    async def images(self, query: str, k: int) -> list[FoundPicture]:
        """Pictures for words."""
        return await self._ask(
            "images", self._words(query, k), lambda got: _pictures(got, "images", k)
        )

    async def lens(self, image_url: str, k: int) -> list[FoundPicture]:
        """Pages and pictures like the one at a public address. Raises ProviderError for a path."""
        body = self._local({"url": public_address(NAME, image_url)})
        return await self._ask("lens", body, lambda got: _pictures(got, "organic", k))

    def _words(self, query: str, k: int) -> dict[str, object]:
        return self._local({"q": query, "num": min(k, MOST)})

    def _local(self, body: dict[str, object]) -> dict[str, object]:
        where = {"gl": self._config.country, "hl": self._config.language}
        return body | {name: value for name, value in where.items() if value}

    async def _ask(
        self, kind: SearchKind, body: dict[str, object], read: Callable[[Fetched], T]
    ) -> T:
        request = Request(
            "POST",
            f"{self._config.base_url}/{kind}",
            {"X-API-KEY": self._key.value, "Content-Type": "application/json"},
            json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"),
            paid="search",
            operation=kind,
        )
        return await self._service.ask(request, read)


def _pages(fetched: Fetched, k: int) -> list[PageHit]:
    sent = checked(NAME, _Pages, _good(fetched))
    if sent.organic is None:
        raise empty_success(NAME, "no field organic")
    rows = (
        (page.link, page.title, " — ".join(filter(None, (page.publicationInfo, page.snippet))))
        for page in sent.organic
    )
    return page_hits(NAME, rows, k)


def _pictures(fetched: Fetched, field: str, k: int) -> list[FoundPicture]:
    sent = checked(NAME, _Pictures, _good(fetched))
    found: list[_Picture] | None = getattr(sent, field)
    if found is None:
        raise empty_success(NAME, f"no field {field}")
    return [
        FoundPicture(each.title, each.link, tuple(filter(None, (each.imageUrl, each.thumbnailUrl))))
        for each in found[:k]
    ]


def _good(fetched: Fetched) -> object:
    if fetched.status == 200:
        return json_of(NAME, fetched)
    raise _refusal(fetched)


def _refusal(fetched: Fetched) -> ProviderError:
    return status_error(NAME, fetched, _said, _reason)


def _said(body: object) -> str:
    return checked(NAME, _Told, body).message


def _reason(status: int, said: str) -> Reason | None:
    return Reason.QUOTA_EXHAUSTED if status == 400 and said == "Not enough credits" else None
