import base64
import io

import numpy as np
from PIL import Image

from assets.plots import degree_plot, strata_plot

MOST_BYTES = 40_000


def opened(markdown: str) -> Image.Image:
    start = "base64,"
    data = base64.b64decode(markdown[markdown.index(start) + len(start) : -1])
    assert len(data) < MOST_BYTES
    return Image.open(io.BytesIO(data))


def test_a_degree_plot_is_a_small_picture_whatever_the_degrees():
    many = np.random.default_rng(1).zipf(1.8, 5_000).astype(np.int32)
    for degrees in (many, np.zeros(3, np.int32), np.array([7], np.int32), np.zeros(0, np.int32)):
        plot = degree_plot(degrees, hub=130)
        assert plot.startswith("![distribution of in-degrees](data:image/png;base64,")
        assert opened(plot).size == (416, 208)


def test_a_plot_of_strata_has_two_bars_for_each():
    counts = {"person": (50, 80), "location": (0, 10)}
    plot = opened(strata_plot(counts, ("drawn", "could be drawn"))).convert("RGB")
    colours = {colour for _, colour in plot.getcolors(1 << 20) or []}
    assert {(15, 118, 110), (203, 213, 225)} <= colours


def test_equal_figures_give_equal_bytes():
    degrees = np.arange(100, dtype=np.int32)
    assert degree_plot(degrees, 10) == degree_plot(degrees, 10)
