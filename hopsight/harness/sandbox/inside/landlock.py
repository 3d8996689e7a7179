"""Landlock: which files a process may reach, decided by itself and for good."""

import ctypes
import os
from collections.abc import Iterable
from typing import Final

from hopsight.harness.sandbox.inside import kernel

MIN_VERSION: Final = 6
"""Linux 6.12: files, device calls, TCP, abstract sockets and signals."""

_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_MAKE_DIR: Final = 1 << 7
_MAKE_REG: Final = 1 << 8
_TRUNCATE: Final = 1 << 14
_ALL_FILES: Final = (1 << 16) - 1
_ALL_NETWORK: Final = 3
_ALL_SCOPES: Final = 3

LIST: Final = _READ_DIR
READ_FILE: Final = _READ_FILE
READ: Final = _READ_FILE | _READ_DIR
DEVICE: Final = _READ_FILE | _WRITE_FILE
# Nothing may be removed: a removed file that is still open is one that nobody can count.
WRITE: Final = READ | _WRITE_FILE | _TRUNCATE | _MAKE_DIR | _MAKE_REG

_SYS_CREATE: Final = 444
_SYS_ADD: Final = 445
_SYS_RESTRICT: Final = 446
_ASK_VERSION: Final = 1
_BENEATH: Final = 1


def version() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    none = ctypes.c_size_t(0)
    try:
        return kernel.syscall("landlock", _SYS_CREATE, None, none, ctypes.c_uint(_ASK_VERSION))
    except OSError:
        return 0


def restrict(rights: Iterable[tuple[str, int]]) -> None:
    """From now on this process reaches these paths alone, each with its rights, and no network."""
    kernel.no_new_privileges()
    ruleset = _ruleset()
    try:
        for path, allowed in rights:
            _allow(ruleset, path, allowed)
        zero = ctypes.c_uint(0)
        kernel.syscall("restricting files", _SYS_RESTRICT, ctypes.c_int(ruleset), zero)
    finally:
        os.close(ruleset)


def _ruleset() -> int:
    handled = (ctypes.c_uint64 * 3)(_ALL_FILES, _ALL_NETWORK, _ALL_SCOPES)
    size = ctypes.c_size_t(ctypes.sizeof(handled))
    return kernel.syscall("landlock", _SYS_CREATE, handled, size, ctypes.c_uint(0))


def _allow(ruleset: int, path: str, allowed: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _Rule(allowed, parent)
        kernel.syscall(
            f"allowing {path}",
            _SYS_ADD,
            ctypes.c_int(ruleset),
            ctypes.c_int(_BENEATH),
            ctypes.byref(rule),
            ctypes.c_uint(0),
        )
    finally:
        os.close(parent)


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))
