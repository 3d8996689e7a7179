"""One paid call, whatever it asks for: within the budget, at a rate the server takes, tried again.

What a call asks for and how its answer is read and kept is its own affair: see `Call`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from hopsight.config.models import Endpoint, TokenPrice
from hopsight.llm.cache import Withheld
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import TokenUse
from hopsight.llm.failures import OUTAGES, ModelError, Reason
from hopsight.llm.ledger import Ask, Granted, Status
from hopsight.llm.limiter import Limiter
from hopsight.llm.prices import cost, worst_cost
from hopsight.llm.received import Received
from hopsight.llm.retry import LONGEST_ASKED_S, backoff
from hopsight.llm.spending import Spending

if TYPE_CHECKING:
    from hopsight.llm.endpoint import Connection

log = logging.getLogger(__name__)

A = TypeVar("A")

Keep = Callable[[int, Status, TokenUse, int | None, A], Awaitable[A]]
"""Settles an attempt (its number, status, tokens, cost) and keeps its answer: the one that stands,
which another process may have kept first."""


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    """One call, whatever the number of its attempts.

    `read` makes an answer of a body with status 200, given the key that must not stay in it.
    `prompt` and `completion` bound its tokens. `key` decides the jitter of its waits; under
    `kept_as` an answer may already be kept, and a withheld one is kept (None: nothing is).
    """

    path: str
    body: bytes
    read: Callable[[bytes, str | None], Received[A]]
    keep: Keep[A] | None
    prompt: int
    completion: int
    role: str
    stage: str
    record: str
    key: str
    kept_as: str | None
    sample: int = 0

    @property
    def tokens(self) -> int:
        """What it takes at most."""
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class _Lane:
    """What all calls of one endpoint share."""

    endpoint: Endpoint
    connection: "Connection"
    limiter: Limiter
    price: TokenPrice | None


class Caller:
    """Makes calls within one event loop; `seed` decides the jitter of waits alone."""

    def __init__(
        self, store: CallStore, spending: Spending, seed: int, environ: Mapping[str, str]
    ) -> None:
        self._store = store
        self._spending = spending
        self._seed = seed
        self._environ = environ
        self._lanes: dict[int, _Lane] = {}

    async def close(self) -> None:
        """Close all connections."""
        lanes = {id(lane): lane for lane in self._lanes.values()}
        self._lanes.clear()
        for lane in lanes.values():
            await lane.connection.close()

    async def make(self, call: Call[A], endpoint: Endpoint) -> A:
        """The answer. Raises ModelError, BudgetExceeded and ConfigError as the client does."""
        lane = self._lane(endpoint)
        attempts = endpoint.attempts
        attempt = 0
        while True:
            outcome = await self._attempt(call, lane, attempt)
            if not isinstance(outcome, ModelError):
                return outcome
            log.warning(
                "event=call_failed place=%s role=%s record=%s attempt=%d of=%d error=%s",
                *(endpoint.address, call.role, call.record, attempt + 1, attempts, outcome),
            )
            attempt += 1
            asked = outcome.retry_after or 0.0
            gone = not outcome.reason.retryable or asked > LONGEST_ASKED_S
            if gone or attempt >= attempts:
                raise outcome
            if outcome.retry_after is None:
                wait = backoff(attempt - 1, call.key, self._seed, endpoint.backoff_s)
                await asyncio.sleep(wait)

    async def _attempt(self, call: Call[A], lane: _Lane, attempt: int) -> A | ModelError:
        slot = await lane.limiter.acquire()
        try:
            ask = _ask(self._store, call, lane, attempt)
            granted = await self._spending.reserve(ask, call.kept_as)
            if isinstance(granted, Withheld):
                return granted.error
            if not isinstance(granted, Granted):
                return cast(A, granted)  # only calls of chats are kept as anything
            received = await self._sent(granted.call, call, lane)
            if received.error is not None and received.error.reason in OUTAGES:
                lane.limiter.choked(slot, crowded=received.error.reason.crowded)
            else:
                lane.limiter.answered()
        finally:
            lane.limiter.release()
        return await self._settled(granted.call, received, call, lane)

    async def _sent(self, number: int, call: Call[A], lane: _Lane) -> Received[A]:
        try:
            return await lane.connection.send(call.path, call.body, call.read)
        except BaseException:
            # Cancelled, or worse: it may be paid, so it counts with its worst case.
            self._store.settle(number, Status.ASSUMED, reason="cancelled")
            raise

    async def _settled(
        self, number: int, received: Received[A], call: Call[A], lane: _Lane
    ) -> A | ModelError:
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
                self._store.pause(lane.endpoint.address, error.retry_after)
            status = status if error.billed else Status.FREE
            if error.reason is Reason.CONTENT_FILTER and call.kept_as is not None:
                kept = (call.kept_as, lane.endpoint.model, call.sample, error.detail)
                await self._store.withhold(number, status, used, price, kept)
            else:
                await self._store.settle(number, status, used, price, error.reason)
            return error
        if call.keep is None:
            await self._store.settle(number, status, used, price)
            return answer
        return await call.keep(number, status, used, price, answer)

    def _lane(self, endpoint: Endpoint) -> _Lane:
        """The lane of an endpoint; equal endpoints share one."""
        lane = self._lanes.get(id(endpoint))
        if lane is not None and lane.endpoint is endpoint:
            return lane
        lane = next((each for each in self._lanes.values() if each.endpoint == endpoint), None)
        if lane is None:
            # Here, not above: openai takes a second to import, and rules need no endpoint.
            from hopsight.llm.endpoint import Connection

            price = self._spending.prices.of(endpoint)
            self._spending.check_price(endpoint.address, known=price is not None)
            connection = Connection(endpoint, self._environ)
            lane = _Lane(endpoint, connection, Limiter(endpoint.concurrency), price)
            self._lanes[id(endpoint)] = lane
        return lane


def _ask(store: CallStore, call: Call[A], lane: _Lane, attempt: int) -> Ask:
    price = lane.price
    return Ask(
        scope=store.scope,
        owner=store.owner,
        stage=call.stage,
        role=call.role,
        record=call.record,
        place=lane.endpoint.address,
        key=call.key,
        attempt=attempt,
        tokens=call.tokens,
        cost=None if price is None else worst_cost(price, call.prompt, call.completion),
        requests_per_minute=lane.endpoint.requests_per_minute,
        tokens_per_minute=lane.endpoint.tokens_per_minute,
    )
