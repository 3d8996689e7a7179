"""A run of 500 calls that can be killed at any moment: what the kill tests and `verify` share.

`python -m benchmarks.model_calls URL FOLDER OUTPUT` is the run; the server must be up.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import Figure, figure
from hopsight.config.models import Endpoint
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import ChatMessage, ChatRequest
from hopsight.llm.client import ModelClient
from hopsight.llm.ledger import Status
from hopsight.llm.prices import PriceList
from hopsight.store.files import write_atomic

PROJECT = Path(__file__).parents[1]
CALLS = 500
AT_ONCE = 16
DELAY_S = 0.02
SCOPE = "0001"
KILLS = 20


@dataclass(frozen=True, slots=True)
class Killed:
    """What a run that was killed and resumed left. `lost` are calls in flight at the kills."""

    kills: int
    same_bytes: bool
    billed_twice: int
    lost: int
    beyond_in_flight: int
    ledger_tokens: int
    server_tokens: int


async def calls(url: str, folder: Path, count: int) -> list[str]:
    """The answers of `count` calls, in order."""
    endpoint = Endpoint(base_url=url, model="echo-1", concurrency=AT_ONCE, backoff_s=0.05)
    prices = PriceList.model_validate({"as_of": "2026-11-29", "currency": "USD"})

    async def one(number: int) -> str:
        message = ChatMessage(role="user", content=(f"call {number}",))
        answer = await client.complete(
            ChatRequest(messages=(message,)),
            endpoint=endpoint,
            role="judge",
            stage="grade",
            record_id=f"record_{number}",
        )
        return answer.text

    with CallStore(folder, SCOPE) as store:
        async with ModelClient(store, prices) as client:
            return await asyncio.gather(*(one(number) for number in range(count)))


@contextmanager
def server(delay: float = DELAY_S) -> Iterator[str]:
    """The echo server in a process of its own; gives its address."""
    command = [sys.executable, "-m", "tests.llm_server", "--delay", str(delay)]
    process = subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.kill()
        process.communicate()


def counted(url: str) -> dict[str, Any]:
    """The server's own count of what it was asked and what it billed."""
    with urllib.request.urlopen(f"{url}/count", timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def killed(folder: Path, kills: int, seed: int, count: int = CALLS) -> Killed:
    """Kill a run `kills` times at random moments, let it end, and compare with a quiet run."""
    draw = random.Random(seed)
    with server() as url:
        quiet = _finished(url, folder / "quiet", folder / "quiet.json", count)
    with server() as url:
        store, output = folder / "store", folder / "output.json"
        done = 0
        # Each stretch does about a part of what is left, so that the kills fall on the whole run.
        for number in range(kills):
            process = _started(url, store, output, count)
            aim = draw.uniform(0.2, 1.0) * (count - done) / (kills - number + 1)
            while process.poll() is None and _paid(url) - done < aim:
                time.sleep(0.005)
            assert process.poll() is None, f"the run ended with {process.returncode}"
            time.sleep(draw.uniform(0, 0.02))
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            done = _paid(url)
        resumed = _finished(url, store, output, count)
        server_count = counted(url)
    return _compared(store, quiet == resumed, kills, server_count)


def kill_figures(kills: int = KILLS, seed: int = 1) -> list[Figure]:
    """Kill −9 a run of 500 calls at random moments; resume; compare and count."""
    with tempfile.TemporaryDirectory() as folder:
        found = killed(Path(folder), kills, seed)
    return [
        figure("model_calls_killed_runs", found.kills, ">=", kills),
        figure("model_calls_output_differs", int(not found.same_bytes), "<=", 0),
        figure("model_calls_paid_twice_beyond_in_flight", found.beyond_in_flight, "<=", 0),
        figure("model_calls_paid_twice", found.billed_twice),
        figure("model_calls_in_flight_at_kills", found.lost),
    ]


def _compared(store: Path, same: bool, kills: int, server_count: dict[str, Any]) -> Killed:
    billed = Counter(server_count["billed"])
    with CallStore(store, SCOPE) as calls_:
        lost: Counter[str] = Counter()
        settled = 0
        for row in calls_.costs(["record"]):
            lost[row.group[0].replace("record_", "call ")] = row.lost
            settled += row.calls - row.lost
        assert calls_.count(Status.OPEN) == 0
        spent = calls_.spent()
    beyond = sum(max(0, times - 1 - lost[text]) for text, times in billed.items())
    tokens = server_count["prompt_tokens"] + server_count["completion_tokens"]
    assert settled == len(billed), (settled, len(billed))
    return Killed(
        kills=kills,
        same_bytes=same,
        billed_twice=sum(billed.values()) - len(billed),
        lost=lost.total(),
        beyond_in_flight=beyond,
        ledger_tokens=spent.tokens,
        server_tokens=tokens,
    )


def _paid(url: str) -> int:
    return len(counted(url)["billed"])


def _started(url: str, store: Path, output: Path, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "benchmarks.model_calls", url, str(store), str(output)]
    return subprocess.Popen([*command, "--count", str(count)], cwd=PROJECT)


def _finished(url: str, store: Path, output: Path, count: int) -> bytes:
    asyncio.run(run(url, store, output, count))
    return output.read_bytes()


async def run(url: str, store: Path, output: Path, count: int) -> None:
    """Make the calls and write their answers."""
    texts = await calls(url, store, count)
    write_atomic(output, json.dumps(texts).encode())


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the calls and write the answers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--count", type=int, default=CALLS)
    given = parser.parse_args(arguments)
    asyncio.run(run(given.url, given.folder, given.output, given.count))


if __name__ == "__main__":
    main()
