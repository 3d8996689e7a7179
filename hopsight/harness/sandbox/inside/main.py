"""A worker: one sandbox for one program.

The worker makes the sandbox, starts the program's process in it, watches that process from
outside, and collects what it left. Messages come in over descriptor 0 and go out over descriptor
1. The worker dies with Hopsight, and the program with the worker.
"""

import os
import time
from dataclasses import asdict, dataclass
from typing import Any, Final

from hopsight.harness.sandbox.inside import frames, kernel, program
from hopsight.harness.sandbox.inside.collect import collect
from hopsight.harness.sandbox.inside.job import Job
from hopsight.harness.sandbox.inside.namespaces import Namespaces
from hopsight.harness.sandbox.inside.restricted import Restricted
from hopsight.harness.sandbox.inside.watch import Watched
from hopsight.harness.sandbox.inside.way import Way

_IN: Final = 0
_OUT: Final = 1
_MAX_FAULT_BYTES: Final = 4_000


@dataclass(frozen=True, slots=True)
class Child:
    """The program's process: its number, and our ends of the pipes to it."""

    process: int
    job: int
    reply: int
    out: int
    err: int


def main() -> None:
    """Prepare, say so, and run the job that arrives."""
    kernel.die_with_parent()
    os.umask(0o022)
    try:
        setup, _ = frames.read(_IN)
        way = _way(setup)
        try:
            way.enter()
            child = _start(way)
            fault = _fault(child)
        except OSError as error:
            fault = str(error)
        if fault is not None:
            frames.write(_OUT, frames.pack({"failed": fault}))
            return
        frames.write(_OUT, frames.pack({"ready": True}))
        job = Job.received(*frames.read(_IN))
    except EOFError:
        return  # Hopsight has no use for this worker any more
    try:
        answer = _run(child, job, way)
    except OSError as error:
        answer = frames.pack({"failed": str(error)})
    frames.write(_OUT, answer)


def _way(setup: dict[str, Any]) -> Way:
    packages = tuple(setup["packages"])
    if setup["way"] == "namespaces":
        return Namespaces(packages, setup["user"])
    return Restricted(packages, setup["home"])


def _start(way: Way) -> Child:
    job_read, job_write = os.pipe()
    reply_read, reply_write = os.pipe()
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    process = os.fork()
    if process == 0:
        nothing = os.open(os.devnull, os.O_RDONLY)
        program.start(way, (nothing, out_write, err_write, job_read, reply_write))
    for descriptor in (job_read, reply_write, out_write, err_write):
        os.close(descriptor)
    return Child(process, job_write, reply_read, out_read, err_read)


def _fault(child: Child) -> str | None:
    """Wait until the child is ready; why it is not, None where it is."""
    try:
        header, _ = frames.read(child.reply)
    except EOFError:
        text = os.read(child.err, _MAX_FAULT_BYTES).decode(errors="replace").strip()
        return text.rpartition("\n")[2] or "the program's process ended before it was ready"
    fault: str | None = header.get("failed")
    return fault


def _run(child: Child, job: Job, way: Way) -> bytes:
    way.fill(job)
    limits = asdict(job)
    code = limits.pop("code").encode()
    del limits["files"]
    message = frames.pack({"names": [], "limits": limits}, [code])
    watched = Watched(child.process, {child.out: bytearray(), child.err: bytearray()})
    start = time.monotonic()
    frames.write(child.job, message)
    os.close(child.job)
    ending = watched.follow(job, way)
    seconds = time.monotonic() - start
    pictures, left_out = collect(f"{way.home}/out", job)
    texts = [bytes(watched.streams[child.out]), bytes(watched.streams[child.err])]
    header = {"exit": ending, "seconds": seconds, "left_out": left_out}
    return frames.pack(header, [*texts, *pictures])
