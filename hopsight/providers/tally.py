"""What became of the calls of services, counted by service, operation and outcome.

The names are fixed, so that the counts are one small array, which several processes may share.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from hopsight.llm.failures import Reason

SERVICES: Final = (
    *("serper", "serpapi", "jina", "plain reader", "github", "s3", "image host"),
    *("layout parsing", "embedder", "other"),
)
OPERATIONS: Final = (
    *("search", "images", "scholar", "lens", "page", "upload", "delete", "layout", "embed"),
    "other",
)
OUTCOMES: Final = (
    *("ok", "retried", "rate_limited", "timed_out", "refused", "breaker_open", "failed"),
)
"""`retried` counts attempts that were made again; each call ends in one of the others."""
SHAPE: Final = (len(SERVICES), len(OPERATIONS), len(OUTCOMES))
SIZE: Final = SHAPE[0] * SHAPE[1] * SHAPE[2]

Counts = npt.NDArray[np.float64]

_OF_REASON: Final[Mapping[Reason, str]] = {
    Reason.RATE_LIMITED: "rate_limited",
    Reason.TIMEOUT: "timed_out",
    **dict.fromkeys(
        (
            *(Reason.QUOTA_EXHAUSTED, Reason.UNAUTHORISED, Reason.NOT_FOUND, Reason.TOO_LARGE),
            *(Reason.BAD_REQUEST, Reason.REDIRECTED, Reason.CONTENT_FILTER),
        ),
        "refused",
    ),
}


class Tally:
    """Counts of this process. They may be moved into memory that it shares with others."""

    def __init__(self) -> None:
        self.counts: Counts = np.zeros(SHAPE)

    def count(self, service: str, operation: str, outcome: str) -> None:
        """Count one. A service or an operation without a place of its own is `other`."""
        row = SERVICES.index(service if service in SERVICES else "other")
        column = OPERATIONS.index(operation if operation in OPERATIONS else "other")
        self.counts[row, column, OUTCOMES.index(outcome)] += 1

    def move(self, counts: Counts) -> None:
        """Add what was counted so far to `counts`, and count there from now on."""
        counts += self.counts
        self.counts = counts

    def leave(self) -> None:
        """Count from zero in memory of its own."""
        self.counts = np.zeros(SHAPE)


CALLS: Final = Tally()
"""Of every service that this process calls."""


def outcome_of(reason: Reason) -> str:
    """The outcome that a failed call counts under."""
    return _OF_REASON.get(reason, "failed")


def lines(counts: Counts) -> list[str]:
    """The counts in the text format of Prometheus, of each operation that was ever called."""
    told = ["# TYPE hopsight_provider_calls_total counter"]
    for service, rows in zip(SERVICES, counts, strict=True):
        for operation, row in zip(OPERATIONS, rows, strict=True):
            if row.any():
                labels = f'provider="{service}",operation="{operation}"'
                told += [
                    f'hopsight_provider_calls_total{{{labels},outcome="{outcome}"}} {count:.0f}'
                    for outcome, count in zip(OUTCOMES, row, strict=True)
                ]
    return told
