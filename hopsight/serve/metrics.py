"""Counts of all workers of a server, in one file that each of them maps.

Each worker writes a row of its own, held by a lock on one byte of the file: a worker that is
started again takes over a free row and counts on, so that no count ever falls.
"""

import fcntl
import os
from bisect import bisect_left
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from hopsight.providers import tally

ROUTES: Final = (
    "/retrieve",
    "/web_search",
    "/scholar_search",
    "/image_search",
    "/visual_search",
    "/visit",
    "/image",
    "/fetch_image",
    "/lens",
    "/self_test",
    "/mcp",
    "other",
)
BUCKETS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
STATUSES: Final = ("2xx", "4xx", "5xx")
_SECONDS: Final = len(BUCKETS_S) + 1
_FIRST_STATUS: Final = _SECONDS + 1
WIDTH: Final = _FIRST_STATUS + len(STATUSES)
"""Of each route: requests by bucket (the last has no bound), seconds, requests by status."""
_ROUTES_SIZE: Final = len(ROUTES) * WIDTH
_ROW: Final = _ROUTES_SIZE + tally.SIZE
"""Of each worker: its routes, then its calls of services."""


class Metrics:
    """Requests and their seconds by route, and calls of services by what became of them.

    Without a file the counts are this process's alone.
    """

    def __init__(self, path: Path | None = None, workers: int = 1) -> None:
        self._lock = -1
        shape = (workers, _ROW)
        if path is None:
            self._all: npt.NDArray[np.float64] = np.zeros(shape)
            self._take(self._all[0])
            return
        self._lock = os.open(path, os.O_RDWR)
        self._all = np.memmap(path, np.float64, "r+", shape=shape)
        self._take(self._all[_free_row(self._lock, workers)])

    def _take(self, row: npt.NDArray[np.float64]) -> None:
        self._own = row[:_ROUTES_SIZE].reshape(len(ROUTES), WIDTH)
        tally.CALLS.move(row[_ROUTES_SIZE:].reshape(tally.SHAPE))

    @staticmethod
    def create(path: Path, workers: int) -> None:
        """Write the file with all counts at zero."""
        path.write_bytes(bytes(8 * workers * _ROW))

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        row = self._own[ROUTES.index(route)]
        row[bisect_left(BUCKETS_S, seconds)] += 1
        row[_SECONDS] += seconds
        row[_FIRST_STATUS + (0 if status < 400 else 1 if status < 500 else 2)] += 1

    def text(self) -> str:
        """All workers' counts in the text format of Prometheus."""
        lines = ["# TYPE hopsight_requests_total counter"]
        whole = self._all.sum(axis=0)
        total = whole[:_ROUTES_SIZE].reshape(len(ROUTES), WIDTH)
        for route, row in zip(ROUTES, total, strict=True):
            lines += [
                f'hopsight_requests_total{{route="{route}",status="{status}"}} {count:.0f}'
                for status, count in zip(STATUSES, row[_FIRST_STATUS:], strict=True)
            ]
        lines.append("# TYPE hopsight_request_seconds histogram")
        for route, row in zip(ROUTES, total, strict=True):
            name = "hopsight_request_seconds"
            sums = np.cumsum(row[: len(BUCKETS_S) + 1])
            lines += [
                f'{name}_bucket{{route="{route}",le="{bound}"}} {count:.0f}'
                for bound, count in zip((*BUCKETS_S, "+Inf"), sums, strict=True)
            ]
            lines.append(f'{name}_sum{{route="{route}"}} {row[_SECONDS]:.6f}')
            lines.append(f'{name}_count{{route="{route}"}} {sums[-1]:.0f}')
        lines += tally.lines(whole[_ROUTES_SIZE:].reshape(tally.SHAPE))
        return "\n".join(lines) + "\n"

    def close(self) -> None:
        """Let another worker have the row."""
        tally.CALLS.leave()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def route_of(path: str) -> str:
    """The route that a path counts under."""
    first = "/" + path.strip("/").partition("/")[0]
    return first if first in ROUTES else "other"


def _free_row(file: int, workers: int) -> int:
    for row in range(workers):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, row)
        except OSError:
            continue
        return row
    # More processes than rows, as while one is replaced: two share the last row for a moment.
    return workers - 1
