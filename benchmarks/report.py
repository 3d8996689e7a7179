"""Measuring two sides fairly, and telling the figures as a table and one line of JSON."""

import gc
import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table

REPEATS = 5

Bound = Literal["<=", ">="]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. `goal` is a bound such as ">= 2000"; both are None without one."""

    name: str
    value: float
    goal: str | None = None
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of every repeat of one side, CPU (all threads of this process) and wall."""

    cpu_each: tuple[float, ...]
    wall_each: tuple[float, ...]

    @property
    def cpu(self) -> float:
        """Median CPU seconds."""
        return statistics.median(self.cpu_each)

    @property
    def wall(self) -> float:
        """Median wall seconds."""
        return statistics.median(self.wall_each)


def figure(name: str, value: float, bound: Bound | None = None, goal: float = 0.0) -> Figure:
    """A figure, held against a goal where `bound` is given."""
    if bound is None:
        return Figure(name, value)
    met = value <= goal if bound == "<=" else value >= goal
    return Figure(name, value, f"{bound} {goal:g}", met)


def alternate(
    sides: Mapping[str, Callable[[], object]], repeats: int = REPEATS
) -> dict[str, Times]:
    """Run the sides in turn, `repeats` times each, so that a busy machine slows both alike."""
    cpu: dict[str, list[float]] = {name: [] for name in sides}
    wall: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(repeats):
        for name, side in sides.items():
            gc.collect()
            cpu_start, wall_start = time.process_time(), time.perf_counter()
            result = side()
            cpu[name].append(time.process_time() - cpu_start)
            wall[name].append(time.perf_counter() - wall_start)
            del result  # freed outside of the clock, and before the other side needs the memory
    return {name: Times(tuple(cpu[name]), tuple(wall[name])) for name in sides}


def in_child(function: Callable[[], float]) -> float:
    """What a top-level function returns in a fresh process: for sizes of memory."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function)


def resident_bytes() -> int:
    """Memory of this process that lies in RAM and in no file."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in text.splitlines())
    return int(fields["RssAnon"].split()[0]) * 1024


def finish(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], figures: Sequence[Figure]
) -> None:
    """Print both sides as a table, then the figures as one line of JSON."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    Console(width=110, highlight=False, soft_wrap=True).print(table)
    print(json.dumps([asdict(each) for each in map(_rounded, figures)]))


def _rounded(each: Figure) -> Figure:
    return Figure(each.name, float(f"{each.value:.4g}"), each.goal, each.met)


def _cell(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)
