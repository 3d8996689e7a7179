"""JSON Lines, and arrays of objects in one JSON document."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from hopsight.errors import SourceError
from refine.imported.columns import Role
from refine.imported.seed import BadRow, ImportLimits

_BOM: Final = b"\xef\xbb\xbf"
_CUT: Final = 80


def json_rows(
    path: Path, given: Mapping[Role, str], limits: ImportLimits, *, every: bool
) -> Iterator[Mapping[str, object] | BadRow]:
    """The objects of a file with all they hold: one a line, or the members of one array.

    Raises SourceError for a file that is no JSON, or one object over several lines.
    """
    del given, every
    with path.open("rb") as file:
        start = file.read(4096).removeprefix(_BOM).lstrip()
        file.seek(0)
        if start[:1] == b"[":
            yield from _of_array(file, path, limits)
            return
        _refuse_one_object(file, path, limits)
        yield from _of_lines(file, limits)


def _of_lines(file: BinaryIO, limits: ImportLimits) -> Iterator[Mapping[str, object] | BadRow]:
    first = True
    while line := file.readline(limits.row_bytes + 1):
        too_long = len(line) > limits.row_bytes
        while too_long and not line.endswith(b"\n") and (more := file.readline(1 << 20)):
            line = more
        text = line.removeprefix(_BOM) if first else line
        first = False
        if too_long:
            yield BadRow("row_too_long", f"it has more than {limits.row_bytes} bytes")
        elif text.strip():
            yield _object(text)


def _of_array(
    file: BinaryIO, path: Path, limits: ImportLimits
) -> Iterator[Mapping[str, object] | BadRow]:
    data = file.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        raise SourceError(
            f"{path.name} is one JSON array of more than {limits.file_bytes:,} bytes",
            "write one object a line (.jsonl): such a file is read line by line",
        )
    try:
        members = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{path.name} is no JSON ({error})", "mend it, or write one object a line (.jsonl)"
        ) from error
    for member in members:
        yield member if isinstance(member, dict) else _no_object(member)


def _refuse_one_object(file: BinaryIO, path: Path, limits: ImportLimits) -> None:
    """Raise SourceError for a file whose lines are no rows but one object together.

    A broken first row is none: the whole of such a file is no JSON. The file is at its start after.
    """
    first = file.readline(limits.row_bytes).removeprefix(_BOM)
    while first and not first.strip():
        first = file.readline(limits.row_bytes)
    whole: object = None
    if first.lstrip().startswith(b"{") and not isinstance(_json(first), dict):
        file.seek(0)
        whole = _json(file.read(limits.file_bytes).removeprefix(_BOM))
    file.seek(0)
    if isinstance(whole, dict):
        names = ", ".join(repr(name[:_CUT]) for name in list(whole)[:5])
        raise SourceError(
            f"{path.name} is one JSON object ({names})", "give an array, or one object a line"
        )


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _object(line: bytes) -> Mapping[str, object] | BadRow:
    try:
        value = json.loads(line)
    except UnicodeDecodeError as error:
        return BadRow("bad_encoding", f"it is not UTF-8 ({error.reason})")
    except (ValueError, RecursionError) as error:
        return BadRow("bad_row", f"it is no JSON ({error})")
    return value if isinstance(value, dict) else _no_object(value)


def _no_object(value: object) -> BadRow:
    return BadRow("bad_row", f"it is no object but {str(value)[:_CUT]!r}")
