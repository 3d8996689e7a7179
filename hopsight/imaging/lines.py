"""Quadrilaterals from straight lines, where no closed outline stands out."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from hopsight.imaging.arrays import Points, Raster

Line = tuple[float, float]
"""Distance from the origin in pixels, and the angle of the normal."""

_MAX_LINES: Final = 9
"""Of each direction: 36 pairs, so at most 1,296 quadrilaterals."""
_MIN_VOTES: Final = 0.2
"""Of the picture's shorter side."""


def quads_of_lines(edges: Raster) -> Iterator[Points]:
    """Where two long lines across and two down cross: corners from the top left, clockwise."""
    level, steep = _lines(edges)
    for first, second in combinations(level, 2):
        for third, fourth in combinations(steep, 2):
            corners = [_crossing(a, b) for a in (first, second) for b in (third, fourth)]
            if all(corner is not None for corner in corners):
                top_left, top_right, low_left, low_right = corners
                yield np.array([top_left, top_right, low_right, low_left], dtype=np.float64)


def _lines(edges: Raster) -> tuple[list[Line], list[Line]]:
    """The strongest lines nearer to level and to steep, from top to bottom and left to right."""
    votes = int(_MIN_VOTES * min(edges.shape))
    found = cv2.HoughLines(edges, 1, np.pi / 360, max(votes, 20))
    level: list[Line] = []
    steep: list[Line] = []
    for distance, angle in [] if found is None else found.reshape(-1, found.shape[-1])[:, :2]:
        line = (float(distance), float(angle))
        group = level if abs(np.sin(line[1])) > abs(np.cos(line[1])) else steep
        if len(group) < _MAX_LINES and not any(_alike(line, other) for other in group):
            group.append(line)
    rows, columns = edges.shape
    level.sort(key=lambda line: (line[0] - columns / 2 * np.cos(line[1])) / np.sin(line[1]))
    steep.sort(key=lambda line: (line[0] - rows / 2 * np.sin(line[1])) / np.cos(line[1]))
    return level, steep


def _alike(one: Line, other: Line) -> bool:
    turn = abs(one[1] - other[1])
    if turn > np.pi / 2:  # a line may be told from its other side
        return np.pi - turn < 0.06 and abs(one[0] + other[0]) < 12
    return turn < 0.06 and abs(one[0] - other[0]) < 12


def _crossing(one: Line, other: Line) -> tuple[float, float] | None:
    turn = np.sin(other[1] - one[1])
    if abs(turn) < 0.2:
        return None
    x = (one[0] * np.sin(other[1]) - other[0] * np.sin(one[1])) / turn
    y = (other[0] * np.cos(one[1]) - one[0] * np.cos(other[1])) / turn
    return float(x), float(y)
