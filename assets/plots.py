"""Small plots for the UI: a distribution of degrees, and counts by name. PNG as Markdown."""

import base64
import io
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH_IN, HEIGHT_IN, DPI = 5.2, 2.6, 80
INK, KEPT, LEFT_OUT = "#334155", "#0f766e", "#cbd5e1"


def degree_plot(degrees: NDArray[np.integer], hub: int) -> str:
    """How many pages have how many links to them, both on log scales; `hub` is marked.

    Pages without a link to them are told in the title, since a log scale has no place for them.
    """
    figure, axes = _figure()
    linked = degrees[degrees > 0]
    top = max(2, int(linked.max(initial=1)))
    edges = np.unique(np.geomspace(1, top + 1, 30).astype(np.int64))
    counts, _ = np.histogram(linked, bins=edges)
    centres = np.sqrt(edges[:-1] * np.maximum(edges[1:] - 1, edges[:-1]))
    shown = counts > 0
    axes.loglog(centres[shown], (counts / np.diff(edges))[shown], "o-", color=KEPT, markersize=3)
    axes.axvline(hub, color=INK, linewidth=0.8, linestyle="--")
    axes.annotate("hub", (hub, 1), xycoords=("data", "axes fraction"), xytext=(3, -10),
                  textcoords="offset points", fontsize=8, color=INK)  # fmt: skip
    axes.set_xlabel("links to the page")
    axes.set_ylabel("pages for each number of links")
    title = f"{len(degrees):,} pages, {int((degrees == 0).sum()):,} with no link to them"
    axes.set_title(title, fontsize=9)
    return _markdown(figure, "distribution of in-degrees")


def strata_plot(counts: Mapping[str, tuple[int, int]], labels: Sequence[str]) -> str:
    """Two bars a stratum, for pairs such as (drawn, could be drawn); `labels` names the two."""
    figure, axes = _figure()
    names = list(counts)
    places = np.arange(len(names))
    series = zip(labels, (KEPT, LEFT_OUT), (0, 1), strict=True)
    for label, colour, which in series:
        values = [counts[name][which] for name in names]
        axes.barh(places + 0.38 * which, values, height=0.36, color=colour, label=label)
    axes.set_yticks(places + 0.19, names)
    axes.invert_yaxis()
    axes.legend(frameon=False, fontsize=8)
    return _markdown(figure, "counts by stratum")


def _figure() -> tuple["Figure", "Axes"]:
    _keep_out_of_home()
    # Imported here: every run process loads the assets, and few of them draw.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), dpi=DPI, layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8, colors=INK)
    axes.xaxis.label.set_fontsize(8)
    axes.yaxis.label.set_fontsize(8)
    return figure, axes


@cache
def _keep_out_of_home() -> "tempfile.TemporaryDirectory[str] | None":
    """Give the library's caches a folder of this process: it would write into the person's home."""
    if "MPLCONFIGDIR" in os.environ:
        return None
    folder = tempfile.TemporaryDirectory(prefix="hopsight-plots-")
    os.environ["MPLCONFIGDIR"] = folder.name
    return folder


def _markdown(figure: "Figure", alternative: str) -> str:
    data = io.BytesIO()
    figure.savefig(data, format="png", metadata={"Software": None})
    return f"![{alternative}](data:image/png;base64,{base64.b64encode(data.getvalue()).decode()})"
