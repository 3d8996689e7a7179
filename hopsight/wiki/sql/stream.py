"""A dump file, plain or gzip, as a buffer that is filled block by block."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from hopsight.errors import SourceError

BLOCK: Final = 1 << 20
"""Bytes read at once."""

FETCH: Final = "give a MediaWiki SQL dump of one table (NAME.sql or NAME.sql.gz)"
AGAIN: Final = "fetch the file again and compare its size or checksum"


class Readable(Protocol):
    """An open file."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""


class Stream:
    """The bytes from `at` in `buffer` are next; `more` appends a block and drops what is done."""

    def __init__(self, path: Path, handle: Readable) -> None:
        self.path = path
        self.buffer = b""
        self.at = 0
        self._handle = handle
        self._before = 0

    @property
    def offset(self) -> int:
        """Place of `at` in the unpacked file, in bytes."""
        return self._before + self.at

    @property
    def left(self) -> int:
        """Bytes in the buffer that are not used yet."""
        return len(self.buffer) - self.at

    def more(self) -> bool:
        """Read one more block. False at the end of the file. Raises SourceError."""
        try:
            block = self._handle.read(BLOCK)
        except EOFError as error:
            raise SourceError(
                f"{self.path} ends inside its gzip data, at byte {self._before + len(self.buffer)}"
                " of what it holds",
                AGAIN,
            ) from error
        except (OSError, zlib.error) as error:
            raise SourceError(f"{self.path} cannot be read: {error}", AGAIN) from error
        self._before += self.at
        self.buffer = b"".join((memoryview(self.buffer)[self.at :], block))
        self.at = 0
        return bool(block)


@contextmanager
def opened(path: Path) -> Iterator[Stream]:
    """Open a dump. Raises SourceError if it is not there."""
    if not path.is_file():
        raise SourceError(f"{path} is not there or is no file", FETCH)
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as handle:
        yield Stream(path, handle)
