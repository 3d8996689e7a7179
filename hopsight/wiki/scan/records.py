"""What a scan notes about itself on disk."""

from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

FORMAT: Final = 1
"""Raised when the scan would write other bytes for the same files."""

_ENDS: Final = 1 << 20


class _Note(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceFile(_Note):
    """An input file as it was: size in bytes, SHA-256 over its first and last megabyte."""

    path: str
    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> "SourceFile":
        """Raises OSError if the file cannot be read."""
        size = path.stat().st_size
        with path.open("rb") as file:
            digest = sha256(file.read(_ENDS))
            file.seek(max(0, size - _ENDS))
            digest.update(file.read(_ENDS))
        return cls(path=str(path), size=size, sha256=digest.hexdigest())


class ScanSource(_Note):
    """What is scanned, and how it is cut. A folder with another one starts anew."""

    format: Literal[1] = FORMAT
    files: tuple[SourceFile, ...]
    plain_chunk: int
    bz2_chunk: int
    piece_bytes: int
    max_page: int


class ChunkDone(_Note):
    """A chunk that is done: the pieces it wrote and how it joins its neighbours (`Splitter`)."""

    chunk: int
    pieces: int
    own: int
    lead: int
    end: int
    entered: int
    rows: int
    left_out: dict[str, int]


class ScanDone(_Note):
    """The whole scan: `pieces` by chunk, counts over all, rows of pages that are duplicates."""

    format: Literal[1] = FORMAT
    pieces: tuple[int, ...]
    entered: int
    left_out: dict[str, int]
    duplicates: tuple[tuple[int, int], ...]
