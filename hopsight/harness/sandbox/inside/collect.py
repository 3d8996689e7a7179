"""Bringing in what a program left in `out/`: names, links and sizes are not to be trusted."""

import os
import stat
from typing import Final

from hopsight.harness.sandbox.inside.job import Job

ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp")
_MAX_LISTED: Final = 1_000
_CHUNK: Final = 1 << 20


def collect(folder: str, job: Job) -> tuple[list[bytes], list[str]]:
    """The pictures in the order of their names, and what was left out, each with its reason."""
    pictures: list[bytes] = []
    left_out: list[str] = []
    room = job.picture_bytes
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        return [], [f"out: cannot be opened ({error.strerror})"]
    try:
        for name in _names(descriptor):
            reason, data = _picture(descriptor, name, room)
            if reason is None and len(pictures) == job.max_pictures:
                reason = f"more than {job.max_pictures} pictures"
            if reason is not None:
                left_out.append(f"{_shown(name)}: {reason}")
                continue
            pictures.append(data)
            room -= len(data)
    finally:
        os.close(descriptor)
    return pictures, left_out


def _shown(name: str) -> str:
    """A name that may hold any bytes, as text that can be stored."""
    return name[:80].encode("utf-8", "replace").decode()


def _names(descriptor: int) -> list[str]:
    with os.scandir(descriptor) as entries:
        names = [entry.name for _, entry in zip(range(_MAX_LISTED), entries, strict=False)]
    return sorted(names)


def _picture(folder: int, name: str, room: int) -> tuple[str | None, bytes]:
    """(why it is left out, None where it is not; its bytes)."""
    if not name.lower().endswith(ENDINGS):
        return "no picture by its name", b""
    try:
        # Neither a link nor a pipe that nobody writes to may lead or hold us anywhere.
        source = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        return f"cannot be opened ({error.strerror})", b""
    try:
        about = os.fstat(source)
        if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1:
            return "no regular file", b""
        if about.st_size > room:
            return "too large", b""
        return None, _read(source, about.st_size)
    finally:
        os.close(source)


def _read(source: int, size: int) -> bytes:
    chunks = []
    while size and (chunk := os.read(source, min(size, _CHUNK))):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
