"""From parsed wikitext to plain text that remembers its links, headings and bold names."""

import re
from dataclasses import dataclass, field
from typing import Final

from mwparserfromhell.nodes import (
    ExternalLink,
    Heading,
    HTMLEntity,
    Tag,
    Template,
    Text,
    Wikilink,
)
from mwparserfromhell.wikicode import Wikicode

from hopsight.wiki.templates import inline_text
from hopsight.wiki.titles import ARTICLE, CATEGORY, FILE, FOREIGN, Namespaces

DROPPED_TAGS: Final = frozenset(
    {"ref", "references", "table", "gallery", "math", "chem", "timeline", "score",
     "imagemap", "syntaxhighlight", "source", "graph", "mapframe", "maplink", "style",
     "templatestyles", "hiero", "indicator", "inputbox", "poem"}
)  # fmt: skip
_BREAK_TAGS: Final = frozenset({"br", "hr", "p", "div", "li", "dd", "dt", "blockquote"})
APPENDICES: Final = frozenset(
    {"see also", "references", "notes", "external links", "further reading", "bibliography",
     "sources", "citations", "footnotes", "notes and references", "siehe auch", "weblinks",
     "einzelnachweise", "literatur", "anmerkungen", "quellen", "fußnoten", "belege",
     "einzelnachweise und anmerkungen", "anmerkungen und einzelnachweise", "参考文献", "参见",
     "外部链接", "參考文獻", "參見", "外部連結", "外部連接", "注释", "註釋", "参考资料",
     "參考資料", "延伸阅读", "延伸閱讀", "相关条目", "相關條目", "脚注", "腳註", "参看", "參看"}
)  # fmt: skip
"""Sections that point elsewhere and state nothing."""

_LONGEST_TITLE: Final = 150
_SWITCH: Final = re.compile(r"__[A-Z]+__")
_TRAIL: Final = re.compile(r"[a-zäöüß]+")
_SPACE: Final = re.compile(r"[ \t\r\f\v\u00a0\u2007\u2009\u202f]+")


@dataclass(frozen=True, slots=True)
class RawLink:
    """A link to an article as it stands in prose; `start`/`end` are its anchor in the text."""

    target: str
    start: int
    end: int


@dataclass(slots=True)
class PlainText:
    """Plain text under construction. Spaces are made single as it is written.

    A heading is a line `## Title` of its own; paragraphs are apart by an empty line. `whole` are
    the spans of links and italics: names, in which no sentence ends.
    """

    parts: list[str] = field(default_factory=list)
    length: int = 0
    links: list[RawLink] = field(default_factory=list)
    bold: list[tuple[int, str]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    whole: list[tuple[int, int]] = field(default_factory=list)
    _last: str = "\n"
    _breaks: int = 2
    _space: bool = False
    _item: bool = False
    _muted: int = 0

    def text(self) -> str:
        """What was written so far."""
        return "".join(self.parts)

    def write(self, text: str) -> None:
        """Add running text; an empty line in it begins a paragraph, a line end is a space.

        The first line end after `begin_item` ends that list item.
        """
        if self._muted:
            return
        if self._item and "\n" in text:
            line, _, text = text.partition("\n")
            self._item = False
            self._words(_SPACE.sub(" ", line))
            self.break_line(1)
            text = "\n" + text
        for number, block in enumerate(re.split(r"\n[ \t]*\n\s*", text)):
            if number:
                self.break_line(2)
            self._words(_SPACE.sub(" ", block.replace("\n", " ")))

    def break_line(self, lines: int) -> None:
        """Make sure that the next word stands after at least `lines` line ends."""
        self._space = False
        if self.length:
            self._breaks = max(self._breaks, lines)

    def begin_item(self) -> None:
        """Start a list item on a line of its own."""
        self.break_line(1)
        self._item = True

    def heading(self, level: int, words: str) -> None:
        """Start a section. An appendix (`See also`, `References`, …) is left out with its links."""
        if self._muted and level > self._muted:
            return
        self._muted = level if words.strip().lower() in APPENDICES else 0
        self._item = False
        self.break_line(2)
        self.write("#" * max(2, level) + " " + words)
        self.break_line(2)

    def position(self) -> int:
        """Where the next word would start."""
        return self.length + (self._breaks if self._breaks and self.length else int(self._gap()))

    def _gap(self) -> bool:
        return self._space and self.length > 0 and not self._breaks

    def _words(self, text: str) -> None:
        words = text.strip(" ")
        if not words:
            self._space = (self._space or bool(text)) and not self._opened()
            return
        self._space = self._space or text[0] == " "
        if self._opened():
            words = self._closed(words)
            if not words:
                return
        if self._breaks and self.length:
            self._put("\n" * self._breaks)
        elif self._gap():
            self._put(" ")
        self._breaks = 0
        self._put(re.sub(" +", " ", words))
        self._space = text[-1] == " " and not words.endswith("(")

    def _closed(self, words: str) -> str:
        """What is left of `words` after a `(` whose first part was a dropped template.

        `(` + `) is` loses both brackets, `(` + `; 1879` the separator.
        """
        rest = words.lstrip(" ;,:")
        self._space = False
        if not rest.startswith(")") or self._ends_name():
            return rest
        opened = self.parts[-1].removesuffix("(")
        self.parts[-1] = opened.rstrip(" ")
        self.length -= 1 + len(opened) - len(self.parts[-1])
        rest = rest[1:]
        self._space = rest.startswith(" ")
        return rest.strip(" ")

    def _opened(self) -> bool:
        return bool(self.parts) and not self._breaks and self.parts[-1].endswith("(")

    def _ends_name(self) -> bool:
        return bool(self.whole) and self.whole[-1][1] == self.length

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def since(self, start: int) -> str:
        """The text from `start` on."""
        tail: list[str] = []
        left = self.length - start
        for part in reversed(self.parts):
            if left <= 0:
                break
            tail.append(part[-left:])
            left -= len(part)
        return "".join(reversed(tail))


def plain_text(code: Wikicode, namespaces: Namespaces) -> PlainText:
    """Read a page's wikicode.

    Templates, tables, references, files and categories leave no text and no link; the few
    templates that stand for words (`{{convert}}`, `{{lang}}`, …) leave their words.
    """
    out = PlainText()
    _walk(code, out, namespaces)
    return out


def _walk(code: Wikicode, out: PlainText, namespaces: Namespaces) -> None:
    previous: object = None
    for node in code.nodes:
        if isinstance(node, Text):
            _text(str(node.value), out, after_link=isinstance(previous, Wikilink))
        elif isinstance(node, Wikilink):
            _link(node, out, namespaces)
        elif isinstance(node, Tag):
            _tag(node, out, namespaces)
        elif isinstance(node, HTMLEntity):
            out.write(node.normalize())
        elif isinstance(node, Heading):
            _heading(node, out, namespaces)
        elif isinstance(node, ExternalLink):
            if node.title is not None:
                _walk(node.title, out, namespaces)
        elif isinstance(node, Template):
            words = inline_text(node)
            if words is not None:
                out.write(words)
        previous = node


def _text(text: str, out: PlainText, *, after_link: bool) -> None:
    trail = _TRAIL.match(text) if after_link and out.links else None
    if trail and out.links[-1].end == out.length:
        last = out.links.pop()
        out.links.append(RawLink(last.target, last.start, last.end + trail.end()))
    out.write(_SWITCH.sub("", text) if "__" in text else text)


def _link(node: Wikilink, out: PlainText, namespaces: Namespaces) -> None:
    target = str(node.title).strip()
    title = namespaces.title(target)
    if not target.startswith(":"):
        if title.namespace == FILE:
            out.files.append(title.name)
            return
        if title.namespace == CATEGORY:
            out.categories.append(title.name)
            return
        if title.namespace == FOREIGN and node.text is None:
            return
    start = out.position()
    if node.text is None:
        out.write(target.removeprefix(":").replace("_", " "))
    else:
        _walk(node.text, out, namespaces)
    start += _leading_spaces(out.since(start))
    if out.length > start and (title.name or title.namespace != ARTICLE):
        out.links.append(RawLink(target, start, out.length))
        out.whole.append((start, out.length))


def _leading_spaces(text: str) -> int:
    return len(text) - len(text.lstrip())


def _tag(node: Tag, out: PlainText, namespaces: Namespaces) -> None:
    name = str(node.tag).strip().lower()
    if name in DROPPED_TAGS:
        return
    if name in {"li", "dd", "dt"} and node.wiki_markup:
        out.begin_item()
    elif name in _BREAK_TAGS:
        out.break_line(1)
    if node.contents is None or node.self_closing:
        return
    start = out.position()
    if name == "nowiki":
        out.write(str(node.contents))
    else:
        _walk(node.contents, out, namespaces)
    if name in {"i", "em"} and out.length - start <= _LONGEST_TITLE:
        out.whole.append((start, out.length))
    if name in {"b", "strong"} and out.length > start:
        out.bold.append((start, out.since(start).strip()))
    if name in _BREAK_TAGS:
        out.break_line(1)


def _heading(node: Heading, out: PlainText, namespaces: Namespaces) -> None:
    out.heading(node.level, plain_text(node.title, namespaces).text())
