"""A limit on calls and money that is checked before the spending, never after."""

import math
import threading

from hopsight.errors import HopsightError

USD_UNITS = 1_000_000_000
"""Money is counted in billionths of a dollar: sums of floats would drift across the limit."""


class BudgetExceeded(HopsightError):  # noqa: N818 -- it is the plain name of what happened
    """The next call would pass the budget; nothing was spent on it."""


class Budget:
    """Calls and US dollars still to spend; None is no limit. Threads may share one."""

    def __init__(self, max_calls: int | None = None, max_usd: float | None = None) -> None:
        self._max_calls = None if max_calls is None else _checked_calls(max_calls)
        self._max_units = None if max_usd is None else _units(max_usd)
        self._calls = 0
        self._spent = 0
        self._mutex = threading.Lock()

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self._max_calls is not None or self._max_units is not None

    @property
    def calls(self) -> int:
        """Calls reserved so far."""
        return self._calls

    @property
    def usd(self) -> float:
        """US dollars reserved so far."""
        return self._spent / USD_UNITS

    def reserve(self, calls: int = 1, usd: float = 0.0) -> None:
        """Take `calls` and at most `usd` before a call. Raises BudgetExceeded; takes nothing then.

        `usd` is an upper bound: `refund` gives back what a call did not cost.
        """
        more_calls, more = _checked_calls(calls), _units(usd)
        with self._mutex:
            self._check(more_calls, more)
            self._calls += more_calls
            self._spent += more

    def refund(self, calls: int = 0, usd: float = 0.0) -> None:
        """Give back what was reserved and not spent. Raises ValueError if it is more than that."""
        less_calls, less = _checked_calls(calls), _units(usd)
        with self._mutex:
            if less_calls > self._calls or less > self._spent:
                raise ValueError("more is given back than was reserved")
            self._calls -= less_calls
            self._spent -= less

    def _check(self, more_calls: int, more: int) -> None:
        if self._max_calls is not None and self._calls + more_calls > self._max_calls:
            raise BudgetExceeded(
                f"{_counted(more_calls)} wanted, and {self._calls} of "
                f"{_counted(self._max_calls)} are reserved or made",
                "raise budget.max_calls; what is done is kept and not done again",
            )
        if self._max_units is not None and self._spent + more > self._max_units:
            raise BudgetExceeded(
                f"the next call may cost ${more / USD_UNITS:.4f}, and ${self.usd:.4f} of "
                f"${self._max_units / USD_UNITS:.4f} are spent",
                "raise budget.max_usd; what is done is kept and not done again",
            )


def _counted(calls: int) -> str:
    return "1 call" if calls == 1 else f"{calls} calls"


def _checked_calls(calls: int) -> int:
    if calls < 0:
        raise ValueError(f"{calls} calls")
    return calls


def _units(usd: float) -> int:
    if not math.isfinite(usd) or usd < 0:
        raise ValueError(f"{usd} dollars")
    return round(usd * USD_UNITS)
