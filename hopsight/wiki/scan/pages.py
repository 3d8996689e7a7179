"""The pages in a block of an export: where their fields and their text lie."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import numpy as np
import pyarrow as pa
from lxml import etree
from numpy.typing import NDArray

from hopsight.errors import SourceError
from hopsight.wiki.dump import RawPage, page_of
from hopsight.wiki.scan.rules import xml
from hopsight.wiki.scan.splitter import CLOSE, MAX_PAGE_BYTES, OPEN, Block
from hopsight.wiki.scan.streams import AGAIN

_HEADER: Final = re.compile(
    rb"\s*<page>\s*<title>([^<>]*)</title>\s*<ns>(-?\d{1,9})</ns>\s*<id>(\d{1,18})</id>\s*"
    rb"(?:<redirect title=\"([^\"<>]*)\"\s*/>\s*)?(?:<restrictions>[^<>]*</restrictions>\s*)?"
    rb"<revision>\s*<id>(\d{1,18})</id>[^<>]*"
    rb"(?:<(?!text|/?page|/?revision)[^<>]*>[^<>]*)*+<text[^<>]*>"
)
"""A page up to its wikitext: it ends in the mark that opens the text."""

_AMPERSAND: Final = ord("&")
_SAVED: Final = np.zeros(256, np.int64)
_SAVED[[ord("l"), ord("g"), ord("a"), ord("q")]] = [3, 3, 4, 5]
"""Bytes that an escape is longer than what it stands for, by the letter after its `&`."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page whose wikitext is `buffer[start:end]`, escaped; `offset` lies in the chunk."""

    page_id: int
    title: str
    namespace: int
    revision: int
    redirect: str | None
    offset: int
    buffer: bytes
    start: int
    end: int

    def raw(self) -> RawPage:
        """The page as the dump reader gives it."""
        text = xml(self.buffer[self.start : self.end].decode())
        return RawPage(self.page_id, self.title, self.namespace, self.revision, self.redirect, text)


@dataclass(frozen=True, slots=True)
class LostPage:
    """A page that is left out, and why."""

    reason: str
    offset: int


class Escapes:
    """The escapes of one buffer, to turn offsets in it into offsets in the wikitext."""

    def __init__(self, buffer: bytes) -> None:
        data = np.frombuffer(buffer, np.uint8)
        self._at = np.flatnonzero(data == _AMPERSAND)
        saved = _SAVED[np.take(data, self._at + 1, mode="clip")]
        self._sums = np.concatenate([[0], np.cumsum(saved)])
        # `&apos;`, numbers and what is no escape at all: such a page is read by the XML parser.
        apos = np.take(data, self._at + 2, mode="clip") == ord("p")
        self._odd = self._at[(saved == 0) | apos].tolist()

    def odd(self, start: int, end: int) -> bool:
        """Whether a range holds an escape that is none of the usual four."""
        at = bisect_left(self._odd, start)
        return at < len(self._odd) and self._odd[at] < end

    def plain(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """How long the buffer is up to each position without its escapes."""
        return np.asarray(positions - self._sums[np.searchsorted(self._at, positions)])


def pages_of(
    block: Block, escapes: Escapes, path: Path, *, max_page: int = MAX_PAGE_BYTES
) -> Iterator[FoundPage | LostPage]:
    """Every page of a block, in order. Raises SourceError if other things stand between them."""
    if block.too_large:
        yield LostPage("page_too_large", block.base)
        return
    data = block.data
    sound = _is_utf8(data)
    at = 0
    while at < len(data):
        usual = _usual(data, at, block.base, escapes) if sound else None
        if usual is not None and usual[1] - (usual[0].offset - block.base) <= max_page:
            page, at = usual
            yield page
            continue
        start, end = _bounds(data, at, block.base, path)
        if end - start > max_page:
            yield LostPage("page_too_large", block.base + start)
        elif not sound and not _is_utf8(data[start:end]):
            yield LostPage("invalid_utf8", block.base + start)
        else:
            yield _unusual(data[start:end], block.base + start, path)
        at = end


def _bounds(data: bytes, at: int, base: int, path: Path) -> tuple[int, int]:
    """Where the page after `at` starts and ends, whatever stands in it."""
    end = data.find(CLOSE, at) + len(CLOSE)
    start = data.find(OPEN, at, end)
    inside = data.find(OPEN, start + len(OPEN), end)
    if start < 0 or data[at:start].strip() or (inside >= 0 and b"<![CDATA[" not in data):
        raise SourceError(
            f"{path}: something other than whole pages stands there after byte"
            f" {base + at} of a part",
            AGAIN,
        )
    return start, end


def _is_utf8(data: bytes) -> bool:
    offsets = pa.py_buffer(np.array([0, len(data)], np.int64))
    text = pa.LargeStringArray.from_buffers(1, offsets, pa.py_buffer(data))
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _usual(data: bytes, at: int, base: int, escapes: Escapes) -> tuple[FoundPage, int] | None:
    """A page written as MediaWiki writes it (one revision, four escapes, nothing else), its end.

    Its text holds no mark at all, so one search for `<` leads over it.
    """
    header = _HEADER.match(data, at)
    if header is None:
        return None
    start, first = data.find(OPEN, at), header.end()
    if data[first - 2] == ord("/"):
        last = first
    else:
        last = data.find(b"<", first)
        if not data.startswith(b"</text>", last):
            return None
    end = data.find(CLOSE, last) + len(CLOSE)
    if (
        data.find(b">", first, last) >= 0
        or data.find(b"\r", first, last) >= 0
        or data.find(b"<revision", last, end) >= 0
        or data.find(OPEN, last, end) >= 0
        or escapes.odd(start, end)
    ):
        return None
    title, namespace, page_id, redirect, revision = header.groups()
    page = FoundPage(
        page_id=int(page_id),
        title=xml(title.decode()),
        namespace=int(namespace),
        revision=int(revision),
        redirect=None if redirect is None else xml(redirect.decode()),
        offset=base + start,
        buffer=data,
        start=first,
        end=last,
    )
    return page, end


def _unusual(data: bytes, offset: int, path: Path) -> FoundPage | LostPage:
    """Any other page, by the XML parser; its text is then escaped as the scan expects it."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        page = page_of(etree.fromstring(data.strip(), parser), path)
    except (etree.XMLSyntaxError, SourceError):
        return LostPage("page_malformed", offset)
    text = escape(page.text).encode()
    return FoundPage(
        page_id=page.page_id,
        title=page.title,
        namespace=page.namespace,
        revision=page.revision,
        redirect=page.redirect,
        offset=offset,
        buffer=text,
        start=0,
        end=len(text),
    )
