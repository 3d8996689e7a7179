"""System calls of Linux that Python does not offer, by ctypes."""

import ctypes
import os
from pathlib import Path
from typing import Final

CLONE_NEWNS: Final = 0x00020000
CLONE_NEWCGROUP: Final = 0x02000000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000

MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_REMOUNT: Final = 32
MS_BIND: Final = 4096
MS_REC: Final = 16384
MS_PRIVATE: Final = 1 << 18
MNT_DETACH: Final = 2

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_PR_SET_NO_NEW_PRIVS: Final = 38
_SYS_PIVOT_ROOT: Final = 155
_SYS_CAPSET: Final = 126
_SYS_MOUNT_SETATTR: Final = 442
_AT_FDCWD: Final = -100
_AT_RECURSIVE: Final = 0x8000
_ATTR_RDONLY_NOSUID: Final = 3
_CAPABILITIES_V3: Final = 0x20080522
_SIGKILL: Final = 9

_libc = ctypes.CDLL(None, use_errno=True)


def syscall(what: str, number: int, *args: object) -> int:
    """A system call by number. Raises OSError that names `what`."""
    return _checked(int(_libc.syscall(ctypes.c_long(number), *args)), what)


def prctl(what: str, option: int, value: int = 0, pointer: object = None) -> None:
    """prctl(2). Raises OSError that names `what`."""
    unused = ctypes.c_ulong(0)
    third = unused if pointer is None else pointer
    _checked(int(_libc.prctl(option, ctypes.c_ulong(value), third, unused, unused)), what)


def unshare(flags: int) -> None:
    """Leave namespaces for new ones."""
    _checked(int(_libc.unshare(flags)), "new namespaces")


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """mount(2)."""
    result = _libc.mount(
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        options.encode(),
    )
    _checked(int(result), f"mounting {target}")


def make_readonly(target: str) -> None:
    """Make a mount and all below it read-only, without set-uid."""
    attributes = (ctypes.c_uint64 * 4)(_ATTR_RDONLY_NOSUID, 0, 0, 0)
    syscall(
        f"making {target} read-only",
        _SYS_MOUNT_SETATTR,
        ctypes.c_int(_AT_FDCWD),
        target.encode(),
        ctypes.c_uint(_AT_RECURSIVE),
        attributes,
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )


def enter_root(new_root: str) -> None:
    """Make a mounted folder the root, and let go of the old root."""
    os.chdir(new_root)
    syscall("changing the root", _SYS_PIVOT_ROOT, b".", b".")
    _checked(int(_libc.umount2(b".", MNT_DETACH)), "leaving the old root")
    os.chdir("/")


def die_with_parent() -> None:
    """Be killed as soon as the thread that started this process ends."""
    prctl("tying to the parent", _PR_SET_PDEATHSIG, _SIGKILL)


def no_new_privileges() -> None:
    """No program started from here gains rights; needed for filters without privileges."""
    prctl("giving up privileges", _PR_SET_NO_NEW_PRIVS, 1)


def leave_no_dump() -> None:
    """No crash of this process is handed to a program of the machine, and nobody may trace it."""
    prctl("forbidding dumps", _PR_SET_DUMPABLE, 0)


def drop_capabilities() -> None:
    """Give up every capability for good (nothing can be executed any more to regain one)."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_V3, 0)
    sets = (ctypes.c_uint32 * 6)()
    syscall("dropping capabilities", _SYS_CAPSET, header, sets)


def map_own_user() -> None:
    """In a new user namespace: the user stays who they were, and no other user exists."""
    uid, gid = os.getuid(), os.getgid()
    own = Path("/proc/self")
    Path(own, "setgroups").write_text("deny", encoding="ascii")
    Path(own, "uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
    Path(own, "gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
