"""Watching a program: its output, its time, its files, its end."""

import os
import select
import signal
import time
from dataclasses import dataclass, field
from typing import Final

from hopsight.harness.sandbox.inside.job import Job
from hopsight.harness.sandbox.inside.program import EXIT_MEMORY
from hopsight.harness.sandbox.inside.way import Way

LOOK_EVERY_S: Final = 0.01
_CHUNK: Final = 1 << 16
_CPU_SLACK: Final = 0.95


@dataclass(slots=True)
class Watched:
    """A program that runs; `out` and `err` are what it has written so far."""

    process: int
    streams: dict[int, bytearray]
    handle: int = field(init=False)
    stopped: str | None = None

    def __post_init__(self) -> None:
        self.handle = os.pidfd_open(self.process)

    def follow(self, job: Job, way: Way) -> str:
        """Until the program's end; how it ended, in the words of `Exit`."""
        deadline = time.monotonic() + job.wall_seconds
        poll = select.poll()
        for descriptor in (*self.streams, self.handle):
            poll.register(descriptor, select.POLLIN)
        while True:
            events = dict(poll.poll(LOOK_EVERY_S * 1000))
            for descriptor in self.streams:
                if descriptor in events and not self._take(descriptor, job.output_bytes):
                    poll.unregister(descriptor)
            if self.handle in events:
                break
            if time.monotonic() > deadline:
                self.stop("timeout")
            elif way.overrun(job):
                self.stop("disk_limit")
        _, status, usage = os.wait4(self.process, 0)
        for descriptor in self.streams:
            while self._take(descriptor, job.output_bytes):
                pass
        if self.stopped is not None:
            return self.stopped
        return _ending(status, usage.ru_utime + usage.ru_stime >= job.cpu_seconds * _CPU_SLACK)

    def stop(self, reason: str) -> None:
        """Kill the program; the first reason stands."""
        self.stopped = self.stopped or reason
        signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def _take(self, descriptor: int, limit: int) -> bool:
        """Read what there is; False at the stream's end."""
        chunk = os.read(descriptor, _CHUNK)
        kept = self.streams[descriptor]
        kept += chunk[: limit - len(kept)]
        if len(kept) == limit and chunk:
            self.stop("output_limit")
        return bool(chunk)


def _ending(status: int, used_up: bool) -> str:
    if os.WIFSIGNALED(status):
        return "timeout" if used_up else "killed"
    code = os.WEXITSTATUS(status)
    return {0: "ok", EXIT_MEMORY: "memory"}.get(code, "error")
