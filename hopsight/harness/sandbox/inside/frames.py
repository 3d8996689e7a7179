"""Messages between Hopsight and a worker: one line of JSON, then the bytes that it announces."""

import json
import os
import struct
from collections.abc import Sequence
from typing import Any, Final

HEAD: Final = struct.Struct(">II")
"""Length of the JSON and of all bytes after it."""

MAX_HEADER_BYTES: Final = 1 << 20


def pack(header: dict[str, Any], parts: Sequence[bytes] = ()) -> bytes:
    """A message. Its header gains `sizes`, the lengths of the parts."""
    text = json.dumps({**header, "sizes": [len(part) for part in parts]}).encode()
    body = b"".join(parts)
    return HEAD.pack(len(text), len(body)) + text + body


def unpack(text: bytes, body: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Header and parts of a message. Raises ValueError where they do not fit each other."""
    header = json.loads(text)
    sizes = header.pop("sizes")
    if sum(sizes) != len(body) or any(size < 0 for size in sizes):
        raise ValueError("the sizes of a message do not add up")
    parts, position = [], 0
    for size in sizes:
        parts.append(body[position : position + size])
        position += size
    return header, parts


def read(source: int) -> tuple[dict[str, Any], list[bytes]]:
    """The next message from a descriptor. Raises EOFError where the other side is gone."""
    header_bytes, body_bytes = HEAD.unpack(_exactly(source, HEAD.size))
    text = _exactly(source, header_bytes)
    return unpack(text, _exactly(source, body_bytes))


def write(target: int, message: bytes) -> None:
    """Write all of a message to a descriptor."""
    view = memoryview(message)
    while view:
        view = view[os.write(target, view) :]


def _exactly(source: int, count: int) -> bytes:
    chunks = []
    while count:
        chunk = os.read(source, min(count, 1 << 20))
        if not chunk:
            raise EOFError("the other side is gone")
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)
