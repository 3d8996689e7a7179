"""Calls of models: cached, within the budget, at a rate the server takes, tried again, checked."""

import asyncio
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self, get_args

from hopsight.config.models import Capability, Endpoint, TokenPrice
from hopsight.llm.cache import cache_key
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import ChatAnswer, ChatRequest
from hopsight.llm.endpoint import Connection
from hopsight.llm.failures import ModelError, Reason
from hopsight.llm.ledger import Ask, Status
from hopsight.llm.limiter import Limiter
from hopsight.llm.prices import PriceList, cost, worst_cost
from hopsight.llm.received import Received
from hopsight.llm.retry import LONGEST_ASKED_S, backoff
from hopsight.llm.spending import Spending
from hopsight.llm.tokens import prompt_bound
from hopsight.llm.wire import check_capabilities, request_body

log = logging.getLogger(__name__)

_CHOKES = frozenset(
    {
        Reason.RATE_LIMITED,
        Reason.OVERLOADED,
        Reason.SERVER_ERROR,
        Reason.TIMEOUT,
        Reason.UNREACHABLE,
        Reason.DISCONNECTED,
    }
)


@dataclass(frozen=True, slots=True)
class _Lane:
    """What all calls of one endpoint share."""

    endpoint: Endpoint
    connection: Connection
    limiter: Limiter
    price: TokenPrice | None


@dataclass(frozen=True, slots=True)
class _Call:
    """One call, whatever the number of its attempts. `key` decides the jitter of its waits."""

    request: ChatRequest
    body: bytes
    role: str
    stage: str
    record: str
    sample: int
    key: str
    cached: bool
    tokens: int


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
        self._seed = seed
        self._environ = environ
        self._lanes: dict[int, _Lane] = {}
        self._flights: dict[str, asyncio.Event] = {}

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
        lanes = {id(lane): lane for lane in self._lanes.values()}
        self._lanes.clear()
        for lane in lanes.values():
            await lane.connection.close()

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
        attempts, BudgetExceeded before a call that could pass a limit, and ConfigError for a
        request that the endpoint does not take, a missing key, or an unknown price.
        """
        check_capabilities(request, endpoint)
        key = cache_key(request, endpoint, sample)
        while True:
            found = self.store.find(key)
            if found is not None:
                self.hits += 1
                return found
            flight = self._flights.get(key)
            if flight is None:
                break
            await flight.wait()
        self._flights[key] = asyncio.Event()
        try:
            body = request_body(request, endpoint, sample)
            tokens = prompt_bound(request, endpoint, len(body)) + request.max_tokens
            call = _Call(request, body, role, stage, record_id, sample, key, True, tokens)  # noqa: FBT003
            return await self._called(call, self._lane(endpoint))
        finally:
            self._flights.pop(key).set()

    async def probe(self, request: ChatRequest, *, endpoint: Endpoint, role: str) -> ChatAnswer:
        """One call past the cache, whatever the endpoint declares: to see what it can do.

        It is paid like any other. Raises as `complete` does, at the first failure.
        """
        able = get_args(Capability)
        tried = endpoint.model_copy(update={"capabilities": able, "attempts": 1})
        body = request_body(request, tried, 0)
        tokens = prompt_bound(request, tried, len(body)) + request.max_tokens
        call = _Call(request, body, role, "probe", "", 0, "", False, tokens)  # noqa: FBT003
        return await self._called(call, self._lane(tried))

    async def _called(self, call: _Call, lane: _Lane) -> ChatAnswer:
        attempts = lane.endpoint.attempts
        attempt = 0
        while True:
            outcome = await self._attempt(call, lane, attempt)
            if isinstance(outcome, ChatAnswer):
                return outcome
            log.warning(
                "event=call_failed place=%s role=%s record=%s attempt=%d of=%d error=%s",
                *(lane.endpoint.address, call.role, call.record, attempt + 1, attempts, outcome),
            )
            attempt += 1
            asked = outcome.retry_after or 0.0
            gone = not outcome.reason.retryable or asked > LONGEST_ASKED_S
            if gone or attempt >= attempts:
                raise outcome
            if outcome.retry_after is None:
                wait = backoff(attempt - 1, call.key, self._seed, lane.endpoint.backoff_s)
                await asyncio.sleep(wait)

    async def _attempt(self, call: _Call, lane: _Lane, attempt: int) -> ChatAnswer | ModelError:
        slot = await lane.limiter.acquire()
        try:
            ask = self._ask(call, lane, attempt)
            granted = await self.spending.reserve(ask, call.key if call.cached else None)
            if isinstance(granted, ChatAnswer):
                return granted
            received = await self._sent(granted.call, call, lane)
            if received.error is not None and received.error.reason in _CHOKES:
                lane.limiter.choked(slot, crowded=received.error.reason.crowded)
            else:
                lane.limiter.answered()
        finally:
            lane.limiter.release()
        return await self._settled(granted.call, received, call, lane)

    async def _sent(self, number: int, call: _Call, lane: _Lane) -> Received:
        try:
            return await lane.connection.send(call.body, call.request)
        except BaseException:
            # Cancelled, or worse: it may be paid, so it counts with its worst case.
            self.store.settle(number, Status.ASSUMED, reason="cancelled")
            raise

    async def _settled(
        self, number: int, received: Received, call: _Call, lane: _Lane
    ) -> ChatAnswer | ModelError:
        used, error, answer = received.used, received.error, received.answer
        counted = used.prompt is not None and used.completion is not None
        price = None if lane.price is None else cost(lane.price, used)
        status = Status.PAID if counted else Status.ASSUMED
        if (used.prompt or 0) + (used.completion or 0) > call.tokens:
            log.warning(
                "event=worst_case_passed place=%s used=%s reserved=%d",
                *(lane.endpoint.address, used, call.tokens),
            )
        if answer is None:
            assert error is not None
            if error.retry_after is not None and error.retry_after <= LONGEST_ASKED_S:
                self.store.pause(lane.endpoint.address, error.retry_after)
            status = status if error.billed else Status.FREE
            await self.store.settle(number, status, used, price, error.reason)
            return error
        if not call.cached:
            await self.store.settle(number, status, used, price)
            return answer
        return await self.store.keep(number, status, price, answer, call.key, call.sample)

    def _ask(self, call: _Call, lane: _Lane, attempt: int) -> Ask:
        completion = call.request.max_tokens
        price = lane.price
        worst = None if price is None else worst_cost(price, call.tokens - completion, completion)
        return Ask(
            scope=self.store.scope,
            owner=self.store.owner,
            stage=call.stage,
            role=call.role,
            record=call.record,
            place=lane.endpoint.address,
            key=call.key,
            attempt=attempt,
            tokens=call.tokens,
            cost=worst,
            requests_per_minute=lane.endpoint.requests_per_minute,
            tokens_per_minute=lane.endpoint.tokens_per_minute,
        )

    def _lane(self, endpoint: Endpoint) -> _Lane:
        """The lane of an endpoint; equal endpoints share one."""
        lane = self._lanes.get(id(endpoint))
        if lane is not None and lane.endpoint is endpoint:
            return lane
        lane = next((each for each in self._lanes.values() if each.endpoint == endpoint), None)
        if lane is None:
            price = self.spending.prices.of(endpoint)
            self.spending.check_price(endpoint.address, known=price is not None)
            connection = Connection(endpoint, self._environ)
            lane = _Lane(endpoint, connection, Limiter(endpoint.concurrency), price)
            self._lanes[id(endpoint)] = lane
        return lane
