"""The way of every call to a service: paid for, bounded, timed, tried again, and left alone when
it fails again and again.

What comes back is scrubbed of the keys before anything reads it, and errors are told anew, not
chained: a transport's error may hold the address of the request, and with it a key.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from hopsight.config.providers import ServiceLimits
from hopsight.llm.failures import HIDDEN, OUTAGES, Reason, shown
from hopsight.llm.limiter import Limiter
from hopsight.llm.prices import ServiceKind
from hopsight.llm.retry import LONGEST_ASKED_S, backoff
from hopsight.llm.spending import Spending
from hopsight.net import PAGES, BlockedAddress, BodyRefused, Fetched, Fetcher, FetchFailed
from hopsight.net.address import shown as shown_url
from hopsight.providers.breaker import Breaker
from hopsight.providers.failures import ServiceError
from hopsight.providers.keys import Secret
from hopsight.providers.tally import CALLS, outcome_of

log = logging.getLogger(__name__)

MAX_ANSWER_BYTES: Final = 16 << 20
TO_THREAD: Final = 1 << 18
"""Longer answers are read beside the event loop."""
USER_AGENT: Final = "hopsight"
PIECE: Final = 6
"""So many signs of a key in a row are as good as the key: texts get cut."""
T = TypeVar("T")

_OUTAGES: Final = OUTAGES | {Reason.NOT_JSON}


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays for calls: they are charged before they are made."""

    spending: Spending
    stage: str
    role: str
    record_id: str = ""

    async def pay(self, kind: ServiceKind) -> None:
        """Pay for one call. Raises BudgetExceeded."""
        await self.spending.charge(
            kind, 1, stage=self.stage, role=self.role, record_id=self.record_id
        )


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `paid` names what it is charged as; None is free.

    `site`: it goes to a page of the web, wherever that redirects to, and not to the service, so
    that a failure tells nothing about other calls. `operation` is what it counts under.
    """

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)
    paid: ServiceKind | None = None
    max_bytes: int = MAX_ANSWER_BYTES
    site: bool = False
    operation: str = "other"


class Service:
    """A service as all calls of one event loop share it. `seed` decides the jitter of waits."""

    def __init__(
        self,
        name: str,
        fetcher: Fetcher,
        limits: ServiceLimits,
        *,
        secrets: Sequence[Secret] = (),
        payer: Payer | None = None,
        seed: int = 0,
    ) -> None:
        self.name = name
        self.limits = limits
        self.limiter = Limiter(limits.concurrency)
        self.breaker = Breaker(limits.break_after, limits.rest_s)
        self.calls = 0
        self._fetcher = fetcher
        self._secrets = secrets
        self._payer = payer
        self._seed = seed
        self._not_before = 0.0

    async def ask(self, request: Request, read: Callable[[Fetched], T]) -> T:
        """What `read` makes of the answer; it raises ServiceError for one that is no good.

        Raises ServiceError after all attempts, or at once while the service is left alone,
        BudgetExceeded before a call that could pass a limit, and BlockedAddress for a page's.
        """
        try:
            answer = await self._asked(request, read)
        except ServiceError as error:
            outcome = "breaker_open" if error.left_alone else outcome_of(error.reason)
            CALLS.count(self.name, request.operation, outcome)
            raise
        CALLS.count(self.name, request.operation, "ok")
        return answer

    async def _asked(self, request: Request, read: Callable[[Fetched], T]) -> T:
        failed = None
        for attempt in range(self.limits.attempts):
            if failed is not None:
                await asyncio.sleep(self._wait(failed, attempt - 1, request))
            self._check_breaker(failed)
            if failed is not None:
                CALLS.count(self.name, request.operation, "retried")
            outcome = await self._attempt(request, read)
            if not isinstance(outcome, ServiceError):
                return outcome
            failed = outcome
            log.warning(
                "event=service_call_failed service=%s attempt=%d of=%d error=%s",
                *(self.name, attempt + 1, self.limits.attempts, failed),
            )
            if not failed.reason.retryable or (failed.retry_after or 0.0) > LONGEST_ASKED_S:
                break
        assert failed is not None
        raise failed

    def _check_breaker(self, failed: ServiceError | None) -> None:
        if self.breaker.wait_s() > 0:
            raise failed or ServiceError(
                self.name,
                Reason.OVERLOADED,
                f"left alone after {self.breaker.failures} failures in a row",
                remedy=f"see what its errors in the log say; it is tried again every "
                f"{self.limits.rest_s:g} s",
                left_alone=True,
            )

    async def _attempt(self, request: Request, read: Callable[[Fetched], T]) -> T | ServiceError:
        slot = await self.limiter.acquire()
        try:
            await self._pause()
            if self._payer is not None and request.paid is not None:
                await self._payer.pay(request.paid)
            outcome = await self._sent(request, read)
            if isinstance(outcome, ServiceError) and outcome.reason in _OUTAGES:
                if not (request.site or outcome.upstream):
                    self.limiter.choked(slot, crowded=outcome.reason.crowded)
                    self.breaker.failed()
            else:
                self.limiter.answered()
                self.breaker.answered()
        finally:
            self.limiter.release()
        if isinstance(outcome, ServiceError) and not request.site:
            asked = outcome.retry_after or 0.0
            if asked <= LONGEST_ASKED_S:
                self._not_before = max(self._not_before, time.monotonic() + asked)
        return outcome

    async def _sent(self, request: Request, read: Callable[[Fetched], T]) -> T | ServiceError:
        self.calls += 1
        try:
            async with asyncio.timeout(self.limits.timeout_s):
                fetched = await self._fetched(request)
            scrubbed = replace(fetched, body=self._scrubbed(fetched.body))
            if len(scrubbed.body) > TO_THREAD:
                return await asyncio.to_thread(read, scrubbed)
            return read(scrubbed)
        except ServiceError as error:
            return error
        except TimeoutError:
            reason, cause = Reason.TIMEOUT, f"no whole answer in {self.limits.timeout_s:g} s"
        except FetchFailed as error:
            reason, cause = Reason.UNREACHABLE, error.cause
        except BodyRefused as error:
            reason, cause = Reason.TOO_MANY_BYTES, error.cause
        except BlockedAddress as error:
            if request.site:
                raise
            reason, cause = Reason.BAD_REQUEST, error.cause
        return ServiceError(self.name, reason, self._safe(cause, request.url))

    async def _fetched(self, request: Request) -> Fetched:
        if request.site:
            return await self._fetcher.get(request.url, kinds=PAGES, max_bytes=request.max_bytes)
        return await self._fetcher.send(
            request.method,
            request.url,
            headers={"User-Agent": USER_AGENT, **request.headers},
            content=request.content or None,
            max_bytes=request.max_bytes,
        )

    def _safe(self, cause: str, url: str) -> str:
        """What a transport says, without the address asked, whose query may hold a key."""
        if self._secrets:
            cause = cause.replace(shown_url(url), self.name).replace(url, self.name)
        for form in self._forms():
            pieces = range(max(1, len(form) - PIECE + 1))
            if any(form[start : start + PIECE] in cause for start in pieces):
                return "the request failed; what was said of it holds a key"
        return shown(cause, None)

    def _wait(self, failed: ServiceError, attempt: int, request: Request) -> float:
        """Seconds before the next attempt; what a service asked for is waited in `_pause`."""
        if failed.retry_after is not None:
            return failed.retry_after if request.site else 0.0
        return backoff(attempt, str(self.calls), self._seed, self.limits.backoff_s)

    def _scrubbed(self, body: bytes) -> bytes:
        for form in self._forms():
            body = body.replace(form.encode(), HIDDEN.encode())
        return body

    def _forms(self) -> list[str]:
        return [form for secret in self._secrets for form in secret.forms]

    async def _pause(self) -> None:
        """Wait as long as the service asked all of us to."""
        while (left := self._not_before - time.monotonic()) > 0:
            await asyncio.sleep(left)
