"""Pictures on the web, for whoever wants them fetched: guarded, bounded, several at once."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from hopsight.errors import HopsightError, PictureError, ProviderError
from hopsight.net import PICTURES, BlockedAddress, Fetcher, FetchFailed, picture_of
from hopsight.steps import each_of
from refine.imported.pictures import Opened

OpenUrls = Callable[[Sequence[str]], Opened]
"""Fetches the pictures at some addresses: for each its bytes or why there are none."""

CONCURRENT = 8


@contextmanager
def web_pictures(fetcher: Fetcher) -> Iterator[OpenUrls]:
    """Opens a fetcher for the time of a reading. Not to be called within a running event loop."""
    with asyncio.Runner() as runner:
        runner.run(fetcher.__aenter__())
        try:
            yield lambda urls: runner.run(_all(fetcher, urls))
        finally:
            runner.run(fetcher.__aexit__(None, None, None))


async def _all(fetcher: Fetcher, urls: Sequence[str]) -> Opened:
    async def opened(url: str) -> bytes | HopsightError:
        try:
            return await _picture(fetcher, url)
        except (BlockedAddress, ProviderError, PictureError) as error:
            return error

    wanted = list(dict.fromkeys(urls))
    found = await each_of(opened, wanted, concurrency=CONCURRENT)
    return dict(zip(wanted, found, strict=True))


async def _picture(fetcher: Fetcher, url: str) -> bytes:
    answer = await fetcher.get(url, kinds=PICTURES)
    if not answer.ok:
        raise FetchFailed(f"{answer.url} answered with status {answer.status}", "ask again later")
    return await asyncio.to_thread(picture_of, answer)
