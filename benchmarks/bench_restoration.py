"""Restoration: what degradations cost a picture, what their tools bring back, and the share kept.

Every degradation at the lower end, the middle and the upper end of its configured range, on
pictures of the mini world and on photographs of the monuments. Each degraded picture goes through
its tool as in an episode, and the original, the degraded and the restored one are measured as the
enhancement stage measures them: key points found again in place, structural similarity for plain
pictures, and on a few signs the writing that is read. Kept is what the stage would keep.
"""

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from benchmarks.report import Figure, figure, finish
from benchmarks.world import mini_files
from curation.enhancement import Measured, Scale, measured, restored, scale_for, unproven
from examples.monuments.boards import read_monuments
from examples.monuments.packages import PHOTOGRAPHS, debian_data, open_package, read_tar
from examples.monuments.rcc import read_rcc
from examples.monuments.world import RESOURCES
from hopsight.config.enhance import DegradeConfig, EnhanceConfig
from hopsight.harness.backends import SearchBackend
from hopsight.harness.workbench import Workbench
from hopsight.imaging import Interpolation, open_layout_parser
from hopsight.imaging.degrade import KINDS, degrade, drawn
from hopsight.store import ImageStore
from hopsight.types import Degradation, DegradationKind, ImageRef

PACKAGES: Final = Path(".services/monuments")
MINI: Final = 60
PHOTOS: Final = 16
SIGNS: Final = 6
MIN_LINES: Final = 3
"""Of text on a picture that is read."""
RULES: Final = EnhanceConfig()
LEVELS: Final = {"low": 0.0, "mid": 0.5, "high": 1.0}
RANGE_OF: Final[dict[DegradationKind, str]] = {
    "gaussian_blur": "gaussian_sigma",
    "defocus_blur": "defocus_radius",
    "motion_blur": "motion_length",
    "downsampling": "downsample_factor",
    "perspective": "corner_shift",
}
GOALS: Final = {"gaussian_blur": 0.6, "downsampling": 0.8, "perspective": 0.8}
"""Least share kept over all levels, of the mini world's pictures and of the photographs."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A picture, where it is from, what it is measured by, and what is written on it."""

    group: str
    data: bytes
    source: ImageRef
    written: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One attempt."""

    group: str
    kind: DegradationKind
    level: str
    found: Measured
    kept: bool


def at_level(kind: DegradationKind, share: float, rng: random.Random) -> Degradation:
    """`kind` with its parameter at a share of its range; directions are drawn."""
    low, high = getattr(RULES.ranges, RANGE_OF[kind])
    value = low + share * (high - low)
    # Corners that all move alike make a smaller picture; a little less or more makes it tilted.
    ends = (0.7 * value, min(1.3 * value, 0.29)) if kind == "perspective" else (value, value)
    ranges = DegradeConfig.model_validate({RANGE_OF[kind]: ends})
    return drawn(kind, ranges, rng)


class _Nobody:
    """Who is asked to search: none of these tools does."""

    offers: frozenset[str] = frozenset()


async def attempts(subject: Subject, scale: Scale, bench: Workbench, name: str) -> list[Row]:
    """Every degradation at every level, of one picture."""
    rows = []
    for kind in KINDS:
        # Reading takes a second, so that signs are read at one level.
        for level, share in LEVELS.items() if not subject.written else [("mid", 0.5)]:
            how = at_level(kind, share, random.Random(f"{name} {kind} {level}"))
            data = degrade(subject.data, how)
            tried = await restored(data, subject.source, how, bench)
            found = await measured(scale, subject.data, data, tried.data)
            kept = unproven(found, RULES) is None
            rows.append(Row(subject.group, kind, level, found, kept))
    return rows


def subjects(store: ImageStore) -> Iterator[Subject]:
    """Pictures of the mini world, signs to be read, and photographs."""
    files = mini_files()
    assert files.sidecar is not None and files.pictures is not None
    lines = files.sidecar.read_text(encoding="utf-8").splitlines()
    rows = sorted(map(json.loads, lines), key=lambda row: row["file"])
    random.Random("restoration").shuffle(rows)
    for row in rows[:MINI]:
        yield _subject(store, "mini world", (files.pictures / row["file"]).read_bytes())
    for row in [row for row in rows if len(row["text"]) >= MIN_LINES][:SIGNS]:
        data = (files.pictures / row["file"]).read_bytes()
        yield _subject(store, "read", data, " ".join(row["text"]))
    debian = debian_data(open_package(PACKAGES, PHOTOGRAPHS))
    monuments = read_monuments(read_rcc(read_tar(debian, [RESOURCES])[RESOURCES]))
    for each in monuments[:: max(1, len(monuments) // PHOTOS)][:PHOTOS]:
        yield _subject(store, "photographs", each.photograph)


def _subject(store: ImageStore, group: str, data: bytes, written: str = "") -> Subject:
    return Subject(group, data, store.put(data, "https://pictures.invalid", "", ""), written)


async def measure(folder: Path) -> list[Row]:
    """All attempts."""
    store = ImageStore(folder / "store")
    bench = Workbench(cast(SearchBackend, _Nobody()), upscaler=Interpolation())
    reader = open_layout_parser()
    rows: list[Row] = []
    for number, subject in enumerate(subjects(store)):
        if subject.written and reader is None:
            continue
        read = reader if subject.written else None
        scale = await scale_for(subject.data, read, subject.written)
        rows += await attempts(subject, scale, bench, f"{subject.group} {number}")
    return rows


def main() -> None:
    """Run the benchmark."""
    start = time.process_time()
    with tempfile.TemporaryDirectory() as name:
        rows = asyncio.run(measure(Path(name)))
    cells: list[tuple[object, ...]] = []
    figures: list[Figure] = [figure("restoration_attempts", len(rows))]
    for group in ("mini world", "photographs", "read"):
        for kind in KINDS:
            of_kind = [row for row in rows if (row.group, row.kind) == (group, kind)]
            levels = [level for level in LEVELS if any(row.level == level for row in of_kind)]
            cells += [_cells(of_kind, group, kind, level) for level in levels]
            figures += _figures(of_kind, group, kind) if of_kind else []
    figures.append(
        figure("restoration_cpu_ms_each", (time.process_time() - start) / len(rows) * 1e3)
    )
    columns = ("pictures", "degradation", "level", "n", "before", "degraded", "restored", "kept")
    finish("Restoration", columns, cells, figures)


def _cells(rows: Sequence[Row], group: str, kind: str, level: str) -> tuple[object, ...]:
    of_level = [row for row in rows if row.level == level]
    means = (
        statistics.fmean(getattr(row.found, name) for row in of_level)
        for name in ("before", "degraded", "restored")
    )
    kept = statistics.fmean(row.kept for row in of_level)
    return (group, kind, level, len(of_level), *means, kept)


def _figures(rows: Sequence[Row], group: str, kind: DegradationKind) -> list[Figure]:
    name = f"restoration_{group.replace(' ', '_')}_{kind}"
    gain = statistics.fmean(row.found.restored - row.found.degraded for row in rows)
    kept = statistics.fmean(row.kept for row in rows)
    if group == "read" or kind not in GOALS:
        return [figure(f"{name}_gain", gain), figure(f"{name}_kept", kept)]
    return [
        figure(f"{name}_gain", gain, ">=", 0.05),
        figure(f"{name}_kept", kept, ">=", GOALS[kind]),
    ]


if __name__ == "__main__":
    main()
