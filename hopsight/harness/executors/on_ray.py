"""Work on a Ray cluster: one actor with an event loop of its own for each worker.

An actor whose node sees the journal's folder (a file system that is shared, or the driver's own
machine) appends to a segment of its own there; any other gives its records back through Ray, and
the driver appends them. Everything else that the work opens (index, pictures) must be readable
under the same path on every node, and keys of models must be in the environment of every node:
they are never sent. Needs the extra `ray`.
"""

import asyncio
import importlib
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from hopsight.errors import ConfigError, HopsightError
from hopsight.harness.executors.base import LANES, Fault, Work, check_count
from hopsight.harness.executors.deal import WorkerLost, deal
from hopsight.store import Journal
from hopsight.store.files import storage_errors

END_S: Final = 30.0
"""Seconds in which an actor that is told to end must have closed what it holds."""

CONNECT_S: Final = 10.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OnRay:
    """`workers` actors with `lanes` items each, spread over the nodes.

    `address` is that of a running cluster, "auto" the one this machine belongs to. Each actor asks
    for `cpus`. An actor or node that dies is replaced wherever there is room; where there is none,
    the others do its part. `start_s`: seconds in which there must be a worker at all.
    """

    workers: int
    lanes: int = LANES
    address: str = "auto"
    cpus: float = 1.0
    start_s: float = 600.0

    def __post_init__(self) -> None:
        check_count("workers", self.workers)
        check_count("lanes", self.lanes)

    def run(
        self, items: Sequence[T], work: Work[T], journal: Journal, tell: Callable[[], None]
    ) -> None:
        """Do all items. See `Executor.run`. Raises ConfigError without Ray or a cluster."""
        ray = _ray()
        with _connected(ray, self.address), _marked(journal.folder) as mark:
            _check_ledger(ray, work)
            hiring = _Hiring(ray, self, ray.put(work), mark)
            asyncio.run(
                deal(
                    *(items, work, journal, hiring.hire, self.workers, self.lanes, tell),
                    start_s=self.start_s,
                )
            )


@dataclass(frozen=True, slots=True)
class _Hiring:
    """How an actor is started."""

    ray: Any
    how: OnRay
    work: Any
    mark: Path

    async def hire(self, number: int) -> "_Remote":
        """See `deal.Hire`; waits while the cluster has no room."""
        remote = self.ray.remote(_Actor).options(
            num_cpus=self.how.cpus,
            max_concurrency=self.how.lanes + 1,
            max_restarts=0,  # a fresh one is hired instead, whose place we know
            scheduling_strategy="SPREAD",
        )
        actor = _Remote(self.ray, remote.remote(self.work, self.mark), f"worker {number}")
        try:
            await actor.open()
        except BaseException:
            actor.kill()
            raise
        return actor


class _Remote:
    """One actor, seen from the driver."""

    def __init__(self, ray: Any, actor: Any, name: str) -> None:
        self._ray = ray
        self._actor = actor
        self._name = name
        self._gone = False

    async def open(self) -> None:
        """Wait until the actor is ready."""
        where = await self._told(self._actor.open.remote())
        self._name = f"{self._name} ({where})"

    async def do(self, item: Any) -> bytes | None:
        """See `Worker.do`."""
        record = await self._told(self._actor.do.remote(item))
        assert record is None or isinstance(record, bytes)
        return record

    async def end(self) -> None:
        """See `Worker.end`."""
        if not self._gone:
            try:
                await asyncio.wait_for(self._told(self._actor.close.remote()), END_S)
            except (TimeoutError, WorkerLost):
                self._gone = True
        self.kill()

    def kill(self) -> None:
        """Be rid of the actor at once, be it started or not."""
        self._ray.kill(self._actor)

    async def _told(self, reference: Any) -> Any:
        try:
            told = await reference
        except self._ray.exceptions.RayActorError as error:
            self._gone = True
            raise WorkerLost(f"{self._name} was lost: {_line(error)}") from error
        if isinstance(told, Fault):
            raise told.error
        return told


class _Actor:
    """The worker's side. What the work opens is opened and closed by one task."""

    def __init__(self, work: Work[Any], mark: Path) -> None:
        self._work = work
        self._journal = Journal(mark.parent) if mark.exists() else None
        self._do: Callable[[Any], Awaitable[bytes]] | None = None
        self._ending = asyncio.Event()
        self._holding: asyncio.Task[None] | None = None

    async def open(self) -> str | Fault:
        """Open the work; where this is, or what went wrong."""
        ready = asyncio.get_running_loop().create_future()
        self._holding = asyncio.create_task(self._hold(ready))
        await asyncio.wait({ready, self._holding}, return_when=asyncio.FIRST_COMPLETED)
        try:
            if not ready.done():
                await self._holding
        except HopsightError as error:
            return Fault.of(error)
        return f"pid {os.getpid()} on {socket.gethostname()}"

    async def _hold(self, ready: "asyncio.Future[None]") -> None:
        async with self._work.open() as do:
            self._do = do
            ready.set_result(None)
            await self._ending.wait()

    async def do(self, item: Any) -> bytes | Fault | None:
        """Do an item; its record, unless that went to a segment of this worker."""
        assert self._do is not None
        try:
            record = await self._do(item)
            if self._journal is None:
                return record
            self._journal.append(self._work.key(item), record)
        except HopsightError as error:
            return Fault.of(error)
        return None

    async def close(self) -> None:
        """Close what is open."""
        self._ending.set()
        if self._holding is not None:
            await self._holding
        if self._journal is not None:
            self._journal.close()


def _ray() -> Any:
    # By name, since the type checker runs where Ray is not installed.
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise ConfigError("Ray is not installed", "pip install 'hopsight[ray]'") from error


@contextmanager
def _connected(ray: Any, address: str) -> Iterator[None]:
    """Within a connection: the one that there is, or one of our own."""
    if ray.is_initialized():
        yield
        return
    _check_listening(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report to its makers
    try:
        ray.init(address=address, configure_logging=False, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _no_cluster(address, error) from error
    try:
        yield
    finally:
        ray.shutdown()


def _check_listening(address: str) -> None:
    """Ray itself would try for minutes where nobody listens."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if port.isdigit():
        try:
            socket.create_connection((host, int(port)), CONNECT_S).close()
        except OSError as error:
            raise _no_cluster(address, error) from error


def _no_cluster(address: str, error: Exception) -> ConfigError:
    return ConfigError(
        f"there is no Ray cluster at {address!r} ({_line(error)})",
        "start one (`ray start --head`), or give its address",
    )


@contextmanager
def _marked(folder: Path) -> Iterator[Path]:
    """A new file in the folder: who sees it shares the folder with us."""
    mark = folder / f".shared-{secrets.token_hex(8)}"
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        mark.touch()
    try:
        yield mark
    finally:
        mark.unlink(missing_ok=True)


def _check_ledger(ray: Any, work: Work[Any]) -> None:
    """SQLite's shared log needs the memory of one machine; a budget may not be held half."""
    machines = {node["NodeManagerHostname"] for node in ray.nodes() if node["Alive"]}
    if work.models.endpoints and len(machines) > 1:
        raise ConfigError(
            f"calls of models are counted in one file, which {len(machines)} machines cannot share",
            "run on a cluster of one machine, or let the reference policies play",
        )


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]
