"""All work in this process: one event loop, and a bounded number of lanes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hopsight.harness.executors.base import LANES, Work, check_count
from hopsight.store import Journal
from hopsight.waiting import all_done

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InProcess:
    """`lanes` items at once; the next is begun when one has ended and its record is written."""

    lanes: int = LANES

    def __post_init__(self) -> None:
        check_count("lanes", self.lanes)

    def run(
        self, items: Sequence[T], work: Work[T], journal: Journal, tell: Callable[[], None]
    ) -> None:
        """Do all items. See `Executor.run`."""
        lanes = min(self.lanes, len(items))
        asyncio.run(_run(iter(items), lanes, work, journal, tell))


async def _run(
    waiting: Iterator[T], lanes: int, work: Work[T], journal: Journal, tell: Callable[[], None]
) -> None:
    async with work.open() as do:

        async def lane() -> None:
            for item in waiting:
                try:
                    journal.append(work.key(item), await do(item))
                except BaseException:
                    list(waiting)  # nothing is left for the other lanes to begin
                    raise
                tell()

        # Not a TaskGroup: that would wrap an error, and the user is told errors as they are.
        await all_done(lane() for _ in range(lanes))
