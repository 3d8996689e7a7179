"""Reading Qt's binary resource files (`.rcc`), format versions 1 to 3.

Layout, all numbers big-endian: "qres", version, offsets of the tree, the data and the names, and
from version 3 on a word of flags. A tree node is 14 bytes, from version 2 on 22: offset of its
name, flags; of a folder then the number and the index of its children, of a file its locale and
the offset of its data. Source of the format: Qt's `qresource.cpp` and `rcc.cpp`.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from hopsight.errors import SourceError

MAX_FILE: Final = 32 << 20
"""Bytes; a larger resource is an error."""
MAX_NODES: Final = 100_000
"""Nodes of a tree; more are an error."""
MAX_DEPTH: Final = 64

_COMPRESSED, _FOLDER, _ZSTD = 1, 2, 4
_REMEDY: Final = "fetch the package again and compare its hash"


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    flags: int
    first: int
    second: int


def read_rcc(data: bytes) -> dict[str, bytes]:
    """Every file of a resource collection by its path, unpacked.

    Raises SourceError for anything that the format does not allow: offsets outside the file,
    loops, damaged or oversized entries, unknown versions and flags.
    """
    collection = _Collection(data)
    files: dict[str, bytes] = {}
    for path, node in collection.walk():
        if path in files:
            raise SourceError(f"the resource file holds {path} twice", _REMEDY)
        files[path] = collection.content(path, node)
    return files


class _Collection:
    """The sections of one file and bounded access to them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        if data[:4] != b"qres":
            raise SourceError("this is no Qt resource file", _REMEDY)
        version, self._tree, self._contents, self._names = self._unpack(">IIII", 4)
        if version not in (1, 2, 3):
            raise SourceError(f"version {version} of Qt's resource files is unknown", _REMEDY)
        self._node_size = 14 if version == 1 else 22

    def walk(self) -> Iterator[tuple[str, _Node]]:
        """Every file with its path, folders in the order of the tree."""
        seen = {0}
        waiting = [("", 0, self._node(0))]
        while waiting:
            path, depth, node = waiting.pop()
            if not node.flags & _FOLDER:
                yield path, node
                continue
            if depth == MAX_DEPTH:
                raise SourceError(f"the folders of the resource file go too deep: {path}", _REMEDY)
            children = range(node.second, node.second + node.first)
            if len(children) > MAX_NODES or not seen.isdisjoint(children):
                raise SourceError(f"the tree of the resource file loops at {path!r}", _REMEDY)
            seen.update(children)
            if len(seen) > MAX_NODES:
                raise SourceError("the resource file has too many entries", _REMEDY)
            for index in reversed(children):
                child = self._node(index)
                waiting.append((f"{path}/{child.name}".removeprefix("/"), depth + 1, child))

    def content(self, path: str, node: _Node) -> bytes:
        """The bytes of a file, unpacked."""
        at = self._contents + node.second
        (size,) = self._unpack(">I", at)
        if size > MAX_FILE:
            raise SourceError(f"{path} of the resource file is too large", _REMEDY)
        stored = self._slice(at + 4, size)
        if node.flags & _ZSTD:
            return _zstd(path, stored)
        return _zlib(path, stored) if node.flags & _COMPRESSED else stored

    def _node(self, index: int) -> _Node:
        name_at, flags, first, second = self._unpack(">IHII", self._tree + index * self._node_size)
        if flags & ~(_COMPRESSED | _FOLDER | _ZSTD):
            raise SourceError(f"a resource has unknown flags ({flags})", _REMEDY)
        name = self._name(name_at) if index else ""
        return _Node(name, flags, first, second)

    def _name(self, offset: int) -> str:
        at = self._names + offset
        (length,) = self._unpack(">H", at)
        try:
            name = self._slice(at + 6, 2 * length).decode("utf-16-be")
        except UnicodeDecodeError as error:
            raise SourceError(
                f"a name in the resource file is damaged ({error})", _REMEDY
            ) from error
        if not name or "/" in name or name in {".", ".."}:
            raise SourceError(f"a resource has no usable name: {name!r}", _REMEDY)
        return name

    def _unpack(self, form: str, at: int) -> tuple[int, ...]:
        return struct.unpack(form, self._slice(at, struct.calcsize(form)))

    def _slice(self, at: int, size: int) -> bytes:
        if at < 0 or at + size > len(self._data):
            raise SourceError("the resource file ends early or points outside itself", _REMEDY)
        return self._data[at : at + size]


def _zlib(path: str, stored: bytes) -> bytes:
    """Qt's qCompress: the size as a big-endian word, then a zlib stream."""
    if len(stored) < 4:
        raise SourceError(f"{path} of the resource file is damaged", _REMEDY)
    (size,) = struct.unpack(">I", stored[:4])
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(stored[4:], MAX_FILE)
    except zlib.error as error:
        raise SourceError(f"{path} of the resource file is damaged ({error})", _REMEDY) from error
    if not unpacker.eof or len(content) != size:
        raise SourceError(f"{path} of the resource file is not whole or too large", _REMEDY)
    return content


def _zstd(path: str, stored: bytes) -> bytes:
    try:
        with pa.CompressedInputStream(pa.BufferReader(stored), "zstd") as stream:
            content = bytes(stream.read(MAX_FILE + 1))
    except (OSError, pa.ArrowException) as error:
        raise SourceError(f"{path} of the resource file is damaged ({error})", _REMEDY) from error
    if len(content) > MAX_FILE:
        raise SourceError(f"{path} of the resource file is too large", _REMEDY)
    return content
