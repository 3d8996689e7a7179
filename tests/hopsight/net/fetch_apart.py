"""Fetches each path of a server in a process of its own, and tells what memory that took.

    python -m tests.hopsight.net.fetch_apart PORT KIND PATH…      KIND: body or picture

Prints for each path a line: path, mebibytes over what the process held before, outcome.
"""

import asyncio
import os
import sys
from pathlib import Path

from hopsight.errors import HopsightError
from hopsight.net import Fetcher, FetchLimits, picture_of


def status(name: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise ValueError(name)


async def fetch(place: str, path: str, kind: str) -> str:
    limits = FetchLimits(connect_s=5, piece_s=5, whole_s=30)
    async with Fetcher(limits, allow_hosts=frozenset({place})) as fetcher:
        held = status("VmRSS")
        try:
            fetched = await fetcher.get(f"http://{place}{path}")
            if kind == "picture":
                picture_of(fetched)
            outcome = "taken"
        except HopsightError as error:
            outcome = f"{type(error).__name__}: {error.cause}"
        return f"{path}\t{status('VmHWM') - held:.1f}\t{outcome}"


def main(port: str, kind: str, *paths: str) -> None:
    for path in paths:
        child = os.fork()
        if child == 0:
            print(asyncio.run(fetch(f"127.0.0.1:{port}", path, kind)), flush=True)  # noqa: T201
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
