"""The bytes of an export, whatever packs it, cut into ranges that can be read apart.

A *chunk* is a range of one file that a process reads on its own: of a plain file by offsets, of a
bz2 file with many streams by the streams' starts, else the whole file. Where the cuts lie depends
on the files alone, never on how many processes there are.
"""

import bz2
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Literal

import pyarrow as pa

from hopsight.errors import SourceError

Packing = Literal["plain", "bz2", "zstd"]

PLAIN_CHUNK: Final = 256 << 20
BZ2_CHUNK: Final = 64 << 20
"""Bytes of the file in one chunk, about."""

READ: Final = 1 << 20
_SEARCHED: Final = 16 << 20
"""How far after a chunk's nominal end the start of a bz2 stream is looked for."""

_BZ2_STREAM: Final = re.compile(rb"BZh[1-9]1AY&SY")
_ZSTD: Final = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
FETCH: Final = "give a MediaWiki export (pages-articles): plain XML, .bz2 or .zst"
AGAIN: Final = "fetch or build the file again and compare its size or checksum"


@dataclass(frozen=True, slots=True)
class Chunk:
    """The range `start` ≤ offset < `stop` of a file; `first` and `last` of its file or not."""

    index: int
    path: Path
    packing: Packing
    start: int
    stop: int
    first: bool
    last: bool


def packing_of(path: Path) -> Packing:
    """How a file is packed, by its first bytes. Raises SourceError if it cannot be read."""
    if not path.is_file():
        raise SourceError(f"{path} is not there or is no file", FETCH)
    with _opened(path) as file:
        head = file.read(16)
    if not head:
        raise SourceError(f"{path} is empty", AGAIN)
    if head.startswith(b"BZh"):
        return "bz2"
    if _ZSTD.match(head):
        return "zstd"
    if head.startswith((b"\x1f\x8b", b"7z\xbc\xaf", b"PK\x03\x04", b"\xfd7zXZ")):
        raise SourceError(f"{path} is packed in a way that is not read here", FETCH)
    return "plain"


def plan_chunks(
    paths: Sequence[Path], *, plain_chunk: int = PLAIN_CHUNK, bz2_chunk: int = BZ2_CHUNK
) -> tuple[Chunk, ...]:
    """The chunks of all files, in order; the last of a file is at least half a chunk.

    Raises SourceError for a file that cannot be used.
    """
    chunks: list[Chunk] = []
    for path in paths:
        packing = packing_of(path)
        size = path.stat().st_size
        if packing == "plain":
            cuts = [0, *range(plain_chunk, size - plain_chunk // 2, plain_chunk)]
        elif packing == "bz2":
            cuts = [0, *_stream_starts(path, size, bz2_chunk)]
        else:
            cuts = [0]
        for start, stop in zip(cuts, [*cuts[1:], size], strict=True):
            chunks.append(Chunk(len(chunks), path, packing, start, stop, start == 0, stop == size))
    return tuple(chunks)


def _stream_starts(path: Path, size: int, step: int) -> Iterator[int]:
    """Starts of bz2 streams, one after each multiple of `step`; none if there is one stream."""
    at = step
    with _opened(path) as file:
        while at < size - step // 2:
            file.seek(at)
            match = _BZ2_STREAM.search(file.read(_SEARCHED))
            if match is None:
                if at == step:
                    return
            else:
                at += match.start()
                yield at
            at += step


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}", AGAIN) from error


@dataclass(slots=True)
class ChunkReader:
    """Unpacks a chunk from its start on, and past its stop to the end of the file if asked.

    `read` gives about a megabyte at a time. At the chunk's stop it gives b"" once, then goes on;
    at the end of the file it gives b"" for ever. `own` is the unpacked length of the chunk, None
    before its stop is reached. `streams` are the places where unpacking may start: (offset in the
    file, unpacked offset from the chunk's start).
    """

    chunk: Chunk
    own: int | None = None
    streams: list[tuple[int, int]] = field(default_factory=list)
    _done: int = 0
    _file: IO[bytes] | None = None
    _blocks: Iterator[bytes] = field(default_factory=lambda: iter(()))

    def __enter__(self) -> "ChunkReader":
        self._file = _opened(self.chunk.path)
        unpack = {"plain": self._plain, "bz2": self._bz2, "zstd": self._zstd}
        self._blocks = unpack[self.chunk.packing](self._file)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file is not None:
            self._file.close()

    def read(self) -> bytes:
        """The next unpacked bytes. Raises SourceError if the file is cut or damaged."""
        path = self.chunk.path
        try:
            block = next(self._blocks, b"")
        except EOFError as error:
            raise SourceError(f"{path} ends inside its {error}", AGAIN) from error
        except (OSError, ValueError) as error:
            raise SourceError(f"{path} cannot be read: {error}", AGAIN) from error
        self._done += len(block)
        if not block and self.own is None:
            self.own = self._done
        return block

    def _plain(self, file: IO[bytes]) -> Iterator[bytes]:
        self.streams.append((self.chunk.start, 0))
        file.seek(self.chunk.start)
        left = self.chunk.stop - self.chunk.start
        while left and (block := file.read(min(READ, left))):
            left -= len(block)
            yield block
        yield b""
        while block := file.read(READ):
            yield block

    def _bz2(self, file: IO[bytes]) -> Iterator[bytes]:
        file.seek(self.chunk.start)
        at, data = self.chunk.start, file.read(READ)
        while data:
            if at == self.chunk.stop:
                yield b""
            elif self.own is None and at > self.chunk.stop:
                raise OSError("its bz2 streams do not start where they seem to")
            self.streams.append((at, self._done))
            stream = bz2.BZ2Decompressor()
            while not stream.eof:
                if stream.needs_input and not data and not (data := file.read(READ)):
                    raise EOFError("bz2 data")
                if block := stream.decompress(data, READ):
                    yield block
                at, data = at + len(data), b""
            data = stream.unused_data
            at -= len(data)
            data = data or file.read(READ)

    def _zstd(self, file: IO[bytes]) -> Iterator[bytes]:
        self.streams.append((0, 0))
        with pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd") as stream:
            while block := stream.read(READ):
                yield block


def head_of(path: Path, limit: int = READ) -> bytes:
    """What stands before the first page of a file, or its first `limit` bytes."""
    chunk = Chunk(0, path, packing_of(path), 0, path.stat().st_size, first=True, last=True)
    with ChunkReader(chunk) as file:
        data = b""
        while b"<page>" not in data and len(data) < limit and (block := file.read()):
            data += block
    return data[:limit].partition(b"<page>")[0]
