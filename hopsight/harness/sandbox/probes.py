"""The self-test: an honest program that must work, then attacks that must not."""

import io
import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from hopsight.errors import ProviderError
from hopsight.harness.sandbox.limits import Exit, SandboxLimits, SandboxResult
from hopsight.harness.sandbox.pool import SandboxPool
from hopsight.harness.sandbox.worker import WayName

_LIMITS: Final = SandboxLimits(max_files=64, disk_bytes=8 << 20, wall_seconds=15.0)

_HONEST: Final = """
import numpy
from PIL import Image
picture = Image.open("images/0.png")
picture.rotate(90).save("out/turned.png")
print("honest", int(numpy.asarray(picture).sum()))
"""

# Each line of output after "honest" names an attack that succeeded; "probed" ends the list.
_ATTACKS: Final = """
import ctypes, os, socket, threading
libc = ctypes.CDLL(None, use_errno=True)

def attempt(name, attack):
    try:
        done = attack()
    except (OSError, MemoryError, RuntimeError):
        return
    if done is not False:
        print("open", name)

def fork():
    if os.fork() == 0:
        os._exit(0)

attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
attempt("tcp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
attempt("unix sockets", lambda: socket.socketpair())
attempt("reading files", lambda: open(OUTSIDE).read())
attempt("writing files", lambda: open(OUTSIDE, "r+b"))
attempt("writing pictures", lambda: open("images/0.png", "r+b"))
attempt("removing pictures", lambda: os.unlink("images/0.png"))
attempt("processes", fork)
attempt("programs", lambda: os.posix_spawn("/bin/true", ["true"], {}))
attempt("signals", lambda: os.kill(os.getppid(), 0))
attempt("memory", lambda: bytearray(1 << 31))
attempt("namespaces", lambda: libc.unshare(0x10000000) == 0)
attempt("tracing", lambda: libc.ptrace(0, 0, 0, 0) == 0)
attempt("kernel settings", lambda: open("/proc/sys/kernel/core_pattern", "a"))
attempt("links", lambda: os.symlink("/etc/passwd", "out/link.png"))
print("probed")
for number in range(100_000):
    attempt("", lambda: os.close(os.open(f"tmp/{number}", os.O_CREAT)) or False)
    if number % 1000 == 999 and len(os.listdir("tmp")) > LIMIT:
        print("open", "numbers of files")
        break
"""


async def faults(way: WayName) -> Sequence[str]:
    """What keeps a way from holding here; empty where it holds."""
    picture = Image.effect_noise((64, 48), 60)
    data = io.BytesIO()
    picture.save(data, format="PNG")
    with tempfile.NamedTemporaryFile() as outside:
        outside.write(secrets.token_bytes(16))
        Path(outside.name).chmod(0o666)  # so that only the sandbox keeps the program from it
        head = f"OUTSIDE = {outside.name!r}\nLIMIT = {50 * _LIMITS.max_files}\n"
        pool = SandboxPool(way, concurrency=1, warm=0)
        try:
            result = await pool.run(head + _HONEST + _ATTACKS, {"0.png": data.getvalue()}, _LIMITS)
        except ProviderError as error:
            return [error.cause]
    return _read(result, int(np.asarray(picture).sum()))


def _read(result: SandboxResult, checksum: int) -> Sequence[str]:
    lines = result.stdout.splitlines()
    if lines[:1] != [f"honest {checksum}"] or "probed" not in lines:
        last = (result.stderr.strip().splitlines() or ["no output"])[-1]
        return [f"an honest program failed ({result.exit.value}: {last})"]
    opened = [line.removeprefix("open ") for line in lines if line.startswith("open ")]
    if result.exit not in {Exit.OK, Exit.DISK_LIMIT}:
        opened.append(f"the program ended with {result.exit.value}")
    if len(result.pictures) != 1:
        opened.append("the honest program's picture did not arrive")
    return opened
