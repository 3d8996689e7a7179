"""The program's own process: gives up all rights, waits for a job and runs it."""

import fcntl
import importlib
import io
import linecache
import os
import resource
import sys
import tempfile
import threading
import traceback
import types
from pathlib import Path
from typing import Final, NoReturn, TextIO

from hopsight.harness.sandbox.inside import frames, kernel
from hopsight.harness.sandbox.inside.job import Job
from hopsight.harness.sandbox.inside.way import Way

EXIT_ERROR: Final = 1
EXIT_MEMORY: Final = 77
JOB: Final = 3
REPLY: Final = 4

PRELOADED: Final = ("numpy", "PIL.Image", "PIL.ImageDraw", "PIL.PngImagePlugin", "json", "math")
_NAME: Final = "program.py"
_OPEN_FILES: Final = 64


def start(way: Way, descriptors: tuple[int, ...]) -> NoReturn:
    """The process's whole life. `descriptors` become 0 (input), 1, 2, JOB and REPLY."""
    status = EXIT_ERROR
    try:
        _keep_only(descriptors)
        status = _serve(way)
    finally:
        os._exit(status)  # it never goes back to what its parent was doing


def _serve(way: Way) -> int:
    """Confine this process, say that it is ready, run the job that arrives; its exit status."""
    try:
        _confine(way)
    except (OSError, ImportError) as error:
        frames.write(REPLY, frames.pack({"failed": str(error)}))
        return EXIT_ERROR
    frames.write(REPLY, frames.pack({"ready": True}))
    try:
        job = Job.received(*frames.read(JOB))
    except EOFError:
        return EXIT_ERROR
    os.closerange(JOB, REPLY + 1)
    _settle(way.home)
    _limit(job)
    _forget_ourselves()
    return _run(job.code, job.memory_bytes)


def _keep_only(descriptors: tuple[int, ...]) -> None:
    """Number the descriptors from 0 and close all others."""
    high = [fcntl.fcntl(each, fcntl.F_DUPFD, 64) for each in descriptors]
    for number, descriptor in enumerate(high):
        os.dup2(descriptor, number)
    os.closerange(len(descriptors), 1024)


def _confine(way: Way) -> None:
    """Give up all rights, then load what programs use, which proves that it can be loaded."""
    _become(way.user)
    kernel.die_with_parent()  # after the change of user, which forgets it
    kernel.leave_no_dump()
    kernel.drop_capabilities()
    way.confine()
    sys.path.extend(way.search_path)
    for name in PRELOADED:
        importlib.import_module(name)


def _become(user: int | None) -> None:
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def _settle(home: str) -> None:
    os.chdir(home)
    os.environ["HOME"] = home
    # Said outright: Python's own search demands that files can be removed.
    os.environ["TMPDIR"] = tempfile.tempdir = str(Path(home, "tmp"))


def _limit(job: Job) -> None:
    limits = {
        resource.RLIMIT_CPU: job.cpu_seconds,
        resource.RLIMIT_AS: job.memory_bytes,
        resource.RLIMIT_FSIZE: job.disk_bytes,
        resource.RLIMIT_NPROC: job.max_threads,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for which, value in limits.items():
        resource.setrlimit(which, (value, value))


def _forget_ourselves() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "hopsight"]:
        del sys.modules[name]


def _run(code: str, memory_bytes: int) -> int:
    """Run the text as `__main__`; its exit status."""
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    sys.argv = [_NAME]
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    linecache.cache[_NAME] = (len(code), None, code.splitlines(keepends=True), _NAME)
    try:
        exec(compile(code, _NAME, "exec"), main.__dict__)  # noqa: S102 - what the sandbox is for
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        status = 0
    except SystemExit as stop:
        status = _status(stop.code)
    except MemoryError:
        os.write(2, f"MemoryError: more than {memory_bytes >> 20} MiB\n".encode())
        status = EXIT_MEMORY
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its result
        _tell(error)
        status = EXIT_ERROR
    return status if _flushed() else EXIT_ERROR


def _stream(descriptor: int, mode: str) -> TextIO:
    """A standard stream, flushed at each line so that little is lost with a killed program."""
    raw = io.FileIO(descriptor, mode, closefd=False)
    buffer = io.BufferedReader(raw) if mode == "r" else io.BufferedWriter(raw)
    return io.TextIOWrapper(buffer, "utf-8", "backslashreplace", line_buffering=True)


def _status(code: object) -> int:
    if code is None or code == 0:
        return 0
    if not isinstance(code, int):
        os.write(2, f"{code}\n".encode(errors="backslashreplace"))
    return EXIT_ERROR


def _tell(error: BaseException) -> None:
    """The traceback without the frames of this file."""
    lines = traceback.format_exception(type(error), error, _own_frames(error.__traceback__))
    os.write(2, "".join(lines).encode(errors="backslashreplace"))


def _own_frames(trace: types.TracebackType | None) -> types.TracebackType | None:
    return trace.tb_next if trace is not None else None


def _flushed() -> bool:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return False
    return True
