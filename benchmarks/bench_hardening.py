"""Hardening: one easy question, then Expand, Blur and Visualize, each tried by the strong agent.

Paired: the same seeds at every step, chosen by whether the operators apply and never by how the
agent does. Writes the table and the plot of docs/hardening.md. On the photographs of
examples/monuments too, where HOPSIGHT_MONUMENTS_PACKAGES names their packages; those are told, not
tested. The published operators took an expert from 79 to 65, 44 and 33 %, turns from 10 to 15
(Blur) and 20 (Visualize), image actions from 6 to 47 % of all calls [OPD].
"""

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from benchmarks.hardened import STEPS, Hardened, Strengths, hardened
from benchmarks.played import Place, Played, play
from benchmarks.report import Figure, figure, finish
from benchmarks.told_hardening import Row, write_page
from benchmarks.world import mini_tables
from examples.monuments.build import build
from hopsight.config import RoundConfig
from hopsight.harness.backends.build import build_local_index
from hopsight.stats import paired_difference
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.tables import SnapshotTables
from hopsight.workspace import Workspace

PAIRS, MOST, SAMPLES = 100, 4_500, 2
MONUMENT_PAIRS, MONUMENT_MOST = 30, 4_000
STRENGTHS = Strengths()
MONUMENT_STRENGTHS = Strengths(hops=2, blurred=1, facts=1)
"""In so small a world ways are short, and few pages have two facts that hold of three others."""
LEAST = 1e-6
"""A bound of 0 would be met by operators that change nothing."""
POLICY = "reference-strong"
MEASURES = ("accuracy", "turns", "calls", "images")

Results = Mapping[str, Sequence[Played]]


def main() -> None:
    """Measure both worlds, write the page, print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        mini = _measured(Path(folder) / "mini", _mini, STRENGTHS, PAIRS, MOST)
        packages = os.environ.get("HOPSIGHT_MONUMENTS_PACKAGES")
        worlds = {"the mini world": _rows(mini[1])}
        figures = [*_tested(mini[1]), *_counted("", mini)]
        if packages:
            tables_of = partial(_monuments, packages=Path(packages))
            at_most = (MONUMENT_STRENGTHS, MONUMENT_PAIRS, MONUMENT_MOST)
            real = _measured(Path(folder) / "real", tables_of, *at_most)
            worlds["the monuments"] = _rows(real[1])
            figures += [*_told("monuments: ", real[1]), *_counted("monuments: ", real)]
        strengths = {"the mini world": STRENGTHS, "the monuments": MONUMENT_STRENGTHS}
        write_page(worlds, {world: str(strengths[world]) for world in worlds})
    finish(
        "Hardening",
        ("world, step", "pairs", "accuracy", "turns", "calls", "image actions"),
        [row.cells(name) for name, rows in worlds.items() for row in rows],
        figures,
    )


def _mini(workspace: Workspace) -> SnapshotTables:
    return mini_tables(workspace.images)


def _monuments(workspace: Workspace, packages: Path) -> SnapshotTables:
    out = workspace.root / "monuments"
    build(packages, out)
    files = (out / "world.xml", out / "pictures", out / "pictures.jsonl")
    return build_snapshot(*files, workspace.images)


def _measured(
    root: Path,
    tables_of: Callable[[Workspace], SnapshotTables],
    strengths: Strengths,
    pairs: int,
    most: int,
) -> tuple[Hardened, Results]:
    """Make paired questions over a world and let the agent try each of them."""
    workspace = Workspace(root)
    tables = tables_of(workspace)
    build_local_index(
        *(tables.pages, tables.links, tables.facts, tables.aliases, tables.images),
        workspace.images.bytes,
        workspace.index,
    )
    world = Snapshot(tables)
    made = hardened(RoundConfig(), world, workspace.images, strengths, pairs, most)
    results = {}
    for step in STEPS:
        place = Place(workspace.index, workspace.root, root / "played" / step)
        asked = [question for question, _ in made.steps[step]]
        results[step] = play(place, asked, POLICY, SAMPLES)
    return made, results


def _rows(results: Results) -> list[Row]:
    return [Row.of(step, results[step]) for step in STEPS]


def _tested(results: Results) -> list[Figure]:
    """What must hold at each step: lower accuracy, more turns and calls, at last more pictures."""
    found = _told("", results)
    bounds = []
    for before, after in pairwise(STEPS):
        for measure in MEASURES[:3]:
            sign = -1 if measure == "accuracy" else 1
            bounds.append(_bound(results, before, after, measure, sign))
    bounds.append(_bound(results, "blur", "visualize", "images", 1))
    bounds.append(_bound(results, "base", "visualize", "images", 1))
    return [*found, *bounds]


def _bound(results: Results, before: str, after: str, measure: str, sign: int) -> Figure:
    """The lower bound (95 %) of how much a measure moves in the wanted direction."""
    first, second = ([getattr(each, measure) for each in results[step]] for step in (after, before))
    mean, interval = paired_difference(first, second)
    low = interval.low if sign > 0 else -interval.high
    way = "rises" if sign > 0 else "falls"
    name = f"{measure} {way} from {before} to {after} (mean {mean:+.3g}): lower bound"
    return figure(name, low, ">=", LEAST)


def _told(prefix: str, results: Results) -> list[Figure]:
    return [
        figure(f"{prefix}{measure} of {step}", getattr(row, measure))
        for step in STEPS
        for row in (Row.of(step, results[step]),)
        for measure in MEASURES
    ]


def _counted(prefix: str, measured: tuple[Hardened, Results]) -> list[Figure]:
    made, _ = measured
    pairs = len(made.steps["base"])
    wanted = MONUMENT_PAIRS if prefix else PAIRS
    return [
        figure(f"{prefix}paired questions", pairs, ">=", wanted),
        figure(f"{prefix}easy questions tried", made.tried),
    ]


if __name__ == "__main__":
    main()
