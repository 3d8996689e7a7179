"""A file that is one JSON object over several lines: no reader takes its lines for rows."""

import json
from pathlib import Path
from typing import Final

from hopsight.errors import SourceError
from hopsight.store.files import storage_errors
from refine.imported.seed import ImportLimits

_BOM: Final = b"\xef\xbb\xbf"
_JSON: Final = frozenset({".json", ".jsonl", ".ndjson"})


def refuse_one_object(path: Path, limits: ImportLimits) -> None:
    """Raise SourceError for a file whose lines are no rows but one object together.

    A broken first row is none: the whole of such a file is no JSON. StoreError where the disk
    fails.
    """
    if path.suffix.casefold() not in _JSON:
        return
    with storage_errors(path), path.open("rb") as file:
        first = file.readline(limits.row_bytes).removeprefix(_BOM)
        while first and not first.strip():
            first = file.readline(limits.row_bytes)
        if not first.lstrip().startswith(b"{") or isinstance(_json(first), dict):
            return
        file.seek(0)
        whole = _json(file.read(limits.file_bytes).removeprefix(_BOM))
    if isinstance(whole, dict):
        names = ", ".join(map(repr, list(whole)[:5]))
        raise SourceError(
            f"{path.name} is one JSON object ({names})", "give an array, or one object a line"
        )


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
