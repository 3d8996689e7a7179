import errno

import pytest

from hopsight.harness.sandbox.inside import seccomp

ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS
X86_64 = 0xC000003E
PROCESS = 4321


def verdict(number: int, *args: int, own_files: bool = True, machine: int = X86_64) -> int:
    """What the filter says of a call: classic BPF of four instructions, run by hand."""
    words = {0: number, 4: machine}
    for place, value in enumerate(args):
        words[16 + 8 * place] = value & 0xFFFFFFFF
    code = seccomp.program(PROCESS, own_files)
    position, held = 0, 0
    while True:
        kind, if_true, if_false, constant = code[position]
        position += 1
        if kind == 0x06:
            return constant
        if kind == 0x20:
            held = words.get(constant, 0)
        else:
            holds = {
                0x15: held == constant,
                0x35: held >= constant,
                0x45: bool(held & constant),
            }[kind]
            position += if_true if holds else if_false


def test_another_machine_or_the_other_numbering_of_calls_is_killed() -> None:
    assert verdict(0, machine=0x40000003) == KILL
    assert verdict(0x40000000) == KILL
    assert verdict(0x40000000 | 257) == KILL


@pytest.mark.parametrize("own_files", [True, False])
def test_no_call_reaches_processes_network_or_the_kernels_stores(own_files: bool) -> None:
    refused = {
        "socket": 41, "connect": 42, "socketpair": 53, "fork": 57, "vfork": 58, "execve": 59,
        "kill": 62, "shmget": 29, "symlink": 88, "link": 86, "ptrace": 101, "mknod": 133,
        "mount": 165, "tkill": 200, "io_setup": 206, "add_key": 248, "keyctl": 250, "unshare": 272,
        "perf_event_open": 298, "process_vm_readv": 310, "seccomp": 317, "memfd_create": 319,
        "bpf": 321, "execveat": 322, "userfaultfd": 323, "pidfd_send_signal": 424,
        "io_uring_setup": 425, "open_tree": 428, "openat2": 437, "pidfd_getfd": 438, "setuid": 105,
    }  # fmt: skip
    assert {verdict(number, own_files=own_files) for number in refused.values()} == {REFUSE}
    assert verdict(435, own_files=own_files) == UNKNOWN


def test_what_programs_need_is_allowed() -> None:
    for number in (0, 1, 9, 12, 202, 228, 257, 262, 318):
        assert verdict(number) == ALLOW


def test_calls_are_allowed_by_their_arguments() -> None:
    assert verdict(56, 0x3D0F00) == ALLOW
    assert verdict(56, 0x3D0F00 | 0x10000000) == REFUSE
    assert verdict(56, 17) == REFUSE
    assert verdict(157, 15) == ALLOW
    assert verdict(157, 1) == REFUSE
    assert verdict(234, PROCESS, 7, 6) == ALLOW
    assert verdict(234, PROCESS + 1, 7, 6) == REFUSE
    assert verdict(302, 0, 7) == ALLOW
    assert verdict(302, 1, 7) == REFUSE
    assert verdict(72, 3, 4) == ALLOW
    assert verdict(72, 3, 8) == REFUSE
    assert verdict(16, 3, 0x5401) == ALLOW
    assert verdict(16, 3, 0x5412) == REFUSE


def test_where_files_are_not_its_own_there_are_no_threads_modes_and_unnamed_files() -> None:
    unnamed = (257, 0, 0, 0x410002)
    assert verdict(*unnamed) == ALLOW
    assert verdict(*unnamed, own_files=False) == REFUSE
    assert verdict(257, 0, 0, 0o101, own_files=False) == ALLOW
    assert verdict(56, 0x3D0F00, own_files=False) == REFUSE
    assert verdict(90, own_files=False) == REFUSE
