"""Handing out items to workers that may die: what one owed is dealt again, a bounded number of
times."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

from hopsight.errors import HopsightError
from hopsight.harness.executors.base import Work
from hopsight.store import Journal

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3
"""Workers that an item may outlive, and that a place may lose in a row, before that is an error."""

START_S: Final = 600.0
"""Seconds in which there must be a worker at all: machines of a cluster may have to start."""

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class WorkerLost(Exception):  # noqa: N818 -- it is the plain name of what happened
    """A worker is gone; the text says which and how. What it had in hand is owed again."""


class Worker(Protocol[T_contra]):
    """A worker as the dealer sees it."""

    async def do(self, item: T_contra) -> bytes | None:
        """The item's record, or None where the worker has written it to the journal's folder.

        Raises WorkerLost, and what went wrong with the item as a HopsightError.
        """
        ...

    async def end(self) -> None:
        """Let the worker close what it holds, and see that it is gone."""
        ...


Hire = Callable[[int], Coroutine[Any, Any, Worker[T]]]
"""Starts the worker of a place; returns when it is ready. Raises WorkerLost, HopsightError."""


@dataclass(slots=True)
class _Place(Generic[T]):
    """Where one worker after another sits.

    `in_hand`: items that its worker has. `lost`: how that was lost; `owed`: what it has left.
    `barren`: workers lost in a row that finished nothing.
    """

    number: int
    worker: Worker[T] | None = None
    in_hand: int = 0
    lost: str | None = None
    owed: list[T] = field(default_factory=list)
    barren: int = 0


_Ended = tuple[_Place[T], T | None, asyncio.Task[Any]]
"""A task of a place: of an item, or, without one, the hiring of its worker."""


async def deal(
    items: Sequence[T],
    work: Work[T],
    journal: Journal,
    hire: Hire[T],
    places: int,
    lanes: int,
    tell: Callable[[], None],
    *,
    start_s: float = START_S,
) -> None:
    """Keep up to `lanes` items in the hands of each of `places` workers until all are done.

    `hire` starts workers; there must be one within `start_s` seconds. One that is lost is
    replaced, and its items are dealt again, unless their records are in the journal by then: those
    are done.
    """
    table: tuple[_Place[T], ...] = tuple(map(_Place, range(min(places, len(items)))))
    whole = (deque(items), len(items))
    await _Deal(table, *whole, work, journal, hire, lanes, tell, start_s).run()


@dataclass(slots=True)
class _Deal(Generic[T]):
    """One pass over the items; `left` counts those that are not done."""

    table: tuple[_Place[T], ...]
    waiting: deque[T]
    left: int
    work: Work[T]
    journal: Journal
    hire: Hire[T]
    lanes: int
    tell: Callable[[], None]
    start_s: float
    losses: Counter[str] = field(default_factory=Counter)
    error: HopsightError | None = None
    running: set[asyncio.Task[Any]] = field(default_factory=set)
    ended: asyncio.Queue[_Ended[T]] = field(default_factory=asyncio.Queue)

    async def run(self) -> None:
        """Deal until all is done, or until what was begun before an error has ended."""
        try:
            for place in self.table:
                self._start(place, None, self.hire(place.number))
            while self.left and (self.error is None or self._in_hand()):
                try:
                    async with asyncio.timeout(self._patience()):
                        ended = await self.ended.get()
                except TimeoutError:
                    self.error = _no_worker(self.start_s)
                    continue
                await self._take(*ended)
                for place in self.table:
                    self._deal_to(place)
        finally:
            for task in self.running:
                task.cancel()
            await asyncio.gather(*self.running, return_exceptions=True)
            workers = [place.worker for place in self.table if place.worker is not None]
            await asyncio.gather(*(worker.end() for worker in workers))
        if self.error is not None:
            raise self.error

    def _patience(self) -> float | None:
        """While there is any worker, its items end by limits of their own."""
        return None if any(place.worker for place in self.table) else self.start_s

    def _in_hand(self) -> int:
        return sum(place.in_hand for place in self.table)

    def _start(self, place: _Place[T], item: T | None, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(lambda done: self.ended.put_nowait((place, item, done)))

    def _deal_to(self, place: _Place[T]) -> None:
        """Fill the worker's hands, but leave the others their part of what is left."""
        part = -(-self.left // len(self.table))
        while self.error is None and place.worker is not None and place.lost is None:
            if not self.waiting or place.in_hand >= min(self.lanes, part):
                return
            item = self.waiting.popleft()
            place.in_hand += 1
            self._start(place, item, place.worker.do(item))

    async def _take(self, place: _Place[T], item: T | None, task: asyncio.Task[Any]) -> None:
        """Note what a task has come to; a lost worker is replaced when its items have come back."""
        self.running.discard(task)
        place.in_hand -= item is not None
        try:
            result = task.result()
        except HopsightError as error:
            self.error = self.error or error
        except WorkerLost as lost:
            place.lost = str(lost)
            place.owed += [] if item is None else [item]
        else:
            if item is None:
                place.worker = result
            else:
                self._keep(place, item, result)
        if place.lost is not None and not place.in_hand:
            await self._replace(place, place.lost)

    def _keep(self, place: _Place[T], item: T, record: bytes | None) -> None:
        if record is not None:
            self.journal.append(self.work.key(item), record)
        place.barren = 0
        self._count()

    def _count(self) -> None:
        self.left -= 1
        self.tell()

    async def _replace(self, place: _Place[T], how: str) -> None:
        owed, place.owed = place.owed, []
        place.barren += 1
        log.warning("event=worker_lost what=%r owed=%d in_a_row=%d", how, len(owed), place.barren)
        if place.worker is not None:
            await place.worker.end()
        place.worker = place.lost = None
        most = max(place.barren, self._deal_again(owed))
        if most >= ATTEMPTS:
            self.error = self.error or HopsightError(
                f"{how}: {most} workers were lost over the same work",
                "see why it died (memory, a machine that went away), then run again: what is "
                "finished is kept and only the rest is done",
            )
        elif self.error is None and self.left:
            self._start(place, None, self.hire(place.number))

    def _deal_again(self, owed: Sequence[T]) -> int:
        """Put back what is not in the journal; how often the least lucky item has come back."""
        found = self.journal.load() if owed else {}
        most = 0
        for item in owed:
            key = self.work.key(item)
            if key in found and self.work.is_done(found[key]):
                self._count()
                continue
            self.losses[key] += 1
            most = max(most, self.losses[key])
            self.waiting.appendleft(item)
        return most


def _no_worker(seconds: float) -> HopsightError:
    return HopsightError(
        f"no worker was ready within {seconds:g} s",
        "see that there is room for one (processors, memory), then run again",
    )
