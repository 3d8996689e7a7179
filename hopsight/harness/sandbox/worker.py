"""Hopsight's side of a worker process: start it, give it its one job, end it."""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from hopsight.errors import ProviderError
from hopsight.harness.sandbox import packages
from hopsight.harness.sandbox.inside import frames
from hopsight.harness.sandbox.limits import Exit, SandboxLimits, SandboxResult

WayName = Literal["namespaces", "landlock"]

_START_S: Final = 20.0
_GRACE_S: Final = 5.0
_MAX_BODY_BYTES: Final = 1 << 28
_ENVIRONMENT: Final = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # the order of sets is the same in every run
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
# Packages above `inside` are stubs: their own `__init__` would import what no worker has.
_BOOTSTRAP: Final = """
import sys, types
path = sys.argv[1]
for name in ("hopsight", "hopsight.harness", "hopsight.harness.sandbox"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [path]
from hopsight.harness.sandbox.inside.main import main
main()
"""


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that is ready for one program. `home` is its folder on disk, if it needs one."""

    process: asyncio.subprocess.Process
    home: Path | None

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.returncode is None

    @classmethod
    async def start(cls, way: WayName, user: int | None) -> "Worker":
        """Start a process and wait until its sandbox stands. Raises ProviderError with the fault.

        `user` runs the program where this process is root.
        """
        process = await _spawn()
        home = Path(tempfile.mkdtemp(prefix="hopsight-python-")) if way == "landlock" else None
        worker = cls(process, home)
        setup = {
            "way": way,
            "packages": packages.folders(),
            "user": user,
            "home": None if home is None else str(home),
        }
        try:
            async with asyncio.timeout(_START_S):
                worker._send(frames.pack(setup))
                await worker._receive()
        except TimeoutError as error:
            await worker.end()
            raise _failure("it was not ready in time") from error
        except BaseException:
            await worker.end()
            raise
        return worker

    async def run(
        self, code: str, pictures: Mapping[str, bytes], limits: SandboxLimits
    ) -> SandboxResult:
        """Run the one program of this worker. `end` must follow."""
        text = code.encode("utf-8", "replace")
        job = {"names": list(pictures), "limits": asdict(limits)}
        self._send(frames.pack(job, [text, *pictures.values()]))
        try:
            async with asyncio.timeout(limits.wall_seconds + _GRACE_S):
                header, parts = await self._receive()
        except TimeoutError as error:
            raise _failure("it did not answer in time") from error
        return _result(header, parts)

    async def end(self) -> None:
        """Kill the process, and with it all it started."""
        if self.alive:
            self.process.kill()
        await self.process.communicate()  # reads off what was never read, or it would not end
        if self.home is not None:
            _remove(self.home)

    def _send(self, message: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(message)

    async def _receive(self) -> tuple[dict[str, Any], list[bytes]]:
        assert self.process.stdout is not None
        try:
            head = await self.process.stdout.readexactly(frames.HEAD.size)
            header_bytes, body_bytes = frames.HEAD.unpack(head)
            if header_bytes > frames.MAX_HEADER_BYTES or body_bytes > _MAX_BODY_BYTES:
                raise _failure("its answer is too long")
            text = await self.process.stdout.readexactly(header_bytes)
            header, parts = frames.unpack(text, await self.process.stdout.readexactly(body_bytes))
        except asyncio.IncompleteReadError as error:
            raise _failure(f"it ended with status {await self.process.wait()}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise _failure(f"its answer is damaged ({error})") from error
        if "failed" in header:
            raise _failure(str(header["failed"]))
        return header, parts


def _remove(home: Path) -> None:
    """Remove a folder in which the program may have made folders that nobody may enter."""
    for folder, names, _ in os.walk(home):
        for path in (Path(folder, name) for name in names):
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(home, ignore_errors=True)


async def _spawn() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-s", "-S", "-P", "-B", "-c", _BOOTSTRAP),
        str(Path(__file__).parent),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_ENVIRONMENT,
        cwd=os.sep,
        start_new_session=True,
    )


def _result(header: dict[str, Any], parts: list[bytes]) -> SandboxResult:
    try:
        stdout, stderr, *pictures = parts
        return SandboxResult(
            stdout=stdout.decode("utf-8", "replace"),
            stderr=stderr.decode("utf-8", "replace"),
            exit=Exit(header["exit"]),
            pictures=tuple(pictures),
            left_out=tuple(str(line) for line in header["left_out"]),
            seconds=float(header["seconds"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise _failure(f"its answer is damaged ({error})") from error


def _failure(fault: str) -> ProviderError:
    return ProviderError(
        f"a Python sandbox failed: {fault}", "see whether memory and processes are used up"
    )
