"""Pages by address in two memory-mapped files: opening costs nothing, whatever their number.

pages.bin         one JSON object per page, one after another
keys.npy          (n,) uint64, sorted: hash of the page's address
spans.npy         (n, 2) int64: where the page lies in pages.bin
"""

import hashlib
import json
import mmap
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from hopsight.errors import StoreError
from hopsight.harness.backends import PageText
from hopsight.types import ImageRef


def normal_url(url: str) -> str:
    """An address in one form: no scheme, fragment or final slash, percent-codes resolved."""
    address = unquote(url.strip()).partition("#")[0].rstrip("/").replace(" ", "_")
    scheme, separator, rest = address.partition("://")
    if separator and scheme.lower() in {"http", "https"}:
        address = rest
    host, slash, path = address.partition("/")
    return f"{host.lower()}{slash}{path}"


def write_pages(pages: Iterable[PageText], folder: Path) -> int:
    """Write pages and return their number. Of two at one address the first counts."""
    spans: dict[int, tuple[int, int]] = {}
    position = 0
    with (folder / "pages.bin").open("wb") as file:
        for page in pages:
            value = {
                "url": page.url,
                "title": page.title,
                "markdown": page.markdown,
                "images": [image.model_dump(mode="json") for image in page.images],
            }
            data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            spans.setdefault(_key(page.url), (position, position + len(data)))
            position += file.write(data)
        if not position:
            file.write(b"\n")  # an empty file cannot be mapped
    keys = sorted(spans)
    np.save(folder / "keys.npy", np.array(keys, np.uint64))
    np.save(folder / "spans.npy", np.array([spans[k] for k in keys], np.int64).reshape(-1, 2))
    return len(keys)


class PageFile:
    """The read side of `write_pages`."""

    def __init__(self, folder: Path) -> None:
        try:
            self._keys = np.load(folder / "keys.npy", mmap_mode="r")
            self._spans = np.load(folder / "spans.npy", mmap_mode="r")
            with (folder / "pages.bin").open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise StoreError(
                f"no readable pages in {folder}: {error}", "build the search index again"
            ) from error

    def get(self, url: str) -> PageText | None:
        """The page at `url`, None where there is none."""
        key = np.uint64(_key(url))
        row = int(np.searchsorted(self._keys, key))
        if row == len(self._keys) or self._keys[row] != key:
            return None
        start, end = self._spans[row].tolist()
        value: dict[str, Any] = json.loads(self._data[start:end])
        # Two addresses may share a hash; the page itself says which it is.
        if normal_url(value["url"]) != normal_url(url):
            return None
        images = tuple(ImageRef.model_validate(image) for image in value["images"])
        return PageText(value["url"], value["title"], value["markdown"], images)


def _key(url: str) -> int:
    data = normal_url(url).encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
