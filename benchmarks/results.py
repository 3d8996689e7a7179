"""RESULTS.md: one section per part of `make verify`, without dates, with the machine described."""

import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import Figure
from hopsight.store.files import write_atomic

HEAD = """# Results

Written by `make verify`; `python -m benchmarks.verify --only PART` rewrites one section. Figures
are medians of five alternating repeats where two sides are compared, CPU time unless a name says
otherwise. A goal is what the figure is held to; one without a goal is told for its own sake.

Sections whose name begins with `bench_` hold one run each, some of it on a busy machine: the load
is told. What a section lacks was not measured in that run.
"""


def machine() -> str:
    """The machine in words: what the figures depend on."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    model = re.search(r"model name\s*:\s*(.+)", text)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{os.cpu_count()} cores of {model.group(1) if model else platform.machine()}, "
        f"{memory:.0f} GB, {platform.system()}, Python {platform.python_version()}; "
        f"load average {os.getloadavg()[1]:.0f} when measured"
    )


def write_section(path: Path, name: str, about: str, figures: Sequence[Figure]) -> None:
    """Replace the section of a part, keep the others."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    sections = {
        found.group(1): found.group(0).strip()
        for found in re.finditer(r"^## (\w+)\n.*?(?=^## |\Z)", old, re.MULTILINE | re.DOTALL)
    }
    sections[name] = _section(name, about, figures)
    body = "\n\n".join(sections[each] for each in sorted(sections))
    write_atomic(path, f"{HEAD}\n{body}\n".encode())


def _section(name: str, about: str, figures: Sequence[Figure]) -> str:
    rows = [
        f"| {each.name} | {each.value:.4g} | {each.goal or ''} | "
        f"{'' if each.met is None else 'yes' if each.met else '**no**'} |"
        for each in figures
    ]
    table = ["| figure | value | goal | met |", "| --- | ---: | --- | --- |", *rows]
    return "\n".join([f"## {name}", "", about.strip(), "", f"On {machine()}.", "", *table])
