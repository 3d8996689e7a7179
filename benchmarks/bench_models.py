"""Model calls: CPU per call with limiter, cache, ledger and schema check on, beside bare clients.

The server echoes after 50 ms in a process of its own. Sides: raw aiohttp, the whole client, and
the SDK's default client, which is too slow for as many calls and makes fewer.
"""

import asyncio
import json
import logging
import tempfile
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import aiohttp
from openai import AsyncOpenAI
from pydantic import BaseModel, ConfigDict

from benchmarks.model_calls import counted, server
from benchmarks.report import alternate, figure, finish, resident_bytes
from hopsight.config.models import Endpoint
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import ChatMessage, ChatRequest
from hopsight.llm.client import ModelClient
from hopsight.llm.ledger import SpendLimits
from hopsight.llm.prices import PriceList

DELAY_S = 0.05
AT_ONCE = 256
CALLS = 10_000
CALLS_OF_DEFAULT = 2_000
REPEATS = 2
MODEL = "echo-1"

Call = Callable[[str], Awaitable[object]]


class Echo(BaseModel):
    """What is asked for: the schema that the answers are checked against."""

    model_config = ConfigDict(extra="forbid")

    echo: str


async def flood(call: Call, texts: list[str]) -> None:
    """Make all calls, AT_ONCE of them at any time."""
    waiting = iter(texts)

    async def work() -> None:
        for text in waiting:
            await call(text)

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


def body(text: str) -> dict[str, object]:
    """The same request for the bare sides."""
    return {
        "model": MODEL,
        "messages": [{"role": "user", "content": text}],
        "max_tokens": 256,
        "temperature": 0.0,
    }


async def by_aiohttp(url: str, texts: list[str]) -> None:
    """Nothing but the bytes there and back, and JSON."""
    connector = aiohttp.TCPConnector(limit=AT_ONCE)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call(text: str) -> None:
            async with session.post(f"{url}/chat/completions", json=body(text)) as answer:
                whole = await answer.json()
            assert json.loads(whole["choices"][0]["message"]["content"])["echo"] == text

        await flood(call, texts)


async def by_default(url: str, texts: list[str]) -> None:
    """The SDK's client as it comes."""
    async with AsyncOpenAI(base_url=url, api_key="none") as client:

        async def call(text: str) -> None:
            whole = await client.chat.completions.create(
                model=MODEL,
                messages=[{"role": "user", "content": text}],
                max_tokens=256,
                temperature=0.0,
            )
            assert json.loads(whole.choices[0].message.content or "")["echo"] == text

        await flood(call, texts)


async def by_client(url: str, texts: list[str], folder: Path) -> None:
    """Everything on: limiter, cache, ledger with limits, and a schema."""
    endpoint = Endpoint.model_validate(
        {
            "base_url": url,
            "model": MODEL,
            "concurrency": AT_ONCE,
            "price": {
                "input_per_million": 1,
                "output_per_million": 2,
                "as_of": "2026-11-29",
                "source": "a benchmark",
            },
        }
    )
    prices = PriceList.model_validate({"as_of": "2026-11-29", "currency": "USD"})
    limits = SpendLimits(calls=10**9, tokens=10**12, cost=10**15)
    schema = Echo.model_json_schema()
    with CallStore(folder, "0001", limits) as store:
        async with ModelClient(store, prices) as client:

            async def call(text: str) -> None:
                message = ChatMessage(role="user", content=(text,))
                answer = await client.complete(
                    ChatRequest(messages=(message,), json_schema=schema, max_tokens=256),
                    endpoint=endpoint,
                    role="judge",
                    stage="grade",
                    record_id=text,
                )
                assert Echo.model_validate_json(answer.text).echo == text

            await flood(call, texts)


def main() -> None:
    """Run the benchmark."""
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    numbers = count()
    grown: list[int] = []

    def fresh(amount: int) -> list[str]:
        return [f"call {next(numbers)}" for _ in range(amount)]

    with tempfile.TemporaryDirectory() as name, server(DELAY_S) as url:
        folder = Path(name)

        def ours(amount: int) -> None:
            asyncio.run(by_client(url, fresh(amount), folder))
            grown.append(resident_bytes())

        for warm in (ours, lambda n: asyncio.run(by_aiohttp(url, fresh(n)))):
            warm(500)
        asyncio.run(by_default(url, fresh(100)))
        asked = {
            "raw aiohttp": CALLS,
            "with everything on": CALLS,
            "default AsyncOpenAI": CALLS_OF_DEFAULT,
        }
        times = alternate(
            {
                "raw aiohttp": lambda: asyncio.run(by_aiohttp(url, fresh(CALLS))),
                "with everything on": lambda: ours(CALLS),
                "default AsyncOpenAI": lambda: asyncio.run(
                    by_default(url, fresh(CALLS_OF_DEFAULT))
                ),
            },
            REPEATS,
        )
        peak = counted(url)["peak"]
    each = {side: 1000 * times[side].cpu / calls for side, calls in asked.items()}
    raw, ours_ms, default = each.values()
    finish(
        f"{CALLS} calls, {AT_ONCE} at once, of a server that answers after {DELAY_S * 1000:.0f} ms "
        f"({CALLS_OF_DEFAULT} for the default client)",
        ("side", "CPU ms per call", "calls per wall s"),
        [(side, ms, asked[side] / times[side].wall) for side, ms in each.items()],
        [
            figure("model_call_cpu_over_raw_aiohttp", ours_ms / raw, "<=", 20),
            figure("model_call_cpu_over_default_client", ours_ms / default, "<=", 0.4),
            figure("model_call_cpu_ms", ours_ms),
            figure("model_calls_memory_growth_mb", (grown[-1] - grown[1]) / 1e6, "<=", 20),
            figure("model_calls_peak_at_once", peak, ">=", 0.9 * AT_ONCE),
        ],
    )


if __name__ == "__main__":
    main()
