"""HTML elements to Markdown: headings, paragraphs, lists, tables, links, code."""

import logging
from typing import Any, Final
from urllib.parse import urljoin

from lxml import etree

log = logging.getLogger(__name__)

MAX_CHARS: Final = 2_000_000
MAX_PICTURES: Final = 500
MIN_SIDE: Final = 48
"""A picture that says it is smaller is an icon."""

_LEFT_OUT: Final = frozenset(
    "script style noscript template svg math iframe object embed nav footer aside head button "
    "input select textarea dialog audio video canvas map".split()
)
_BLOCKS: Final = frozenset(
    "p div section article main header body ul ol dl dt dd table tbody thead tfoot caption figure "
    "figcaption address details summary form fieldset hr center".split()
)
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_TIGHT: Final = frozenset({"item", "row", "line"})


class MarkdownWriter:
    """Collects blocks; `text` joins them. The walk keeps no stack of calls, however deep a page."""

    def __init__(self, base: str) -> None:
        self.pictures: dict[str, None] = {}
        self._base = base
        self._blocks: list[tuple[str, str]] = []
        self._chars = 0
        self._line: list[str] = []
        self._kind, self._prefix = "text", ""
        self._links: list[tuple[int, str]] = []
        self._lists: list[int | None] = []
        self._quotes = 0
        self._code = 0
        self._cell = 0
        self._row: list[str] = []
        self._header_done = False

    def walk(self, root: Any) -> None:
        """Write all below `root`."""
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if self._chars > MAX_CHARS:
                log.warning("event=page_cut chars=%d", self._chars)
                break
            if not isinstance(element.tag, str):
                continue
            if event == "start":
                if _left_out(element):
                    walker.skip_subtree()
                else:
                    self._start(element)
                    self._write(element.text)
            else:
                if not _left_out(element):
                    self._end(element)
                if element is not root:
                    self._write(element.tail)
        self._flush()

    def text(self) -> str:
        """What was written."""
        pieces: list[str] = []
        before = ""
        for kind, block in self._blocks:
            if pieces:
                pieces.append("\n" if kind == before and kind in _TIGHT else "\n\n")
            pieces.append(block)
            before = kind
        return "".join(pieces)[:MAX_CHARS].strip()

    def _start(self, element: Any) -> None:
        tag = element.tag
        if tag in _HEADINGS:
            self._flush()
            self._prefix = f"{_HEADINGS[tag]} "
        elif tag == "li":
            self._flush()
            self._kind, self._prefix = "item", self._bullet()
        elif tag in ("td", "th"):
            if not self._cell and not self._row:
                self._flush()
            self._cell += 1
        elif tag in _BLOCKS or tag in ("tr", "blockquote", "pre"):
            self._flush()
        self._open(element)

    def _open(self, element: Any) -> None:
        tag = element.tag
        if tag == "a":
            self._links.append((len(self._line), element.get("href") or ""))
        elif tag == "img":
            self._picture(element)
        elif tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "blockquote":
            self._quotes += 1
        elif tag == "pre":
            self._code += 1
        elif tag == "table":
            self._header_done = False
        elif tag == "br":
            self._break()

    def _end(self, element: Any) -> None:
        tag = element.tag
        if tag == "a" and self._links:
            self._close_link(*self._links.pop())
        elif tag in ("td", "th"):
            self._close_cell()
        elif tag == "tr":
            self._close_row()
        elif tag == "pre":
            self._close_code()
        elif tag in _HEADINGS or tag in _BLOCKS or tag in ("li", "blockquote"):
            self._flush()
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()
            self._quotes -= tag == "blockquote"

    def _write(self, text: str | None) -> None:
        if text:
            self._line.append(text)

    def _bullet(self) -> str:
        depth = max(0, len(self._lists) - 1)
        number = self._lists[-1] if self._lists else None
        if number is None:
            return f"{'  ' * depth}- "
        self._lists[-1] = number + 1
        return f"{'  ' * depth}{number + 1}. "

    def _taken(self) -> str:
        """The line so far in one line of text; links that are still open go on in the next."""
        text = " ".join("".join(self._line).split())
        self._line.clear()
        self._links = [(0, href) for _, href in self._links]
        return text

    def _flush(self) -> None:
        if self._cell or self._code:
            self._line.append("\n" if self._code else " ")
            return
        if self._row:
            self._close_row()
        text = self._taken()
        if text:
            self._add(self._kind, f"{'> ' * self._quotes}{self._prefix}{text}")
            self._kind, self._prefix = "text", ""

    def _break(self) -> None:
        if self._kind == "text" and not self._prefix and not self._cell and not self._code:
            self._kind = "line"
        self._flush()

    def _add(self, kind: str, block: str) -> None:
        self._blocks.append((kind, block))
        self._chars += len(block) + 2

    def _close_link(self, start: int, href: str) -> None:
        text = " ".join("".join(self._line[start:]).split())
        url = _absolute(self._base, href)
        if text and url and not self._code:
            self._line[start:] = [f"[{text}]({url})"]
            self._chars += len(url) if self._cell else 0

    def _close_cell(self) -> None:
        self._cell = max(0, self._cell - 1)
        if not self._cell:
            self._row.append(self._taken().replace("|", "\\|"))

    def _close_row(self) -> None:
        if self._cell or not any(self._row):
            self._row = self._row if self._cell else []
            return
        self._add("row", f"| {' | '.join(self._row)} |")
        if not self._header_done:
            self._add("row", f"|{' --- |' * len(self._row)}")
            self._header_done = True
        self._row = []

    def _close_code(self) -> None:
        self._code = max(0, self._code - 1)
        if not self._code and not self._cell:
            text = "".join(self._line).strip("\n")
            self._line.clear()
            if text.strip():
                fence = "````" if "```" in text else "```"
                self._add("text", f"{fence}\n{text}\n{fence}")

    def _picture(self, element: Any) -> None:
        source = element.get("src") or ""
        if not source or source.startswith("data:"):
            source = element.get("data-src") or ""
        url = _absolute(self._base, source)
        sides = (element.get("width") or "", element.get("height") or "")
        icon = any(side.isdecimal() and int(side[:9]) < MIN_SIDE for side in sides)
        if url and not icon and len(self.pictures) < MAX_PICTURES:
            self.pictures.setdefault(url)


def _absolute(base: str, href: str) -> str:
    """An absolute web address; "" for anything else (scripts, mail, anchors of the page)."""
    href = href.strip()
    if not href or href.startswith("#"):
        return ""
    try:
        url = urljoin(base, href)
    except ValueError:
        return ""
    good = url.startswith(("http://", "https://")) and len(url) <= 4000
    return url.replace(" ", "%20").replace("(", "%28").replace(")", "%29") if good else ""


def _left_out(element: Any) -> bool:
    hidden = element.get("hidden") is not None or element.get("aria-hidden") == "true"
    style = (element.get("style") or "").replace(" ", "").lower()
    navigates = element.get("role") in ("navigation", "banner", "contentinfo", "search")
    return element.tag in _LEFT_OUT or hidden or navigates or "display:none" in style
