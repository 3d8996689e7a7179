"""Where slow picture work runs: a few threads of the process, beside the event loop."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, ParamSpec, TypeVar

MAX_THREADS: Final = 4

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` in one of at most MAX_THREADS threads; further calls wait their turn.

    A call that is cancelled while it waits is never run. One that already runs keeps its thread
    until it ends, so that the bound holds whatever its caller does.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool(os.getpid()), lambda: function(*args, **kwargs))


@cache
def _pool(pid: int) -> ThreadPoolExecutor:
    """By process id, since the threads of a pool do not live on in a forked child."""
    threads = min(MAX_THREADS, os.cpu_count() or 1)
    return ThreadPoolExecutor(threads, thread_name_prefix="imaging")
