"""The page that tells how much harder each operator makes questions: a table and a plot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from benchmarks.played import Played
from hopsight.store.files import write_atomic

DOCS = Path(__file__).resolve().parent.parent / "docs"
PLOT = DOCS / "images" / "hardening.png"
PUBLISHED = {"base": 0.79, "expand": 0.65, "blur": 0.44, "visualize": 0.33}
"""Accuracy of an expert on 100 paired seeds, as published [OPD]."""

INK, COLOURS = "#334155", ("#0f766e", "#b45309")
_HEAD = """# How much harder the operators make questions

Written by `make bench NAME=hardening`. The same easy questions at every step, tried by the strong
reference agent; beside each mean stands the half-width of its 95 % interval over questions. Image
actions are the share of calls that find, take or make a picture.

![accuracy, turns and image actions by step](images/hardening.png)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """Means over the questions of one step, and the half-widths of their intervals."""

    step: str
    pairs: int
    accuracy: float
    turns: float
    calls: float
    images: float
    spread: Mapping[str, float]

    @classmethod
    def of(cls, step: str, played: Sequence[Played]) -> "Row":
        """From what came of each question."""
        columns = {
            name: [getattr(each, name) for each in played]
            for name in ("accuracy", "turns", "calls", "images")
        }
        spread = {name: _half_width(values) for name, values in columns.items()}
        means = {name: fmean(values) if values else 0.0 for name, values in columns.items()}
        return cls(step, len(played), **means, spread=spread)

    def cells(self, world: str) -> tuple[object, ...]:
        """For a table."""
        return (
            f"{world}, {self.step}",
            self.pairs,
            f"{self.accuracy:.0%} ± {self.spread['accuracy']:.0%}",
            f"{self.turns:.1f} ± {self.spread['turns']:.1f}",
            f"{self.calls:.1f} ± {self.spread['calls']:.1f}",
            f"{self.images:.0%} ± {self.spread['images']:.0%}",
        )


def write_page(worlds: Mapping[str, Sequence[Row]], strengths: Mapping[str, str]) -> None:
    """Write docs/hardening.md and its plot. A world without a pair is told so in a sentence.

    `strengths` says for each world how far the operators went.
    """
    bare = [world for world, rows in worlds.items() if not rows[0].pairs]
    worlds = {world: rows for world, rows in worlds.items() if rows[0].pairs}
    PLOT.parent.mkdir(parents=True, exist_ok=True)
    _drawn(worlds).savefig(PLOT, format="png", metadata={"Software": None})
    header = ("world, step", "pairs", "accuracy", "turns", "calls", "image actions")
    lines = [f"| {' | '.join(header)} |", "| --- |" + " ---: |" * 5]
    for world, rows in worlds.items():
        lines += [f"| {' | '.join(map(str, row.cells(world)))} |" for row in rows]
    published = " → ".join(f"{each:.0%}" for each in PUBLISHED.values())
    tail = f"The published operators took an expert from {published} on 100 paired seeds [OPD]."
    none = [f"No question of {world} went through all three operators.\n" for world in bare]
    far = "; ".join(f"in {world} {strengths[world]}" for world in worlds)
    told = f"How far they went: {far}.\n"
    page = "\n".join([_HEAD, *lines, "", told, *none, tail, ""])
    write_atomic(DOCS / "hardening.md", page.encode())


def _half_width(values: Sequence[float]) -> float:
    return 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def _drawn(worlds: Mapping[str, Sequence[Row]]) -> Drawing:
    drawing = Drawing(figsize=(9, 2.9), dpi=110, layout="constrained")
    names = ("accuracy", "turns", "images")
    titles = ("accuracy", "turns", "image actions, share of calls")
    for place, (name, title) in enumerate(zip(names, titles, strict=True), start=1):
        axes = drawing.add_subplot(1, 3, place)
        for (world, rows), colour in zip(worlds.items(), COLOURS, strict=False):
            _line(axes, rows, name, world, colour)
        if name == "accuracy":
            steps = list(PUBLISHED)
            axes.plot(
                steps, list(PUBLISHED.values()), ":", color=INK, linewidth=1, label="published"
            )
            axes.set_ylim(0, 1)
            axes.legend(frameon=False, fontsize=8)
        axes.set_title(title, fontsize=9, color=INK)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8, colors=INK)
    return drawing


def _line(axes: Axes, rows: Sequence[Row], name: str, world: str, colour: str) -> None:
    steps = [row.step for row in rows]
    means = [getattr(row, name) for row in rows]
    spreads = [row.spread[name] for row in rows]
    axes.errorbar(
        steps, means, spreads, fmt="o-", color=colour, label=world, markersize=4, capsize=3
    )
