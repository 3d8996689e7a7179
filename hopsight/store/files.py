"""Files that appear whole or not at all, and operating-system errors told with a remedy."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hopsight.errors import StoreError

TEMPORARY_PREFIX = ".tmp-"
"""Names that start so are left-overs of a write that did not end; nobody reads them."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn an OSError about `path` into a StoreError that says what to do."""
    try:
        yield
    except OSError as error:
        raise store_error(error, path) from error


def store_error(error: OSError, path: Path) -> StoreError:
    """The StoreError that tells of `error`."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        remedy = "free some space (or raise the quota) and run again; what was stored is intact"
        return StoreError(f"no space left to write {path} ({reason})", remedy)
    if error.errno in _FORBIDDEN:
        remedy = "give this user access to that folder, or choose another one"
        return StoreError(f"not allowed to use {path} ({reason})", remedy)
    return StoreError(f"cannot use {path} ({reason})", "see that the folder is there and sound")


def sweep(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder. Only under its lock."""
    for left in folder.glob(f"{TEMPORARY_PREFIX}*"):
        left.unlink()


def write_atomic(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write `data` beside `path` and rename it into place: readers see the old bytes or the new.

    `sync` also makes it last through a power cut. Raises StoreError; `path` is then untouched.
    """
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=path.parent)
        try:
            try:
                _write_all(handle, data)
                os.fchmod(handle, 0o644)
                if sync:
                    os.fsync(handle)
            finally:
                os.close(handle)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
        if sync:
            _sync_folder(path.parent)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _sync_folder(folder: Path) -> None:
    """Make a rename in `folder` last."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
