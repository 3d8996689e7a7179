"""Work in processes of this machine, each with an event loop and a journal segment of its own."""

import asyncio
import multiprocessing
import signal
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, TypeVar

from hopsight.errors import HopsightError
from hopsight.harness.executors.base import LANES, Fault, Work, check_count
from hopsight.harness.executors.deal import WorkerLost, deal
from hopsight.store import Journal

END_S: Final = 30.0
"""Seconds in which a worker that is told to end must have closed what it holds."""

OPENED: Final = -1
"""The ticket under which a worker tells that it is ready."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Processes:
    """`workers` processes with `lanes` items each. One that is killed is replaced."""

    workers: int
    lanes: int = LANES

    def __post_init__(self) -> None:
        check_count("workers", self.workers)
        check_count("lanes", self.lanes)

    def run(
        self, items: Sequence[T], work: Work[T], journal: Journal, tell: Callable[[], None]
    ) -> None:
        """Do all items. See `Executor.run`."""
        hire = partial(_hire, work, journal.folder)
        asyncio.run(deal(items, work, journal, hire, self.workers, self.lanes, tell))


async def _hire(work: Work[T], folder: Path, number: int) -> "_Process":
    process = _Process(work, folder, number)
    try:
        await process.opened
    except BaseException:
        process.kill()
        raise
    return process


class _Process:
    """One process, seen from this side of its pipe."""

    def __init__(self, work: Work[Any], folder: Path, number: int) -> None:
        # Spawned, not forked: a fork copies locks and threads of libraries in unknown states.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_worker, args=(work, folder, theirs), name=f"worker-{number}"
        )
        self._process.start()
        theirs.close()  # so that the end of the worker ends the pipe
        self._name = f"worker {number} (pid {self._process.pid})"
        self._loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = self._loop.create_future()
        self._asked: dict[int, asyncio.Future[None]] = {OPENED: self.opened}
        self._tickets = 0
        self._gone: Exception | None = None
        self._loop.add_reader(self._pipe.fileno(), self._read)

    async def do(self, item: Any) -> None:
        """See `Worker.do`; the record goes to the worker's own segment."""
        if self._gone is not None:
            raise self._gone
        self._tickets += 1
        told = self._asked[self._tickets] = self._loop.create_future()
        try:
            self._pipe.send((self._tickets, item))
        except OSError:
            self._lose()
        await told

    async def end(self) -> None:
        """See `Worker.end`: a closed pipe tells the worker to end."""
        self._hang_up()
        await asyncio.to_thread(self._process.join, END_S)
        self.kill()

    def kill(self) -> None:
        """Be rid of the worker at once."""
        self._hang_up()
        self._process.kill()
        self._process.join()

    def _read(self) -> None:
        try:
            ticket, fault = self._pipe.recv()
        except (EOFError, OSError):
            self._lose()
            return
        told = self._asked.pop(ticket)
        if told.done():
            return  # nobody waits any more
        if fault is None:
            told.set_result(None)
        else:
            told.set_exception(fault.error)

    def _lose(self) -> None:
        """The worker has ended, and everyone who waits for it is told how."""
        self._hang_up()
        self._process.join(END_S)
        code = self._process.exitcode
        if code is None or code < 0:
            how = "does not answer" if code is None else f"ended with code {code}"
            self._gone = WorkerLost(f"{self._name} {how}")
        else:
            self._gone = HopsightError(
                f"{self._name} ended with code {code}",
                "what went wrong is told above; run again: finished work is kept and only the "
                "rest is done",
            )
        asked, self._asked = self._asked, {}
        for told in asked.values():
            if not told.done():
                told.set_exception(self._gone)

    def _hang_up(self) -> None:
        if not self._pipe.closed:
            self._loop.remove_reader(self._pipe.fileno())
            self._pipe.close()


def _worker(work: Work[Any], folder: Path, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who hands out decides, and closes the pipe
    with closing(Journal(folder)) as journal:
        asyncio.run(_serve(work, journal, pipe))


async def _serve(work: Work[Any], journal: Journal, pipe: Connection) -> None:
    try:
        async with work.open() as do:
            _tell(pipe, OPENED, None)
            await _Serving(work, do, journal, pipe).until_closed()
    except HopsightError as error:
        _tell(pipe, OPENED, Fault.of(error))


def _tell(pipe: Connection, ticket: int, fault: Fault | None) -> None:
    # A pipe that is broken has nobody at its end, which reading from it tells soon enough.
    with suppress(BrokenPipeError, ConnectionResetError):
        pipe.send((ticket, fault))


class _Serving:
    """The worker's side: items come in, records are appended, acknowledgements go out."""

    def __init__(
        self,
        work: Work[Any],
        do: Callable[[Any], Awaitable[bytes]],
        journal: Journal,
        pipe: Connection,
    ) -> None:
        self._work = work
        self._do = do
        self._journal = journal
        self._pipe = pipe
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = asyncio.get_running_loop().create_future()

    async def until_closed(self) -> None:
        """Work until the pipe is closed: nothing is worth paying for when nobody waits for it."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._pipe.fileno(), self._read)
        try:
            await self._closed
        finally:
            loop.remove_reader(self._pipe.fileno())
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _read(self) -> None:
        try:
            ticket, item = self._pipe.recv()
        except (EOFError, OSError):
            if not self._closed.done():
                self._closed.set_result(None)
            return
        task = asyncio.create_task(self._answer(ticket, item))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def _answer(self, ticket: int, item: Any) -> None:
        fault = None
        try:
            self._journal.append(self._work.key(item), await self._do(item))
        except HopsightError as error:
            fault = Fault.of(error)
        _tell(self._pipe, ticket, fault)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not self._closed.done():
            self._closed.set_exception(error)  # a bug: it ends this process with its traceback
