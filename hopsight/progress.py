"""How far a stage is: a live line on a terminal, else a log line, and a file to look into."""

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from hopsight.errors import StoreError
from hopsight.store.files import write_atomic

log = logging.getLogger(__name__)

LOG_EVERY_S = 30.0
FILE_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class ProgressReport:
    """A stage at one moment. `owed` is None where the amount is not known beforehand.

    `done` counts what went in and was dealt with; `rejected` is the part of it that was rejected.
    `eta_s` is None before the first is done.
    """

    stage: str
    done: int
    owed: int | None
    rejected: int
    cost_usd: float
    seconds: float
    eta_s: float | None
    ended: bool

    def line(self) -> str:
        """The report as `key=value` text."""
        owed = "?" if self.owed is None else self.owed
        eta = "?" if self.eta_s is None else f"{self.eta_s:.0f}s"
        return (
            f"stage={self.stage} done={self.done} owed={owed} rejected={self.rejected} "
            f"cost_usd={self.cost_usd:.4f} elapsed={self.seconds:.0f}s eta={eta}"
        )


class Progress:
    """Counts of one stage, used as a context manager. Threads may share one.

    It never stops a run: where the file cannot be written, that is logged once.
    """

    def __init__(
        self,
        stage: str,
        owed: int | None = None,
        *,
        file: Path | None = None,
        console: Console | None = None,
        on_report: Callable[[ProgressReport], None] | None = None,
        log_every_s: float = LOG_EVERY_S,
    ) -> None:
        """`file` is a progress.json; `on_report` gets every logged report and the last one.

        `console` is where a live line is shown if it is a terminal (default: standard error).
        """
        self._stage = stage
        self._owed = owed
        self._file = file
        self._console = console or Console(stderr=True)
        self._on_report = on_report
        self._log_every_s = log_every_s
        self._done = 0
        self._rejected = 0
        self._cost = 0.0
        self._ended = False
        self._start = self._last_log = time.monotonic()
        self._last_file = float("-inf")
        self._mutex = threading.RLock()
        self._live: _LiveLine | None = None

    def __enter__(self) -> "Progress":
        self._start = self._last_log = time.monotonic()
        if self._console.is_terminal:
            self._live = _LiveLine(self._console, self._stage, self._owed)
        self._write_file(self.report())
        return self

    def __exit__(self, *exc: object) -> None:
        with self._mutex:
            self._ended = True
            report = self.report()
            if self._live is not None:
                self._live.show(report)
                self._live.stop()
                self._live = None
            self._write_file(report)
            self._tell(report)

    def advance(self, done: int = 1, *, rejected: int = 0, cost_usd: float = 0.0) -> None:
        """Add `done` inputs, of which `rejected` were rejected, and what they cost."""
        with self._mutex:
            self._done += done
            self._rejected += rejected
            self._cost += cost_usd
            self._show()

    def owe(self, owed: int) -> None:
        """Set how many inputs there are, once that is known."""
        with self._mutex:
            self._owed = owed

    def report(self) -> ProgressReport:
        """The counts now."""
        with self._mutex:
            seconds = time.monotonic() - self._start
            return ProgressReport(
                stage=self._stage,
                done=self._done,
                owed=self._owed,
                rejected=self._rejected,
                cost_usd=self._cost,
                seconds=round(seconds, 3),
                eta_s=_eta(self._done, self._owed, seconds),
                ended=self._ended,
            )

    def _show(self) -> None:
        now = time.monotonic()
        if self._live is not None:
            self._live.show(self.report())
        if now - self._last_file >= FILE_EVERY_S:
            self._write_file(self.report())
        if now - self._last_log >= self._log_every_s:
            self._tell(self.report())

    def _tell(self, report: ProgressReport) -> None:
        self._last_log = time.monotonic()
        # A terminal has the live line; the log would break it.
        level = logging.DEBUG if self._console.is_terminal else logging.INFO
        log.log(level, "event=progress %s", report.line())
        if self._on_report is not None:
            self._on_report(report)

    def _write_file(self, report: ProgressReport) -> None:
        if self._file is None:
            return
        self._last_file = time.monotonic()
        try:
            write_atomic(self._file, json.dumps(asdict(report)).encode(), sync=False)
        except StoreError as error:
            log.warning("event=progress_file_failed cause=%s", error)
            self._file = None


class _LiveLine:
    """One line of a terminal that follows a report."""

    def __init__(self, console: Console, stage: str, owed: int | None) -> None:
        self._bars = RichProgress(
            TextColumn("{task.description:<22}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("rejected {task.fields[rejected]}"),
            TextColumn("${task.fields[cost]:.4f}"),
            TimeRemainingColumn(),
            console=console,
        )
        self._task: TaskID = self._bars.add_task(stage, total=owed, rejected=0, cost=0.0)
        self._bars.start()

    def show(self, report: ProgressReport) -> None:
        total = report.done if report.ended else report.owed
        self._bars.update(
            self._task,
            completed=report.done,
            total=total,
            rejected=report.rejected,
            cost=report.cost_usd,
        )

    def stop(self) -> None:
        self._bars.stop()


def read_progress(file: Path) -> ProgressReport | None:
    """What another process last wrote to its progress.json; None where there is nothing sound."""
    try:
        return ProgressReport(**json.loads(file.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _eta(done: int, owed: int | None, seconds: float) -> float | None:
    if owed is None or done == 0:
        return None
    return round(max(owed - done, 0) * seconds / done, 3)
