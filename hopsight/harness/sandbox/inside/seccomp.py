"""The filter of system calls: what Python, numpy and Pillow need; all else is refused.

The filter is some 300 instructions of classic BPF and written here by hand: a list of numbers and
three forms of instruction, against a compiled library that would have to lie on every machine.
"""

import ctypes
import errno
import platform
from dataclasses import dataclass
from typing import Final

from hopsight.harness.sandbox.inside import kernel

# Numbers of x86-64 (arch/x86/entry/syscalls/syscall_64.tbl).
_ALWAYS: Final = {
    "read": 0, "write": 1, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8,
    "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
    "rt_sigreturn": 15, "pread64": 17, "pwrite64": 18, "readv": 19, "writev": 20, "access": 21,
    "pipe": 22, "select": 23, "sched_yield": 24, "mremap": 25, "msync": 26, "mincore": 27,
    "madvise": 28, "dup": 32, "dup2": 33, "nanosleep": 35, "getitimer": 36, "alarm": 37,
    "setitimer": 38, "getpid": 39, "sendfile": 40, "exit": 60, "wait4": 61, "uname": 63,
    "flock": 73, "fsync": 74, "fdatasync": 75, "ftruncate": 77, "getcwd": 79, "chdir": 80,
    "fchdir": 81, "rename": 82, "mkdir": 83, "rmdir": 84, "unlink": 87, "readlink": 89,
    "umask": 95, "gettimeofday": 96, "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "times": 100,
    "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110,
    "getgroups": 115, "getpgid": 121, "sigaltstack": 131, "statfs": 137, "fstatfs": 138,
    "getpriority": 140, "arch_prctl": 158, "gettid": 186, "time": 201, "futex": 202,
    "sched_getaffinity": 204, "epoll_create": 213, "getdents64": 217, "set_tid_address": 218,
    "fadvise64": 221, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
    "exit_group": 231, "epoll_wait": 232, "epoll_ctl": 233, "mkdirat": 258, "newfstatat": 262,
    "unlinkat": 263, "renameat": 264, "readlinkat": 267, "faccessat": 269, "pselect6": 270,
    "ppoll": 271, "set_robust_list": 273, "get_robust_list": 274, "epoll_pwait": 281,
    "fallocate": 285, "eventfd2": 290, "epoll_create1": 291, "dup3": 292, "pipe2": 293,
    "preadv": 295, "pwritev": 296, "getcpu": 309, "renameat2": 316, "getrandom": 318,
    "membarrier": 324, "copy_file_range": 326, "statx": 332, "rseq": 334, "close_range": 436,
    "faccessat2": 439,
}  # fmt: skip

# Harmless where the whole file system is our own; elsewhere they reach files of the same user,
# which Landlock does not guard against them.
_METADATA: Final = {
    "chmod": 90, "fchmod": 91, "utimes": 235, "fchmodat": 268, "utimensat": 280, "fchmodat2": 452,
}  # fmt: skip

_OPENAT: Final = 257
_TMPFILE: Final = 0x400000
_CLONE3: Final = 435

_ARCH_X86_64: Final = 0xC000003E
_X32_BIT: Final = 0x40000000
_LOAD: Final = 0x20
_JUMP_EQUAL: Final = 0x15
_JUMP_AT_LEAST: Final = 0x35
_JUMP_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_UNKNOWN: Final = 0x00050000 | errno.ENOSYS
_KILL: Final = 0x80000000
_PR_SET_SECCOMP: Final = 22
_MODE_FILTER: Final = 2

Instruction = tuple[int, int, int, int]
"""Code, jump if true, jump if false, constant."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A call that is allowed where its argument has one of these values."""

    number: int
    argument: int
    values: tuple[int, ...]


def supported() -> bool:
    """Whether the numbers above are this machine's."""
    return platform.machine() == "x86_64" and ctypes.sizeof(ctypes.c_void_p) == 8


def install(process: int, own_files: bool) -> None:
    """Filter the calls of this process from now on. It cannot be undone.

    `process`: its own number, the only one that it may signal. `own_files`: whether it sees no
    files but its own; then threads (whose number is limited there) and file modes are allowed.
    """
    kernel.no_new_privileges()
    code = program(process, own_files)
    filters = (_Filter * len(code))(*(_Filter(*each) for each in code))
    pointer = ctypes.byref(_Program(len(code), filters))
    kernel.prctl("filtering system calls", _PR_SET_SECCOMP, _MODE_FILTER, pointer)


def program(process: int, own_files: bool) -> list[Instruction]:
    """The filter's instructions."""
    code: list[Instruction] = [
        (_LOAD, 0, 0, 4),  # the architecture
        (_JUMP_EQUAL, 1, 0, _ARCH_X86_64),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the call's number
        (_JUMP_AT_LEAST, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, _KILL),
    ]
    plain = [*_ALWAYS.values(), *(_METADATA.values() if own_files else ())]
    for number in plain:
        code += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for rule in _rules(process, own_files):
        code += _one_of(rule)
    # An unnamed file is one that nobody can count.
    forbidden = 0 if own_files else _TMPFILE
    code += [
        (_JUMP_EQUAL, 0, 4, _OPENAT),
        (_LOAD, 0, 0, 16 + 8 * 2),
        (_JUMP_ANY_BIT, 0, 1, forbidden),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
        # glibc then falls back to clone, whose flags a filter can see.
        (_JUMP_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _UNKNOWN),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return code


def _rules(process: int, own_files: bool) -> list[OneOf]:
    rules = [
        # ioctl: terminal?, close-on-exec, bytes waiting. Not: signals by file, terminal input.
        OneOf(16, 1, (0x5401, 0x5451, 0x5450, 0x541B)),
        # fcntl: copies, flags, pipe size. Not: owner and signal of a file; byte-range locks and
        # larger pipes, which take kernel memory that no limit counts.
        OneOf(72, 1, (0, 1, 2, 3, 4, 1030, 1032)),
        OneOf(157, 0, (15, 16)),  # prctl: the thread's name. Not: outliving the parent.
        OneOf(234, 0, (process,)),  # tgkill: abort
        OneOf(302, 0, (0,)),  # prlimit64: its own limits
    ]
    if own_files:
        rules.append(OneOf(56, 0, (0x3D0F00, 0x7D0F00)))  # clone: as glibc and musl make threads
    return rules


def _one_of(rule: OneOf) -> list[Instruction]:
    code: list[Instruction] = [
        (_JUMP_EQUAL, 0, 2 * len(rule.values) + 2, rule.number),
        (_LOAD, 0, 0, 16 + 8 * rule.argument),
    ]
    for value in rule.values:
        code += [(_JUMP_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW)]
    return [*code, (_RETURN, 0, 0, _REFUSE)]


class _Filter(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("jump_true", ctypes.c_uint8),
        ("jump_false", ctypes.c_uint8),
        ("constant", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filters", ctypes.POINTER(_Filter)))
