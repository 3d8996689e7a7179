"""The link scan of one page: links in prose, and what its templates say about it."""

from collections import Counter
from dataclasses import dataclass
from re import Match
from typing import Final

from hopsight.wiki.scan.blank import blanked, dead_spans
from hopsight.wiki.scan.rules import APPENDICES, PICTURE_NAME, PICTURE_PARAMETERS, infobox_kind, xml
from hopsight.wiki.scan.targets import FILE_HERE, OTHER_WIKI, REASONS, Targets
from hopsight.wiki.scan.tokens import HEADING, LINK, NESTED, PLAIN, TAG, TEMPLATE, TOKENS, VALUE
from hopsight.wiki.titles import FILE, Namespaces, is_disambiguation

_REMEMBERED: Final = 200_000
"""Distinct template names that are kept before starting over: a bound on memory."""

_APPENDICES: Final = frozenset(name.encode() for name in APPENDICES)


@dataclass(slots=True)
class PageMarks:
    """What the markup of one page says about the page.

    `muted` is the level of the appendix (`See also`, …) that the scan is in, or 0; `box_decides`
    says that an infobox named the picture, so that files in the text no longer count.
    """

    is_disambiguation: bool = False
    infobox: str | None = None
    picture: str | None = None
    box_decides: bool = False
    muted: int = 0


class LinkScanner:
    """Scans pages and gathers their links: the numbers of their targets, and their positions.

    `positions` are where links start in the buffer that was given, to be taken away by whoever
    knows the buffer.
    """

    def __init__(self, namespaces: Namespaces) -> None:
        self._namespaces = namespaces
        self._templates: dict[bytes, tuple[str | None, bool]] = {}
        self._idle: set[bytes] = set()
        self._reasons: list[str] = []
        self._left_out: Counter[str] = Counter()
        self.clear()

    def clear(self) -> None:
        """Start with no links and no targets."""
        self._left_out.update(self._reasons)
        self._reasons = []
        self.targets = Targets(self._namespaces)
        self.numbers: list[int] = []
        self.positions: list[int] = []

    @property
    def left_out(self) -> Counter[str]:
        """Links that lead to no article, by reason; what was counted before `clear` as well."""
        return self._left_out + Counter(self._reasons)

    def scan(self, buffer: bytes, start: int, end: int) -> PageMarks:
        """Scan the escaped wikitext at `buffer[start:end]`, valid UTF-8 without `<` and `>`."""
        marks = PageMarks()
        numbers, positions = len(self.numbers), len(self.positions)
        left_out = len(self._reasons)
        if not self._walk(buffer, start, end, marks):
            del self.numbers[numbers:]
            del self.positions[positions:]
            del self._reasons[left_out:]
            marks = PageMarks()
            self._walk_unfit(buffer, start, end, marks)
        return marks

    def _walk_unfit(self, buffer: bytes, start: int, end: int, marks: PageMarks) -> None:
        text = buffer[start:end]
        spans = dead_spans(text)
        for first, last in spans:
            if text.startswith(b"{{", first):
                name = text[first + 2 : last - 2].split(b"|", 1)[0].split(b"&lt;", 1)[0]
                self._template(name.split(b"{", 1)[0], text, first, last, marks)
        before = len(self.positions)
        self._walk(blanked(text, spans), 0, len(text), marks, unfit=True)
        self.positions[before:] = [start + position for position in self.positions[before:]]

    def _walk(
        self, buffer: bytes, start: int, end: int, marks: PageMarks, *, unfit: bool = False
    ) -> bool:
        """Take in the tokens of a range. False as soon as one is met that has no end."""
        muted = bool(marks.muted)
        idle = self._idle
        number_of = self.targets.raw
        add_number, add_position = self.numbers.append, self.positions.append
        for token in TOKENS.finditer(buffer, start, end):
            kind = token.lastindex
            if kind == PLAIN:
                if not muted:
                    add_number(number_of[token[1]])
                    add_position(token.start())
            elif kind is None:
                continue
            elif kind == TEMPLATE:
                name = token[TEMPLATE]
                if name not in idle:
                    self._template(name, buffer, token.start(), token.end(), marks)
            elif kind == LINK:
                self._odd_link(token, marks)
            elif kind == HEADING:
                words = token[HEADING].strip(b"= \t'").lower()
                if muted or words in _APPENDICES:
                    _heading(token[HEADING], words, marks)
                    muted = bool(marks.muted)
            elif kind == NESTED:
                if not self._nested(token, marks, unfit=unfit):
                    return False
            elif kind != TAG and not unfit:
                return False
        return True

    def _odd_link(self, token: Match[bytes], marks: PageMarks) -> None:
        raw = token[LINK]
        code = self.targets.code(raw)
        if code == FILE_HERE:
            self._file(raw, marks)
        elif marks.muted:
            return
        elif code >= 0:
            self.numbers.append(code)
            self.positions.append(token.start())
        elif code in REASONS:
            worded = token.end() - token.end(LINK) > len(b"]]")
            if code != OTHER_WIKI or worded:  # without words it names this page's translation
                self._reasons.append(REASONS[code])

    def _file(self, raw: bytes, marks: PageMarks) -> None:
        if marks.picture is None and not marks.box_decides:
            marks.picture = self.targets.file(raw)

    def _nested(self, token: Match[bytes], marks: PageMarks, *, unfit: bool) -> bool:
        """A picture with links in its caption is passed over; other links give way to the inner."""
        raw = token[NESTED]
        if b":" in raw and self.targets.code(raw) == FILE_HERE:
            self._file(raw, marks)
            return True
        inner = token.end(NESTED)
        return self._walk(token.string, inner, token.end(), marks, unfit=unfit)

    def _template(self, name: bytes, buffer: bytes, start: int, end: int, marks: PageMarks) -> None:
        known = self._templates.get(name)
        if known is None:
            if len(self._templates) >= _REMEMBERED:
                self._templates.clear()
                self._idle.clear()
            known = self._templates[name] = _read_template(name)
            if known == (None, False):
                self._idle.add(name)
        kind, tells_apart = known
        if tells_apart:
            marks.is_disambiguation = True
        if kind is not None and marks.infobox is None:
            marks.infobox = kind
            self._box_picture(buffer[start + 2 + len(name) : end - 2], marks)

    def _box_picture(self, parameters: bytes, marks: PageMarks) -> None:
        """The picture that an infobox names, by the order of the full parser's parameter list."""
        values: dict[str, str] = {}
        for match in VALUE.finditer(parameters):
            key = "_".join(match[1].decode().lower().split())
            if key in PICTURE_PARAMETERS:
                values[key] = xml(match[2].decode())
        for key in PICTURE_PARAMETERS:
            found = PICTURE_NAME.search(values.get(key, ""))
            if found:
                marks.box_decides = True
                title = self._namespaces.title(found.group().strip())
                marks.picture = title.name if title.namespace in (0, FILE) else None
                return


def _heading(raw: bytes, words: bytes, marks: PageMarks) -> None:
    """Take in `= See also ==` (one `=` is off already): it starts or ends an appendix."""
    text = b"=" + raw
    level = min(len(text) - len(text.lstrip(b"=")), len(text) - len(text.rstrip(b"=")), 6)
    if not (marks.muted and level > marks.muted):
        marks.muted = level if words in _APPENDICES else 0


def _read_template(raw: bytes) -> tuple[str | None, bool]:
    """The kind of infobox, or None, and whether the template marks a disambiguation page."""
    name = xml(raw.decode())
    plain = " ".join(name.replace("_", " ").split()).lower()
    return infobox_kind(plain), is_disambiguation("", "{{" + name + "}}")
