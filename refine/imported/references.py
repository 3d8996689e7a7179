"""How a cell names its pictures: bytes, base64, paths and addresses, also in lists and structs."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from refine.imported.cells import is_empty
from refine.imported.seed import BadRow

_DATA_URL: Final = re.compile(r"data:[\w.+/-]*(?:;[\w=.-]+)*;base64,", re.ASCII)
_BASE64_STARTS: Final = ("iVBORw0KGgo", "/9j/", "UklGR")
"""PNG, JPEG and WebP in base64."""
_SHORTEST_BASE64: Final = 64
_WHERE: Final = ("path", "url", "image_url", "image", "src", "file_name")
_DEEPEST: Final = 4


@dataclass(frozen=True, slots=True)
class Held:
    """A picture whose bytes stand in the row; `name` is what the row calls it."""

    data: bytes
    name: str = ""


@dataclass(frozen=True, slots=True)
class InFolder:
    """A picture in a file, by its path."""

    path: str


@dataclass(frozen=True, slots=True)
class OnWeb:
    """A picture by its address."""

    url: str


Reference = Held | InFolder | OnWeb


def references_of(value: object, depth: int = 0) -> list[Reference]:
    """The pictures that a cell names; none where it is empty or holds nothing but nulls.

    Of a struct bytes come before path and address. Raises BadRow for a cell of no known shape and
    for a list of which some members are null: a question may need each of its pictures.
    """
    if is_empty(value):
        return []
    if depth > _DEEPEST:
        raise BadRow("picture_unreadable", "the cell is nested too deeply")
    if isinstance(value, bytes):
        return [Held(value)]
    if isinstance(value, str):
        return _of_text(value.strip(), depth)
    if isinstance(value, list):
        return _of_list(value, depth)
    if isinstance(value, Mapping):
        return _of_struct(value, depth)
    raise BadRow("picture_unreadable", f"the cell is of type {type(value).__name__}")


def _of_list(values: list[object], depth: int) -> list[Reference]:
    found = [references_of(each, depth + 1) for each in values]
    lacking = next((n for n, each in enumerate(found, start=1) if not each), None)
    if any(found) and lacking is not None:
        raise BadRow("picture_missing", f"picture {lacking} of {len(found)} is null")
    return [reference for each in found for reference in each]


def _of_struct(value: Mapping[str, object], depth: int) -> list[Reference]:
    held = value.get("bytes")
    if isinstance(held, str) and held:
        held = _decoded(held)
    if isinstance(held, bytes) and held:
        path = value.get("path")
        return [Held(held, path if isinstance(path, str) else "")]
    if not is_empty(held) and held != b"":
        raise BadRow("picture_unreadable", f"bytes are of type {type(held).__name__}")
    known = [value[name] for name in _WHERE if name in value]
    if not known and "bytes" not in value:
        names = ", ".join(sorted(map(str, value))[:8])
        raise BadRow("picture_unreadable", f"a struct of {names} names no picture")
    found = (references_of(each, depth + 1) for each in known)
    return next((each for each in found if each), [])


def _of_text(text: str, depth: int) -> list[Reference]:
    if text.startswith("["):
        return _of_json(text, depth)
    head = _DATA_URL.match(text)
    if head:
        return [Held(_decoded(text[head.end() :]))]
    if text[:5].casefold() == "data:":
        raise BadRow("picture_unreadable", f"{text[:40]!r} is no base64 data URL")
    if re.match(r"https?://", text, re.IGNORECASE):
        return [OnWeb(text)]
    if len(text) >= _SHORTEST_BASE64 and text.startswith(_BASE64_STARTS):
        return [Held(_decoded(text))]
    return [InFolder(text)]


def _of_json(text: str, depth: int) -> list[Reference]:
    """A list that a table without lists holds as text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return [InFolder(text)]
    return references_of(value, depth + 1)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRow("picture_unreadable", f"it is no base64 ({error})") from error
