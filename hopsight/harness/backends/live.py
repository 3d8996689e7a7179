"""The live backend: searches of the web through providers, pages, and pictures of both."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from hopsight.config.providers import ProvidersFile
from hopsight.errors import HopsightError, ProviderError
from hopsight.harness.backends import PageText
from hopsight.harness.backends.replay import ReplayBackend
from hopsight.harness.bank import Pictures
from hopsight.net import Fetcher
from hopsight.net.address import target_of
from hopsight.providers import (
    FoundPicture,
    Hosted,
    ImageHost,
    Payer,
    ProviderGateway,
    Providers,
    Tape,
    WebPictures,
    open_providers,
    tools_of,
)
from hopsight.providers.opening import TOOLS
from hopsight.search import ImageHit, PageHit
from hopsight.store.images import inspect_picture, mime_of
from hopsight.types import ImageRef

log = logging.getLogger(__name__)

LEAST_ASKED: Final = 10
"""Hits asked for at least: some have no picture, and ten cost what one does."""
PAGE_PICTURES: Final = 6
T = TypeVar("T")


class LiveBackend:
    """Searches, pages and pictures of the web, within one event loop.

    The pictures of hits are fetched and stored; a hit whose picture cannot be had is left out,
    which the log tells. Hits without one picture that can be had are a failure, not "no match".
    """

    def __init__(
        self, providers: Providers, web: WebPictures, page_pictures: int = PAGE_PICTURES
    ) -> None:
        self._providers = providers
        self._web = web
        self._page_pictures = page_pictures
        self._last: set[asyncio.Task[Any]] = set()

    @property
    def offers(self) -> frozenset[str]:
        """visual_search needs a search provider with lens, and an image host."""
        search, host = self._providers.search, self._providers.host
        kinds = search.kinds if search is not None else frozenset()
        tools = {TOOLS[kind] for kind in kinds if kind != "lens" or host is not None}
        tools |= {"visit"} if self._providers.pages is not None else set()
        return frozenset(tools | {"fetch_image"})

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words."""
        if self._providers.search is None:
            raise _not_configured("search")
        return await self._providers.search.search(query, k)

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        """Papers for words."""
        if self._providers.search is None:
            raise _not_configured("search")
        return await self._providers.search.scholar(query, k)

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        """Pictures for words."""
        if self._providers.search is None:
            raise _not_configured("search")
        found = await self._providers.search.images(query, max(k, LEAST_ASKED))
        return await self._hits(found, k)

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture, by the provider's word.

        The picture lies under a random public name while the provider looks at it. Raises
        PictureError where `image` is none (a path is none).
        """
        search, host = self._providers.search, self._providers.host
        if search is None or "lens" not in search.kinds:
            raise _not_configured("search")
        if host is None:
            raise _not_configured("image_host")
        await asyncio.to_thread(inspect_picture, image, "to search by")
        async with self._public(host, image, mime_of(image)) as url:
            found = await search.lens(url, max(k, LEAST_ASKED))
        return await self._hits(found, k)

    async def visit(self, url: str) -> PageText | None:
        """The page at `url` with its first pictures; None where its site says there is none.

        Raises BlockedAddress for what is no address of the web.
        """
        if self._providers.pages is None:
            raise _not_configured("pages")
        page = await self._providers.pages.read(target_of(url).url)
        if page is None:
            return None
        images = await self._web.all_of(page.pictures, self._page_pictures)
        return PageText(page.url, page.title, page.markdown, images)

    async def fetch_image(self, url: str) -> ImageRef | None:
        """The picture at `url`, stored; None where there is none."""
        return await self._web.fetch(url)

    async def close(self) -> None:
        """Wait for what is still being taken back."""
        while self._last:
            await asyncio.gather(*self._last, return_exceptions=True)

    @asynccontextmanager
    async def _public(self, host: ImageHost, image: bytes, mime: str) -> AsyncIterator[str]:
        """A public address of a picture; taken back also where the episode is cancelled."""
        putting = self._kept(host.put(image, mime))
        try:
            hosted = await asyncio.shield(putting)
            yield hosted.url
        finally:
            await asyncio.shield(self._kept(_take_back(host, putting)))

    def _kept(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """A task that goes on when its asker is cancelled; `close` waits for it."""
        task = asyncio.ensure_future(work)
        self._last.add(task)
        task.add_done_callback(self._last.discard)
        return task

    async def _hits(self, found: Sequence[FoundPicture], k: int) -> list[ImageHit]:
        """The first `k` hits whose pictures can be had; `score` is 1 / rank."""
        hits: list[ImageHit] = []
        rest = list(found)
        while rest and len(hits) < k:
            batch, rest = rest[: k - len(hits)], rest[k - len(hits) :]
            images = await asyncio.gather(
                *(self._web.first_of(each.addresses, each.page_url) for each in batch)
            )
            for each, image in zip(batch, images, strict=True):
                if image is not None:
                    score = 1 / (len(hits) + 1)
                    hits.append(ImageHit(image, each.page_title, each.page_url, score, "web"))
        if found and not hits:
            raise ProviderError(
                f"{len(found)} pictures were found, and none of them could be fetched",
                "see the lines event=picture_left_out in the log",
            )
        return hits


@asynccontextmanager
async def open_live(
    file: ProvidersFile,
    environ: Mapping[str, str],
    web: Fetcher,
    pictures: Pictures,
    *,
    gateway: ProviderGateway | None = None,
    payer: Payer | None = None,
    seed: int = 0,
) -> AsyncIterator[ReplayBackend]:
    """The live backend of `file`; what it answers is recorded, and not asked or paid again.

    `web` fetches what pages and models name. Raises ConfigError for what is missing.
    """
    with Tape(file.recordings) as tape:
        async with open_providers(
            file, environ, web, gateway=gateway, payer=payer, seed=seed
        ) as providers:
            live = LiveBackend(providers, WebPictures(web, pictures), file.page_pictures)
            try:
                yield ReplayBackend(tape, tools_of(file, environ), live)
            finally:
                await live.close()


async def _take_back(host: ImageHost, putting: "asyncio.Task[Hosted]") -> None:
    """Delete an upload once it is there. An upload that failed is its asker's to tell."""
    await asyncio.wait((putting,))
    if putting.cancelled() or putting.exception() is not None or not host.deletes:
        return
    hosted = putting.result()
    try:
        await host.delete(hosted)
    except HopsightError as error:
        name = hashlib.sha256(hosted.name.encode()).hexdigest()[:8]
        log.warning("event=upload_left upload=%s error=%s", name, error)


def _not_configured(what: str) -> ProviderError:
    return ProviderError(
        f"no {what} is configured", f"name one under {what} in configs/providers.yaml"
    )
