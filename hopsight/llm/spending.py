"""The way to a paid call: its worst case fits the limits and its place takes it, or it waits."""

import asyncio
from collections import defaultdict

from hopsight.budget import USD_UNITS, BudgetExceeded
from hopsight.errors import ConfigError
from hopsight.llm.cache import Withheld
from hopsight.llm.call_store import CallStore, Reserved
from hopsight.llm.chat import ChatAnswer
from hopsight.llm.ledger import Ask, Granted, Refused, Status, Wait
from hopsight.llm.prices import PriceList, ServiceKind

POLL_S = 0.1


class Spending:
    """Reservations of one event loop in a store of calls."""

    def __init__(self, store: CallStore, prices: PriceList) -> None:
        self.store = store
        self.prices = prices
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def charge(
        self, kind: ServiceKind, count: int, *, stage: str, role: str, record_id: str
    ) -> None:
        """Pay for `count` calls of a search, page or image-host service, before they are made.

        Raises BudgetExceeded, and ConfigError where money is limited and the price unknown.
        """
        if count < 1:
            raise ValueError(f"{count} calls")
        price = self.prices.of_service(kind)
        self.check_price(kind, known=price is not None)
        cost = None if price is None else price * count
        ask = Ask(
            *(self.store.scope, self.store.owner, stage, role, record_id, kind, "", 0, 0, cost),
            calls=count,
        )
        granted = await self.reserve(ask, None)
        assert isinstance(granted, Granted)
        await self.store.settle(granted.call, Status.PAID, cost=cost)

    def check_price(self, what: str, *, known: bool) -> None:
        """Raises ConfigError where money is limited and the price is unknown: never guess."""
        if not known and self.store.limits.cost is not None:
            raise ConfigError(
                f"money is limited and the price of {what} is unknown",
                "give its price in configs/models.yaml (price) or in the file of prices, or limit "
                "calls or tokens instead of money",
            )

    async def reserve(self, ask: Ask, key: str | None) -> Granted | ChatAnswer | Withheld:
        """Wait until the attempt may be sent; what was kept meanwhile is returned instead.

        A call that does not fit because of others that are still open waits for them: they seldom
        cost their worst case. Raises BudgetExceeded where nothing can make room.
        """
        outcome = await self._asked(ask, key)
        if not isinstance(outcome, Wait):
            return outcome
        async with self._turns[ask.place]:
            while isinstance(outcome, Wait):
                if outcome.room:
                    self.store.sweep()
                await asyncio.sleep(min(outcome.seconds, POLL_S))
                outcome = await self._asked(ask, key)
        return outcome

    async def _asked(self, ask: Ask, key: str | None) -> Granted | Wait | ChatAnswer | Withheld:
        outcome = await self.store.reserve(ask, key, self._give_back)
        if isinstance(outcome, Refused):
            raise _exceeded(outcome)
        return outcome

    def _give_back(self, outcome: Reserved) -> None:
        """A reservation whose asker was cancelled meanwhile: nothing was sent."""
        if isinstance(outcome, Granted):
            self.store.settle(outcome.call, Status.FREE, reason="cancelled")


def _exceeded(refused: Refused) -> BudgetExceeded:
    if refused.limit == "cost":
        wanted, spent, allowed = (
            f"${units / USD_UNITS:.6f}"
            for units in (refused.wanted, refused.spent, refused.allowed)
        )
        key = "max_usd"
    else:
        wanted, spent, allowed = (
            f"{amount} {refused.limit}"
            for amount in (refused.wanted, refused.spent, refused.allowed)
        )
        key = f"max_{refused.limit}"
    return BudgetExceeded(
        f"the next call may take {wanted}, and {spent} of {allowed} are spent",
        f"raise budget.{key}; what is done is kept and not done again",
    )
