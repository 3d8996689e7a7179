"""From a stream of bytes to blocks of whole pages, in bounded memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hopsight.errors import SourceError
from hopsight.wiki.scan.streams import AGAIN, ChunkReader

MAX_PAGE_BYTES: Final = 32 << 20
"""A page whose XML is longer is left out as `page_too_large` (MediaWiki's own limit is 2 MB)."""

OPEN: Final = b"<page>"
CLOSE: Final = b"</page>"
_END: Final = b"</mediawiki>"
_KEPT: Final = 64
"""Bytes kept while the first page is looked for: more than any of the marks above."""


@dataclass(frozen=True, slots=True)
class Block:
    """Bytes from the start of a page to the end of one; `base` is where they lie in the chunk.

    `too_large` marks one page that is not held: its data is empty.
    """

    data: bytes
    base: int
    too_large: bool = False


class Splitter:
    """The pages that start within one chunk. Where a page crosses its end it is read to its end.

    After `blocks` has ended: `lead` is the length of what stands before the chunk's first page
    (without the white space that ends it) and belongs to a page that started before; `end` is
    where the last page ended, 0 without any.
    """

    def __init__(self, reader: ChunkReader, max_page: int = MAX_PAGE_BYTES) -> None:
        self._reader = reader
        self._max_page = max_page
        self._buffer = b""
        self._base = 0
        self._started = False
        self.lead = 0
        self.end = 0

    def blocks(self) -> Iterator[Block]:
        """Blocks in order, cut where the bytes alone say. Raises SourceError for cut XML."""
        while data := self._reader.read():
            self._buffer += data
            if not self._started and not self._skip_lead():
                continue
            cut = self._buffer.rfind(CLOSE)
            if cut >= 0:
                yield self._cut(cut + len(CLOSE))
            elif len(self._buffer) > self._max_page:
                yield self._pass_over()
        if self._page_is_open():
            yield self._open_page()
        self._check_rest()

    def _skip_lead(self) -> bool:
        """Drop what stands before the first page. False if that does not start here yet."""
        at = self._buffer.find(OPEN)
        self._started = at >= 0
        count = at if self._started else max(0, len(self._buffer) - _KEPT)
        self._count_lead(self._buffer[:count])
        self._drop(count)
        return self._started

    def _count_lead(self, data: bytes) -> None:
        words = data.rstrip()
        if words:
            self.lead = self._base + len(words)

    def _drop(self, count: int) -> None:
        self._buffer = self._buffer[count:]
        self._base += count

    def _cut(self, end: int) -> Block:
        block = Block(self._buffer[:end], self._base)
        self._drop(end)
        self.end = self._base
        return block

    def _pass_over(self) -> Block:
        """Read to the end of a page that is too large to hold."""
        base = self._base + self._buffer.find(OPEN)
        while (at := self._buffer.find(CLOSE)) < 0:
            self._drop(len(self._buffer) - len(CLOSE))
            self._buffer += self._more()
        self._drop(at + len(CLOSE))
        self.end = self._base
        return Block(b"", base, too_large=True)

    def _more(self) -> bytes:
        """Bytes of an open page, from behind the chunk's stop if need be."""
        data = self._reader.read() or self._reader.read()
        if not data:
            raise self._broken("it breaks off inside a page")
        return data

    def _page_is_open(self) -> bool:
        """Whether a page starts in the rest of the chunk, its first mark cut in two or not."""
        at = self._buffer.find(OPEN)
        if at < 0:
            at = self._buffer.rfind(b"<")
            cut_mark = self._buffer[at:] if at >= 0 else b"-"
            if OPEN.startswith(cut_mark):
                self._buffer += self._reader.read()
                at = self._buffer.find(OPEN, at, at + len(OPEN))
            else:
                at = -1
        if at >= 0 and not self._started:
            self._count_lead(self._buffer[:at])
            self._drop(at)
        return at >= 0

    def _open_page(self) -> Block:
        self._started = True
        while (cut := self._buffer.find(CLOSE)) < 0:
            if len(self._buffer) > self._max_page:
                return self._pass_over()
            self._buffer += self._more()
        return self._cut(cut + len(CLOSE))

    def _check_rest(self) -> None:
        """At the end of a file stands its end mark; else only white space is between pages."""
        own = self._reader.own
        assert own is not None
        rest = self._buffer[: max(0, own - self._base)].rstrip()
        if self._reader.chunk.last:
            if not rest.endswith(_END):
                raise self._broken("it does not end as an export does")
            rest = rest[: -len(_END)]
        if not self._started:
            self._count_lead(rest)
        elif rest.strip():
            raise self._broken("something other than a page stands between its pages")

    def _broken(self, how: str) -> SourceError:
        where = f"after byte {self.end} of the part at {self._reader.chunk.start}"
        return SourceError(
            f"{self._reader.chunk.path} is not whole XML: it breaks off or is damaged {where}"
            f" ({how})",
            AGAIN,
        )
