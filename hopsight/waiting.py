"""Waiting for works that run side by side, and for one that somebody else has begun."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def all_done(works: Iterable[Awaitable[T]]) -> list[T]:
    """The results in order. Where works fail, the others are waited for, then the first error is
    raised: a paid call that is under way is never thrown away."""
    ended = await asyncio.gather(*works, return_exceptions=True)
    results = []
    for each in ended:
        if isinstance(each, BaseException):
            raise each
        results.append(each)
    return results


class Flights:
    """Works under way by key, so that one that is wanted twice at once is done once."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Event] = {}

    async def once(
        self, key: str, look: Callable[[], T | None], make: Callable[[], Awaitable[T]]
    ) -> T:
        """What `look` finds; where it finds nothing, what `make` makes.

        Who comes while the work is under way waits, then looks again: it may have failed.
        """
        while True:
            found = look()
            if found is not None:
                return found
            other = self._under_way.get(key)
            if other is None:
                break
            await other.wait()
        self._under_way[key] = asyncio.Event()
        try:
            return await make()
        finally:
            self._under_way.pop(key).set()
