"""Pages whose brackets do not fit: everything in which no link counts becomes spaces.

A start without an end is plain text, as MediaWiki shows it; it swallows nothing. The work is
linear in the page's length, whatever stands in it.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from hopsight.wiki.scan.tokens import ATTRIBUTES, EDGES

_PAIRS: Final = {b"}}": b"{{", b"|}": b"{|"}
_CLOSE_TAG: Final = b"&gt;"
_ATTRIBUTES: Final = re.compile(ATTRIBUTES)


@dataclass(slots=True)
class _Dead:
    """Spans found so far, outermost only, and the starts that wait for their end."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    open: list[tuple[bytes, int]] = field(default_factory=list)
    waiting: dict[bytes, int] = field(default_factory=lambda: {b"{{": 0, b"{|": 0})

    def start(self, kind: bytes, at: int) -> None:
        self.open.append((kind, at))
        self.waiting[kind] += 1

    def end(self, kind: bytes, at: int) -> None:
        """Close the last start of that kind; starts within it that have no end are dropped."""
        if not self.waiting[kind]:
            return
        while True:
            other, start = self.open.pop()
            self.waiting[other] -= 1
            if other == kind:
                break
        self.add(start, at)

    def add(self, start: int, end: int) -> None:
        while self.spans and self.spans[-1][0] >= start:
            self.spans.pop()
        self.spans.append((start, end))


def dead_spans(text: bytes) -> list[tuple[int, int]]:
    """Where templates, tables, comments and tags without links lie in escaped wikitext."""
    dead = _Dead()
    last_close: dict[bytes, int] = {}
    lowered = text.lower()
    done = 0
    for match in EDGES.finditer(text):
        if match.start() < done:
            continue
        edge = match.group()
        if edge in _PAIRS:
            dead.end(_PAIRS[edge], match.end())
        elif edge in _PAIRS.values():
            dead.start(edge, match.start())
        else:
            end = _tag_end(lowered, match.start(), edge.lower(), last_close)
            if end > match.start():
                dead.add(match.start(), end)
                done = end
    return dead.spans


def _tag_end(text: bytes, start: int, edge: bytes, last_close: dict[bytes, int]) -> int:
    """Where the comment or tag at `start` ends; `start` itself if nothing closes it."""
    if edge == b"&lt;!--":
        end = text.find(b"--&gt;", start)
        return len(text) if end < 0 else end + len(b"--&gt;")
    attributes = _ATTRIBUTES.match(text, start + len(edge))
    if attributes is None:
        return start
    opened = attributes.end()
    if text.endswith(b"/&gt;", start, opened):
        return opened
    close = b"&lt;/" + edge.removeprefix(b"&lt;")
    # Where the last one lies is looked up once, so that unclosed tags cost no search each.
    if close not in last_close:
        last_close[close] = text.rfind(close)
    if last_close[close] < opened:
        return start
    end = text.find(_CLOSE_TAG, text.find(close, opened))
    return len(text) if end < 0 else end + len(_CLOSE_TAG)


def blanked(text: bytes, spans: list[tuple[int, int]]) -> bytes:
    """The text with every span turned into spaces; offsets stay."""
    out = bytearray(text)
    for start, end in spans:
        out[start:end] = b" " * (end - start)
    return bytes(out)
