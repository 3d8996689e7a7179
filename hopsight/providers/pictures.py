"""The pictures that providers name, fetched and stored."""

import asyncio
import base64
import binascii
import logging
from collections.abc import Sequence
from typing import Final

from hopsight.errors import PictureError, ProviderError
from hopsight.harness.bank import Pictures
from hopsight.net import PICTURES, BlockedAddress, Fetched, Fetcher, picture_of
from hopsight.net.kinds import kind_of
from hopsight.providers.jina import GONE
from hopsight.types import ImageRef

log = logging.getLogger(__name__)

MAX_BYTES: Final = 12 << 20
AT_ONCE: Final = 32
UNKNOWN: Final = "unknown"


class WebPictures:
    """Fetches pictures of the web into the image store, within one event loop."""

    def __init__(self, fetcher: Fetcher, pictures: Pictures, max_bytes: int = MAX_BYTES) -> None:
        self._fetcher = fetcher
        self._pictures = pictures
        self._max_bytes = max_bytes
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def fetch(self, url: str) -> ImageRef | None:
        """The picture at `url`; None where there is none (404, 410). Its source is where it came
        from after all redirects.

        Raises BlockedAddress, PictureError for what is no picture, ProviderError.
        """
        fetched = await self._fetcher.get(url, kinds=PICTURES, max_bytes=self._max_bytes)
        if fetched.status in GONE:
            return None
        if not fetched.ok:
            raise ProviderError(
                f"the picture's site answered with status {fetched.status}", "try another picture"
            )
        return await asyncio.to_thread(self._stored, fetched, fetched.url)

    async def first_of(self, addresses: Sequence[str], page_url: str) -> ImageRef | None:
        """The first picture that can be had; None where none can, which the log tells.

        Of what comes in place (a data: URL) the source is the page.
        """
        async with self._turns:
            for address in addresses:
                try:
                    if address.startswith("data:"):
                        found: ImageRef | None = await asyncio.to_thread(
                            self._stored, _in_place(address), page_url
                        )
                    else:
                        found = await self.fetch(address)
                except (BlockedAddress, PictureError, ProviderError) as error:
                    log.info("event=picture_left_out error=%s", error)
                    continue
                if found is not None:
                    return found
        log.info("event=hit_without_picture addresses=%d", len(addresses))
        return None

    async def all_of(self, urls: Sequence[str], most: int) -> tuple[ImageRef, ...]:
        """The first `most` pictures, without those that cannot be had, each once."""
        found = await asyncio.gather(*(self.first_of((url,), url) for url in urls[:most]))
        return tuple(dict.fromkeys(image for image in found if image is not None))

    def _stored(self, fetched: Fetched, source_url: str) -> ImageRef:
        return self._pictures.put(picture_of(fetched), source_url, UNKNOWN, UNKNOWN)


def _in_place(address: str) -> Fetched:
    """The bytes of a `data:…;base64,…` address. Raises PictureError."""
    head, comma, body = address.partition(",")
    if not comma or not head.endswith(";base64") or len(body) > MAX_BYTES:
        raise PictureError("a data: URL is no picture in base64", "use another picture")
    try:
        data = base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise PictureError("a data: URL holds no base64", "use another picture") from error
    return Fetched("data:", 200, kind_of(data, ""), data)
