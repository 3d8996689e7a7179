"""A pool of sandboxes that stand ready, each for one program and then never again."""

import asyncio
import os
import re
from collections import deque
from collections.abc import Mapping
from typing import Final

from hopsight.harness.sandbox.limits import SandboxLimits, SandboxResult
from hopsight.harness.sandbox.worker import WayName, Worker

_FIRST_USER: Final = 20_000
_USERS: Final = 40_000
_FILE_NAME: Final = re.compile(r"[0-9A-Za-z_-]{1,40}\.[a-z]{3,4}")

DEFAULT_LIMITS: Final = SandboxLimits()


class SandboxPool:
    """Runs programs, at most `concurrency` at once; `warm` sandboxes wait for the next ones.

    Every program gets a sandbox that has run nothing before, so that nothing passes from one
    program, or one episode, to another. Use it in one event loop.
    """

    def __init__(self, way: WayName, concurrency: int, warm: int) -> None:
        self.way = way
        self._free = asyncio.Semaphore(concurrency)
        self._warm = warm
        self._ready: deque[asyncio.Task[Worker]] = deque()
        self._started = 0

    async def run(
        self, code: str, pictures: Mapping[str, bytes], limits: SandboxLimits = DEFAULT_LIMITS
    ) -> SandboxResult:
        """Run a program that finds `pictures`, by file name, read-only in `images/`.

        Raises ProviderError where the sandbox itself fails, ValueError for a name that is none.
        """
        for name in pictures:
            if not _FILE_NAME.fullmatch(name):
                raise ValueError(f"no file name for a picture: {name!r}")
        async with self._free:
            worker = await self._take()
            try:
                return await worker.run(code, pictures, limits)
            finally:
                # Not earlier: two that start side by side would slow the one that is waited for.
                self._refill()
                await asyncio.shield(worker.end())

    async def warm_up(self) -> None:
        """Wait until all sandboxes stand that shall stand ready."""
        self._refill()
        await asyncio.gather(*self._ready)

    async def close(self) -> None:
        """End all that stands ready. Programs that run are the business of who runs them."""
        self._warm = 0
        waiting = list(self._ready)
        self._ready.clear()
        for task in waiting:
            task.cancel()
        for result in await asyncio.gather(*waiting, return_exceptions=True):
            if isinstance(result, Worker):
                await result.end()

    async def _take(self) -> Worker:
        """A sandbox that stands ready, or a new one."""
        while self._ready:
            task = self._ready.popleft()
            try:
                worker = await task
            except asyncio.CancelledError:
                await _end(task)
                raise
            if worker.alive:
                return worker
            await worker.end()  # the system ended it while it waited
        return await self._start()

    def _refill(self) -> None:
        while len(self._ready) < self._warm:
            self._ready.append(asyncio.create_task(self._start()))

    async def _start(self) -> Worker:
        self._started += 1
        return await Worker.start(self.way, _user(self._started))


async def _end(task: "asyncio.Task[Worker]") -> None:
    """End the sandbox of a task that was cancelled, should it stand already."""
    task.cancel()
    for result in await asyncio.gather(task, return_exceptions=True):
        if isinstance(result, Worker):
            await result.end()


def _user(number: int) -> int | None:
    """A user of its own for each program, so that their processes are counted apart.

    None where we are no root and cannot become another.
    """
    if os.geteuid() != 0:
        return None
    return _FIRST_USER + (os.getpid() * 64 + number) % _USERS
