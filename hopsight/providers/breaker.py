"""A circuit breaker: a service that fails again and again is left alone for a while."""

from collections.abc import Callable
from time import monotonic


class Breaker:
    """Opens after `most` failures in a row and lets one call through each `rest_s` seconds."""

    def __init__(self, most: int, rest_s: float, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.rest_s = rest_s
        self.failures = 0
        self._clock = clock
        self._closed_at = 0.0

    def wait_s(self) -> float:
        """Seconds until a call may go out; 0 now. The call that it lets through is the probe."""
        if self.failures < self.most:
            return 0.0
        left = self._closed_at - self._clock()
        if left > 0:
            return left
        self._closed_at = self._clock() + self.rest_s
        return 0.0

    def answered(self) -> None:
        """The service answered, be it with a refusal: it is there."""
        self.failures = 0

    def failed(self) -> None:
        """A call failed at the service."""
        self.failures += 1
        if self.failures >= self.most:
            self._closed_at = self._clock() + self.rest_s
