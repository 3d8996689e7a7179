"""An append-only journal: work that is done is known after a crash, whoever did it.

Each writer appends to a segment file of its own, so that workers share nothing. A record is

    length of key (4 bytes) · length of payload (4) · crc32 of all the rest (4) · key · payload

with numbers in big-endian order. Reading stops at the first record that is cut or does not match
its checksum: that is the tail of a writer that was killed, and its work was never acknowledged.
"""

import logging
import os
import struct
import threading
import zlib
from pathlib import Path

from hopsight.errors import StoreError
from hopsight.store.files import storage_errors

log = logging.getLogger(__name__)

MAGIC = b"HOPJ0001"
MAX_BYTES = 1 << 28
_HEADER = struct.Struct(">III")


class Journal:
    """The segments of one folder. `torn` counts the segments that `load` had to cut short."""

    def __init__(self, folder: Path, *, sync: bool = False) -> None:
        """`sync` makes each append last through a power cut, at some milliseconds each: for calls
        that cost money. What a killed process has appended is there in any case.
        """
        self.folder = folder
        self.torn = 0
        self._sync = sync
        self._mutex = threading.Lock()
        self._handle: int | None = None
        self._owner = 0

    def append(self, key: str, payload: bytes) -> None:
        """Write one record; when this returns, it is acknowledged. Raises StoreError."""
        record = _encode(key, payload)
        with self._mutex, storage_errors(self.folder):
            handle = self._segment()
            try:
                _write_all(handle, record)
                if self._sync:
                    os.fdatasync(handle)
            except OSError:
                # Half a record may stand at the end: nothing can follow it in this segment.
                self._close()
                raise

    def load(self) -> dict[str, bytes]:
        """All acknowledged records, sorted by key; of one key, that of the last segment stands."""
        found: dict[str, bytes] = {}
        self.torn = 0
        for path in sorted(self.folder.glob("*.journal")):
            with storage_errors(path):
                data = path.read_bytes()
            records, end = _decode(data)
            found.update(records)
            if end < len(data):
                self.torn += 1
                log.warning("event=torn_tail segment=%s bytes=%d", path.name, len(data) - end)
        return dict(sorted(found.items()))

    def close(self) -> None:
        """Give the segment back; a later append opens a new one."""
        with self._mutex:
            self._close()

    def _close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _segment(self) -> int:
        """The open segment of this process; a forked worker starts one of its own."""
        if self._handle is not None and self._owner == os.getpid():
            return self._handle
        self._close()
        self.folder.mkdir(parents=True, exist_ok=True)
        handle = _create_segment(self.folder)
        self._handle, self._owner = handle, os.getpid()
        _write_all(handle, MAGIC)
        return handle


def _create_segment(folder: Path) -> int:
    """Create the next free segment; two workers never get the same one."""
    number = len(list(folder.glob("*.journal")))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
    while True:
        try:
            return os.open(folder / f"{number:08d}.journal", flags, 0o644)
        except FileExistsError:
            number += 1


def _encode(key: str, payload: bytes) -> bytes:
    name = key.encode()
    if len(name) + len(payload) > MAX_BYTES:
        raise StoreError(
            f"a journal record of {len(payload)} bytes is too large", f"keep below {MAX_BYTES}"
        )
    body = name + payload
    lengths = struct.pack(">II", len(name), len(payload))
    return _HEADER.pack(len(name), len(payload), zlib.crc32(body, zlib.crc32(lengths))) + body


def _decode(data: bytes) -> tuple[dict[str, bytes], int]:
    """The sound records before the first that is not, and the offset at which they end."""
    found: dict[str, bytes] = {}
    if not data.startswith(MAGIC):
        return found, 0
    position = len(MAGIC)
    while position + _HEADER.size <= len(data):
        key_size, size, crc = _HEADER.unpack_from(data, position)
        start = position + _HEADER.size
        end = start + key_size + size
        body = data[start:end]
        lengths = data[position : position + 8]
        if end > len(data) or zlib.crc32(body, zlib.crc32(lengths)) != crc:
            break
        found[body[:key_size].decode()] = body[key_size:]
        position = end
    return found, position


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
