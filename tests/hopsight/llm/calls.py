"""A client against the server on loopback."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass

from hopsight.config.models import Endpoint, TokenPrice
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import ChatAnswer, ChatMessage, ChatRequest
from hopsight.llm.client import ModelClient
from hopsight.llm.failures import ModelError
from hopsight.llm.prices import PriceList
from tests.llm_server import MODEL, LlmServer

KEY = "sk-live-4f9a77c1e2"
ENVIRON = {"ECHO_KEY": KEY}
PRICES = PriceList.model_validate({"as_of": "2026-11-01", "currency": "USD"})
PRICE = TokenPrice.model_validate(
    {"input_per_million": 3, "output_per_million": 15, "as_of": "2026-11-01", "source": "a test"}
)


def endpoint(server: LlmServer, **values) -> Endpoint:
    known = {
        "base_url": server.url,
        "model": MODEL,
        "key_env": "ECHO_KEY",
        "timeout_s": 2.0,
        "backoff_s": 0.01,
        "attempts": 4,
        "price": PRICE,
    }
    return Endpoint(**(known | values))


def asking(text: str, **values) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", content=(text,)),), **values)


@dataclass
class Place:
    """A server, a store and a client."""

    server: LlmServer
    store: CallStore
    client: ModelClient

    async def ask(self, what, sample=0, record="r1", **values) -> ChatAnswer:
        request = asking(what) if isinstance(what, str) else what
        return await self.client.complete(
            request,
            endpoint=endpoint(self.server, **values),
            role="judge",
            stage="grade",
            record_id=record,
            sample=sample,
        )

    async def embed(self, *texts, **values):
        return await self.client.embed(
            texts,
            endpoint=endpoint(self.server, **values),
            role="embedder",
            stage="index",
            record_id="r1",
        )

    async def outcome(self, what, **values) -> ChatAnswer | ModelError:
        try:
            return await self.ask(what, **values)
        except ModelError as error:
            return error


@asynccontextmanager
async def place(folder, *, limits=None, scope="0001", prices=PRICES, **server):
    async with LlmServer(**server).running() as running:
        with CallStore(folder / "calls", scope, limits, window_s=0.001) as store:
            async with ModelClient(store, prices, environ=ENVIRON) as client:
                yield Place(running, store, client)


def run(main):
    """Run a coroutine function in an event loop of its own."""
    return asyncio.run(main())
