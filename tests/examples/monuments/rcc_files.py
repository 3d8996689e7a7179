"""Small Qt resource files, written as Qt's own compiler would."""

import struct
import zlib
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

PLAIN, ZLIB, FOLDER, ZSTD = 0, 1, 2, 4


def packed(content: bytes, flags: int) -> bytes:
    """A file's bytes as its entry holds them."""
    if flags & ZSTD:
        return bytes(pa.compress(content, codec="zstd", asbytes=True))
    return struct.pack(">I", len(content)) + zlib.compress(content) if flags & ZLIB else content


def rcc(files: Mapping[str, tuple[bytes, int]], version: int = 3) -> bytes:
    """A resource file. `files` gives for each path its content and how it is packed."""
    tree: dict[str, Any] = {}
    for path, entry in files.items():
        *folders, name = path.split("/")
        inner = tree
        for folder in folders:
            inner = inner.setdefault(folder, {})
        inner[name] = entry
    names, contents = bytearray(), bytearray()
    nodes: list[tuple[str, Any]] = [("", tree)]
    records = []
    for name, entry in nodes:
        at = len(names)
        names += struct.pack(">HI", len(name), 0) + name.encode("utf-16-be")
        if isinstance(entry, dict):
            records.append(struct.pack(">IHII", at, FOLDER, len(entry), len(nodes)))
            nodes += entry.items()
        else:
            records.append(struct.pack(">IHHHI", at, entry[1], 0, 1, len(contents)))
            stored = packed(*entry)
            contents += struct.pack(">I", len(stored)) + stored
    more = b"" if version == 1 else bytes(8)
    node_bytes = b"".join(record + more for record in records)
    start = 24 if version == 3 else 20
    head = struct.pack(
        ">4sIIII",
        b"qres",
        version,
        start,
        start + len(node_bytes),
        start + len(node_bytes) + len(contents),
    )
    return head + (bytes(4) if version == 3 else b"") + node_bytes + bytes(contents + names)
