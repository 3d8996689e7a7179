"""How many calls go to an endpoint at once: more while it answers, half as many when it chokes."""

import asyncio
from collections import deque
from dataclasses import dataclass

START = 8


@dataclass(slots=True)
class Slot:
    """The right to send one call. `cuts` is how often the limit had been cut when it was given."""

    cuts: int


class Limiter:
    """Additive increase, multiplicative decrease, for the calls of one event loop.

    The limit doubles with each round of answers until the server first says that it gets too
    much; from then on it grows by one per round. Calls that were sent before a cut do not cut
    again: they tell of the same moment.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(min(START, most))
        self.in_flight = 0
        self.peak = 0
        self._cuts = 0
        self._crowded = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def acquire(self) -> Slot:
        """Wait for a turn, first come first served. Release it once the call has ended."""
        if self._waiting or self.in_flight >= int(self.limit):
            await self._turn()
        else:
            self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        return Slot(self._cuts)

    def release(self) -> None:
        """Give a turn back."""
        self.in_flight -= 1
        self._wake()

    def answered(self) -> None:
        """A call was answered: allow a little more."""
        self.limit = min(float(self.most), self.limit + (1 / self.limit if self._crowded else 1))
        self._wake()

    def choked(self, slot: Slot, *, crowded: bool) -> None:
        """A call failed at the server: halve. `crowded` where it said that it gets too much.

        After an outage of another kind nothing is known about the right limit, so it doubles again.
        """
        if slot.cuts < self._cuts:
            return
        self._cuts += 1
        self._crowded = crowded
        self.limit = max(1.0, self.limit / 2)

    async def _turn(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.release()
            raise

    def _wake(self) -> None:
        while self._waiting and self.in_flight < int(self.limit):
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
