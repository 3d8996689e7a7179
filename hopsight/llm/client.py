"""Calls of models: cached, within the budget, at a rate the server takes, tried again, checked."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self, get_args

from hopsight.config.models import Capability, Endpoint
from hopsight.llm.cache import Withheld, cache_key
from hopsight.llm.call_store import CallStore
from hopsight.llm.calling import Call, Caller
from hopsight.llm.chat import ChatAnswer, ChatRequest, TokenUse
from hopsight.llm.embedding import Vector, batches, embedding_body, vector_key, vectors
from hopsight.llm.ledger import Status
from hopsight.llm.prices import PriceList
from hopsight.llm.received import received
from hopsight.llm.spending import Spending
from hopsight.llm.tokens import prompt_bound, text_bound
from hopsight.llm.wire import check_capabilities, request_body
from hopsight.types import content_hash
from hopsight.waiting import Flights

CHAT, EMBEDDINGS = "/chat/completions", "/embeddings"


class ModelClient:
    """Calls of models within one event loop; `seed` decides the jitter of waits alone.

    Use it as an async context manager, or close it. The store stays open.
    """

    def __init__(
        self,
        store: CallStore,
        prices: PriceList,
        *,
        seed: int = 0,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.store = store
        self.spending = Spending(store, prices)
        self.hits = 0
        self._caller = Caller(store, self.spending, seed, environ)
        self._flights = Flights()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._caller.close()

    async def complete(
        self,
        request: ChatRequest,
        *,
        endpoint: Endpoint,
        role: str,
        stage: str,
        record_id: str,
        sample: int = 0,
    ) -> ChatAnswer:
        """A whole answer, from the cache or paid for; it is on disk before it is returned.

        Raises ModelError (a ProviderError with a reason) where the endpoint gave none after all
        attempts, or where its filter withheld the answer to this request before; BudgetExceeded
        before a call that could pass a limit; and ConfigError for a request that the endpoint
        does not take, a missing key, or an unknown price.
        """
        check_capabilities(request, endpoint)
        key = cache_key(request, endpoint, sample)

        async def paid() -> ChatAnswer:
            call = self._chat(request, endpoint, (role, stage, record_id), key, sample)
            return await self._caller.make(call, endpoint)

        return await self._flights.once(key, lambda: self._kept(key), paid)

    def _kept(self, key: str) -> ChatAnswer | None:
        found = self.store.find(key)
        if isinstance(found, Withheld):
            raise found.error
        self.hits += found is not None
        return found

    async def probe(self, request: ChatRequest, *, endpoint: Endpoint, role: str) -> ChatAnswer:
        """One call past the cache, whatever the endpoint declares: to see what it can do.

        It is paid like any other. Raises as `complete` does, at the first failure.
        """
        able = get_args(Capability)
        tried = endpoint.model_copy(update={"capabilities": able, "attempts": 1})
        return await self._caller.make(self._chat(request, tried, (role, "probe", "")), tried)

    async def probe_embedding(self, text: str, *, endpoint: Endpoint, role: str) -> Vector:
        """One vector past the cache, likewise."""
        tried = endpoint.model_copy(update={"attempts": 1})
        call = self._embedding({"": text}, tried, (role, "probe", ""))
        (vector,) = await self._caller.make(replace(call, keep=None), tried)
        return vector

    async def embed(
        self, texts: Sequence[str], *, endpoint: Endpoint, role: str, stage: str, record_id: str
    ) -> list[Vector]:
        """A vector for each text, from the cache or paid for, as the endpoint gives them.

        Texts that are not kept yet are asked for together, equal ones once. Raises as `complete`
        does; what was had before the error is kept.
        """
        keys = [vector_key(text, endpoint) for text in texts]
        found = self.store.find_vectors(keys)
        self.hits += len(found)
        wanted = dict(zip(keys, texts, strict=True))
        for batch in batches({key: text for key, text in wanted.items() if key not in found}):
            call = self._embedding(batch, endpoint, (role, stage, record_id))
            made = await self._caller.make(call, endpoint)
            found |= dict(zip(batch, made, strict=True))
        return [found[key] for key in keys]

    def _chat(
        self,
        request: ChatRequest,
        endpoint: Endpoint,
        about: tuple[str, str, str],
        key: str | None = None,
        sample: int = 0,
    ) -> Call[ChatAnswer]:
        """A call of the chat protocol; without a `key` nothing of it is kept."""

        def keep(
            number: int, status: Status, _: TokenUse, cost: int | None, answer: ChatAnswer
        ) -> "asyncio.Future[ChatAnswer]":
            return self.store.keep(number, status, cost, answer, key or "", sample)

        body = request_body(request, endpoint, sample)
        return Call(
            CHAT,
            body,
            partial(received, request, endpoint),
            None if key is None else keep,
            prompt_bound(request, endpoint, len(body)),
            request.max_tokens,
            *about,
            key=key or "",
            kept_as=key,
            sample=sample,
        )

    def _embedding(
        self, batch: Mapping[str, str], endpoint: Endpoint, about: tuple[str, str, str]
    ) -> Call[list[Vector]]:
        """A call for the vectors of texts by key."""
        texts = list(batch.values())
        return Call(
            EMBEDDINGS,
            embedding_body(texts, endpoint),
            partial(vectors, len(texts), endpoint),
            partial(self.store.keep_vectors, tuple(batch), endpoint.model),
            text_bound(texts),
            0,
            *about,
            key=content_hash(list(batch)),
            kept_as=None,
        )
