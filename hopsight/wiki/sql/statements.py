"""The statements of a dump outside of its rows: which are known, and which prove it whole."""

import re
from dataclasses import dataclass
from typing import Final

from hopsight.errors import SourceError
from hopsight.wiki.sql.schema import TableSchema, parse_create_table
from hopsight.wiki.sql.stream import AGAIN, FETCH, Stream

_SPACE: Final = re.compile(rb"[\s;]*")
_LINE: Final = re.compile(rb"(?:--|#)[^\n]*\n")
_COMMENT: Final = re.compile(rb"/\*.*?\*/", re.DOTALL)
_STATEMENT: Final = re.compile(
    rb"(?:[^'\"`;]|'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`)*?;", re.DOTALL
)
_INSERT: Final = re.compile(
    rb"(?:INSERT|REPLACE)(?:\s+(?:IGNORE|DELAYED|LOW_PRIORITY))*\s+INTO\s+"
    rb"(?:`?\w+`?\.)?`?(?P<table>\w+)`?\s*(?:\((?P<columns>[^()']*)\)\s*)?VALUES?\s*(?=\()",
    re.IGNORECASE,
)
_STARTS_INSERT: Final = re.compile(rb"(?:INSERT|REPLACE)\b", re.IGNORECASE)
_HARMLESS: Final = re.compile(
    rb"(?:SET|USE|LOCK|UNLOCK|DROP\s+TABLE|ALTER\s+TABLE|CREATE\s+DATABASE|START\s+TRANSACTION"
    rb"|BEGIN|COMMIT|ANALYZE)\b",
    re.IGNORECASE,
)
_HIDDEN_ROWS: Final = re.compile(rb"/\*M?!\d*\s*(?:INSERT|REPLACE)\b", re.IGNORECASE)
_HEADER: Final = re.compile(rb"-- (?:MySQL|MariaDB) dump\b")
_LONGEST: Final = 1 << 22
"""Bytes that a statement without rows may have."""


@dataclass(slots=True)
class Signs:
    """What the file said about itself so far; tells whether its end is the real one."""

    has_header: bool = False
    completed: bool = False
    locked: bool = False
    unlocked: bool = False
    keys_off: bool = False
    keys_on: bool = False

    def note(self, text: bytes) -> None:
        """Take in one comment or statement."""
        self.has_header |= _HEADER.match(text) is not None
        self.completed |= text.startswith(b"-- Dump completed")
        self.locked |= text[:11].upper() == b"LOCK TABLES"
        self.unlocked |= text[:13].upper() == b"UNLOCK TABLES"
        self.keys_off |= text.rstrip(b"*/; ").endswith(b"DISABLE KEYS")
        self.keys_on |= text.rstrip(b"*/; ").endswith(b"ENABLE KEYS")

    def missing(self) -> str:
        """What a whole dump would still have said; empty if nothing."""
        if self.has_header and not self.completed:
            return "its last line, 'Dump completed'"
        if self.locked and not self.unlocked:
            return "UNLOCK TABLES"
        return "ENABLE KEYS" if self.keys_off and not self.keys_on else ""


@dataclass(frozen=True, slots=True)
class Insert:
    """The head of an INSERT; the stream stands at the `(` of its first row."""

    table: str
    columns: tuple[str, ...] | None


def next_statement(stream: Stream, signs: Signs) -> TableSchema | Insert | None:
    """The next statement that matters; None at the end of the file.

    Raises SourceError for a statement that is cut or that is not known: what could hold rows in
    another form must not be passed over.
    """
    while True:
        text = _take(stream, signs)
        if text is None:
            return None
        if isinstance(text, Insert):
            return text
        signs.note(text)
        schema = parse_create_table(text)
        if schema is not None:
            return schema
        comment = text.startswith((b"--", b"#", b"/*")) and not _HIDDEN_ROWS.match(text)
        if not (comment or _HARMLESS.match(text)):
            raise SourceError(
                f"{stream.path} has a statement at byte {stream.offset - len(text)} that is not"
                f" known: {text[:60]!r}",
                FETCH,
            )


def _take(stream: Stream, signs: Signs) -> bytes | Insert | None:
    """One comment line, comment or statement; None at the end of the file."""
    while True:
        space = _SPACE.match(stream.buffer, stream.at)
        assert space is not None
        stream.at = space.end()
        taken = _match(stream)
        if taken is not None:
            return taken
        if not stream.more():
            return _rest(stream)
        if stream.left > _LONGEST:
            raise SourceError(
                f"{stream.path} has a statement at byte {stream.offset} that does not end", FETCH
            )


def _match(stream: Stream) -> bytes | Insert | None:
    head = stream.buffer[stream.at : stream.at + 8]
    if _STARTS_INSERT.match(head):
        found = _INSERT.match(stream.buffer, stream.at)
        if found is None:
            return None
        stream.at = found.end()
        listed = found["columns"]
        names = None if listed is None else tuple(map(_name, listed.split(b",")))
        return Insert(_name(found["table"]), names)
    pattern = _STATEMENT
    if head.startswith((b"--", b"#")):
        pattern = _LINE
    elif head.startswith(b"/*"):
        pattern = _COMMENT
    found = pattern.match(stream.buffer, stream.at)
    if found is None or (len(head) < 8 and pattern is _STATEMENT):
        return None
    stream.at = found.end()
    return found[0].strip()


def _rest(stream: Stream) -> bytes | None:
    """What stands at the very end: nothing, or a last line without a newline."""
    rest = stream.buffer[stream.at :].strip()
    if rest and not (rest.startswith((b"--", b"#")) or _STATEMENT.fullmatch(rest)):
        raise SourceError(
            f"{stream.path} is cut: its last statement, at byte {stream.offset}, has no end", AGAIN
        )
    stream.at = len(stream.buffer)
    return rest or None


def _name(text: bytes) -> str:
    return text.strip().strip(b"`").decode("utf-8", "replace")
