"""Every attack, without the sandbox and then inside of it: one line of JSON each.

    python -m tests.services.sandbox_attacks namespaces

A sandbox that refuses to start would refuse every attack, hence the honest program before each.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import get_args

from hopsight.harness.sandbox import (
    Exit,
    SandboxLimits,
    SandboxPool,
    SandboxResult,
    WayName,
    open_sandbox,
)
from tests.services.sandbox_programs import AS_ROOT, ATTACKS
from tests.services.sandbox_world import PICTURE, Attack, Ran, World, endless, make_world

LIMITS = SandboxLimits(
    cpu_seconds=1,
    wall_seconds=4.0,
    memory_bytes=600 << 20,
    disk_bytes=16 << 20,
    max_files=128,
    max_threads=16,
)
PLAIN_SECONDS = 60.0
ENDLESS_SECONDS = 3.0
HONEST = "import numpy, PIL.Image\nprint(PIL.Image.open('images/0.png').size)"

HEAD = """
import ctypes, fcntl, os, resource, signal, socket, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
"""


def without(attack: Attack, world: World) -> Ran:
    """Run it as any program runs, in a folder like the sandbox's."""
    folder = Path(tempfile.mkdtemp(dir=world.folder))
    for name in ("images", "out", "tmp"):
        (folder / name).mkdir()
    (folder / "images" / "0.png").write_bytes(PICTURE)
    seconds = ENDLESS_SECONDS if attack.check is endless else PLAIN_SECONDS
    for code in filter(None, (attack.first, attack.code)):
        process = subprocess.Popen(
            [sys.executable, "-S", "-c", world.constants() + HEAD + code],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, errors = process.communicate(timeout=seconds)
            how = f"ended with {process.returncode}"
        except subprocess.TimeoutExpired:
            how = "still running"
            os.killpg(process.pid, signal.SIGKILL)
            out, errors = process.communicate()
    found = sorted((folder / "out").glob("*.png"))
    pictures = tuple(path.read_bytes() for path in found if path.is_file())
    return Ran(out.decode(errors="replace"), errors.decode(errors="replace"), pictures, how)


async def inside(attack: Attack, world: World, pool: SandboxPool) -> Ran:
    """Run it in sandboxes, after an honest program that must work."""
    honest = await pool.run(HONEST, {"0.png": PICTURE}, LIMITS)
    assert honest.exit is Exit.OK, f"the sandbox runs no honest program: {honest}"
    result: SandboxResult | None = None
    for code in filter(None, (attack.first, attack.code)):
        result = await pool.run(world.constants() + HEAD + code, {"0.png": PICTURE}, LIMITS)
    assert result is not None
    last = (result.stderr.strip().splitlines() or result.stdout.split("\n")[:1])[-1][:120]
    how = f"{result.exit.value}: {last}" if last else result.exit.value
    return Ran(result.stdout, result.stderr, result.pictures, how)


async def main(way: WayName) -> None:
    """Try every attack; one line of JSON each. Nothing may be left on the disk."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        tempfile.tempdir = folder
        Path(folder).chmod(0o755)
        await try_all(way)
        assert list(Path(folder).iterdir()) == [], "folders are left"


async def try_all(way: WayName) -> None:
    """Each attack, without and inside."""
    async with open_sandbox(concurrency=1, warm=1, ways=[way]) as pool:
        for attack in (*ATTACKS, *(AS_ROOT if os.getuid() == 0 else ())):
            with make_world() as world:
                plain = await asyncio.to_thread(without, attack, world)
                succeeded = attack.check(world, plain)
            with make_world() as world:
                boxed = await inside(attack, world, pool)
                escaped = attack.check(world, boxed)
            line = {
                "attack": attack.name,
                "without": succeeded,
                "how_without": plain.how if succeeded else f"{plain.how}: {plain.errors[-200:]}",
                "inside": escaped,
                "how": boxed.how,
            }
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    (chosen,) = (way for way in get_args(WayName) if way == sys.argv[1])
    asyncio.run(main(chosen))
