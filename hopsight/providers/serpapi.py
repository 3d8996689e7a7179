"""SerpApi (serpapi.com): Google's web, image, scholar and lens results.

GET /search.json?engine=…&api_key=…; `search_metadata.status` is Success, Processing, Queued or
Error, and `error` tells why there are no results. A success without results is believed only
where `search_information` says that Google found none (`…_state`: "Fully empty"); otherwise it
may be a scrape that failed, and is tried again.
"""

from collections.abc import Callable
from typing import Annotated, Final, Literal, TypeVar
from urllib.parse import urlencode

from pydantic import Field

from hopsight.config.providers import SerpApiConfig
from hopsight.llm.failures import Reason
from hopsight.net import Fetched
from hopsight.providers.failures import ServiceError, empty_success
from hopsight.providers.keys import Secret
from hopsight.providers.payload import Link, Sent, Text, checked, json_of, page_hits, status_error
from hopsight.providers.ports import FoundPicture, SearchKind
from hopsight.providers.public import public_address
from hopsight.providers.service import Request, Service
from hopsight.search import PageHit

NAME: Final = "serpapi"
MOST_PAPERS: Final = 20
_EMPTY: Final = "fully empty"
_OUT: Final = "run out of searches"
T = TypeVar("T")


class _Metadata(Sent):
    status: str = ""


class _Publication(Sent):
    summary: Text = ""


class _Page(Sent):
    title: Text = ""
    link: Link = ""
    snippet: Text = ""
    publication_info: _Publication | None = None


class _Picture(Sent):
    title: Text = ""
    link: Link = ""
    original: Link = ""
    image: Link = ""
    thumbnail: Link = ""


class _Answer(Sent):
    search_metadata: _Metadata
    search_information: dict[str, object] = Field(default_factory=dict)
    error: Text = ""
    organic_results: Annotated[list[_Page], Field(max_length=1000)] | None = None
    images_results: Annotated[list[_Picture], Field(max_length=1000)] | None = None
    visual_matches: Annotated[list[_Picture], Field(max_length=1000)] | None = None


class _Told(Sent):
    error: str = ""


class SerpApi:
    """Searches of the web, of pictures, of papers and by picture."""

    kinds: frozenset[SearchKind] = frozenset({"search", "images", "scholar", "lens"})

    def __init__(self, config: SerpApiConfig, key: Secret, service: Service) -> None:
        self._config = config
        self._key = key
        self._service = service

    async def search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words."""
        wanted = {"engine": "google", "q": query, "num": str(k)} | self._where("gl")
        return await self._ask("search", wanted, lambda got: _pages(got, k))

    async def scholar(self, query: str, k: int) -> list[PageHit]:
        """Papers for words; authors, place and year stand before the snippet."""
        wanted = {"engine": "google_scholar", "q": query, "num": str(min(k, MOST_PAPERS))}
        language = {"hl": self._config.language} if self._config.language else {}
        return await self._ask("scholar", wanted | language, lambda got: _pages(got, k))

    async def images(self, query: str, k: int) -> list[FoundPicture]:
        """Pictures for words."""
        wanted = {"engine": "google_images", "q": query} | self._where("gl")
        return await self._ask("images", wanted, lambda got: _pictures(got, "images_results", k))

    async def lens(self, image_url: str, k: int) -> list[FoundPicture]:
        """Pages and pictures like the one at a public address. Raises ProviderError for a path."""
        url = public_address(NAME, image_url)
        wanted = {"engine": "google_lens", "type": "visual_matches", "url": url}
        return await self._ask(
            "lens",
            wanted | self._where("country"),
            lambda got: _pictures(got, "visual_matches", k),
        )

    def _where(self, country: str) -> dict[str, str]:
        where = {country: self._config.country, "hl": self._config.language}
        return {name: value for name, value in where.items() if value}

    async def _ask(
        self, kind: SearchKind, wanted: dict[str, str], read: Callable[[Fetched], T]
    ) -> T:
        query = urlencode(wanted | {"api_key": self._key.value}, errors="replace")
        url = f"{self._config.base_url}/search.json?{query}"
        headers = {"Accept": "application/json"}
        request = Request("GET", url, headers, paid="search", operation=kind)
        return await self._service.ask(request, read)


def _pages(fetched: Fetched, k: int) -> list[PageHit]:
    answer = _answer(fetched)
    found = _results(answer, answer.organic_results)
    rows = ((page.link, page.title, _about(page)) for page in found)
    return page_hits(NAME, rows, k)


def _about(page: _Page) -> str:
    published = page.publication_info.summary if page.publication_info else ""
    return " — ".join(filter(None, (published, page.snippet)))


def _pictures(
    fetched: Fetched, field: Literal["images_results", "visual_matches"], k: int
) -> list[FoundPicture]:
    answer = _answer(fetched)
    images = field == "images_results"
    found = _results(answer, answer.images_results if images else answer.visual_matches)
    return [
        FoundPicture(
            each.title,
            each.link,
            tuple(filter(None, (each.original or each.image, each.thumbnail))),
        )
        for each in found[:k]
    ]


def _answer(fetched: Fetched) -> _Answer:
    """A whole answer. Raises ServiceError for whatever is not certainly one."""
    if fetched.status != 200:
        raise status_error(NAME, fetched, _said, _reason)
    sent = checked(NAME, _Answer, json_of(NAME, fetched))
    if sent.search_metadata.status != "Success":
        detail = f"status {sent.search_metadata.status[:20]}, {sent.error or 'nothing said'}"
        raise ServiceError(NAME, Reason.SERVER_ERROR, detail[:300])
    return sent


def _results(sent: _Answer, found: list[T] | None) -> list[T]:
    """What was found; none only where it is told that Google found none."""
    if found:
        return found
    states = (value for name, value in sent.search_information.items() if name.endswith("_state"))
    if any(str(state).lower().startswith(_EMPTY) for state in states):
        return []
    raise empty_success(NAME, f"no results ({sent.error[:200] or 'nothing said'})")


def _said(body: object) -> str:
    return checked(NAME, _Told, body).error


def _reason(status: int, said: str) -> Reason | None:
    return Reason.QUOTA_EXHAUSTED if status == 429 and _OUT in said else None
