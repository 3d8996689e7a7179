"""The search server under 1, 8 and 64 clients, and what a request costs beside the bare search.

The server is `hopsight serve`'s own (one worker) over the mini world; clients keep their
connections, and each asks its next query when the last is answered.
"""

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import aiohttp
import numpy as np

from benchmarks.report import figure, finish
from benchmarks.world import mini_backend, mini_tables
from hopsight.harness.backends.local import LocalBackend
from hopsight.store import ImageStore

CLIENTS = (1, 8, 64)
REQUESTS = 2_400
K = 3
PICTURES = 50
PLAN = """
from pathlib import Path
from hopsight.serve import ServeSettings, Source, serve_http
folder = Path({folder!r})
source = Source(pictures=folder / "store", index=folder / "index")
serve_http(source, ServeSettings(port={port}, workers={workers}))
"""


@dataclass(frozen=True, slots=True)
class Load:
    """Wall and server CPU seconds of all requests, and each request's wall seconds."""

    wall: float
    cpu: float
    each: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Requests per second."""
        return len(self.each) / self.wall

    def ms(self, share: float) -> float:
        """Milliseconds that this share of the requests stayed within."""
        return float(np.quantile(self.each, share)) * 1_000


@contextmanager
def server(folder: Path, workers: int = 1) -> Iterator[tuple[str, int]]:
    """Address and process of a server over the index in `folder`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    plan = PLAN.format(folder=str(folder), port=port, workers=workers)
    process = subprocess.Popen([sys.executable, "-c", plan])
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(url, process)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait(url: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        try:
            with urlopen(f"{url}/health", timeout=1):
                return
        except OSError:
            if process.poll() is not None:
                raise RuntimeError("the server ended") from None
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def cpu_of(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(url: str, pid: int, clients: int, bodies: list[bytes]) -> Load:
    """Send all bodies with so many clients at once."""
    waiting = iter(bodies)
    each: list[float] = []

    async def client(session: aiohttp.ClientSession) -> None:
        for body in waiting:
            started = time.perf_counter()
            headers = {"content-type": "application/json"}
            async with session.post("/retrieve", data=body, headers=headers) as answer:
                answer.raise_for_status()
                await answer.read()
            each.append(time.perf_counter() - started)

    connector = aiohttp.TCPConnector(limit=clients)
    async with aiohttp.ClientSession(url, connector=connector) as session:
        cpu, wall = cpu_of(pid), time.perf_counter()
        await asyncio.gather(*(client(session) for _ in range(clients)))
        return Load(time.perf_counter() - wall, cpu_of(pid) - cpu, tuple(each))


def bare(backend: LocalBackend, queries: list[str]) -> float:
    """CPU seconds of the same searches without a server."""

    async def all_of_them() -> None:
        for query in queries:
            await backend.web_search(query, K)

    started = time.process_time()
    asyncio.run(all_of_them())
    return time.process_time() - started


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        images = ImageStore(folder / "store")
        tables = mini_tables(images)
        backend = mini_backend(tables, images, folder / "index", PICTURES)
        rng = random.Random(1)
        queries = [rng.choice(tables.pages).title for _ in range(REQUESTS)]
        bodies = [
            json.dumps({"queries": [query], "topk": K, "return_scores": True}).encode()
            for query in queries
        ]
        batch = [json.dumps({"queries": queries, "topk": K}).encode()]
        loads: dict[int, Load] = {}
        with server(folder) as (url, pid):
            asyncio.run(load(url, pid, 8, bodies[:200]))  # warm
            alone = [bare(backend, queries)]
            for clients in CLIENTS:
                loads[clients] = asyncio.run(load(url, pid, clients, bodies))
                alone.append(bare(backend, queries))
            together = asyncio.run(load(url, pid, 1, batch))
    _tell(loads, float(np.median(alone)), together)


def _tell(loads: dict[int, Load], alone: float, together: Load) -> None:
    rows: list[tuple[object, ...]] = [
        (f"{clients} clients", load.rate, load.ms(0.5), load.ms(0.95), load.cpu / REQUESTS * 1_000)
        for clients, load in loads.items()
    ]
    rows += [
        ("one request of all", REQUESTS / together.wall, "", "", together.cpu / REQUESTS * 1_000),
        ("bare search", REQUESTS / alone, "", "", alone / REQUESTS * 1_000),
    ]
    figures = [figure("server_bare_search_ms_cpu", alone / REQUESTS * 1_000)]
    for clients, load in loads.items():
        figures += [
            figure(f"server_queries_per_s_{clients}_clients", load.rate),
            figure(f"server_p95_ms_{clients}_clients", load.ms(0.95)),
        ]
    cost = (loads[8].cpu - alone) / REQUESTS * 1_000
    figures.append(figure("server_overhead_ms_cpu_per_request", cost))
    columns = ("", "queries/s", "p50 ms", "p95 ms", "server CPU ms")
    finish(f"The server, {REQUESTS:,} queries for pages each", columns, rows, figures)


if __name__ == "__main__":
    main()
