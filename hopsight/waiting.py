"""Waiting for works that run side by side."""

import asyncio
from collections.abc import Awaitable, Iterable
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
