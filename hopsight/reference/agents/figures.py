"""Simple figures in a picture of few colours: what the outline of each patch looks like."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

SMALLEST: Final = 0.0005
"""Share of the picture below which a patch is no figure."""
MOST: Final = 80
"""Patches of one colour that are looked at."""
LARGEST: Final = 0.6
DENT: Final = 0.16
"""Depth of a dent, by the radius of the circle around, from which it parts two points."""

Labels = npt.NDArray[np.uint8]
Outline = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Figure:
    """A patch of one colour. `points` counts those of a star or of rays, 0 for others.

    `x` and `y` are its middle, `area` its size, as fractions of the picture.
    """

    kind: str
    colour: int
    points: int
    x: float
    y: float
    area: float


def figures(labels: Labels, colours: int) -> tuple[Figure, ...]:
    """The figures of each colour, the largest first."""
    found = []
    for number in range(colours):
        mask = (labels == number).astype(np.uint8)
        if _is_full_cross(mask):
            found.append(Figure("cross", number, 0, 0.5, 0.5, float(mask.mean())))
        found += _patches(mask, number)
    return tuple(sorted(found, key=lambda each: (-each.area, each.colour, each.y, each.x)))


def _patches(mask: Labels, number: int) -> list[Figure]:
    height, width = mask.shape
    # Two levels: a patch within a hole of another patch of its colour is a patch of its own.
    outlines, levels = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outlines = [each for number, each in enumerate(outlines) if levels[0][number][3] < 0]
    sized = [(cv2.contourArea(outline) / mask.size, outline) for outline in outlines]
    sized = sorted(sized, key=lambda pair: -pair[0])[:MOST]
    found = []
    for area, outline in sized:
        if not SMALLEST <= area <= LARGEST or len(outline) < 12:
            continue
        kind, points = _shape(np.asarray(outline, dtype=np.int32))
        if kind:
            x, y, w, h = cv2.boundingRect(outline)
            middle = (x + w / 2) / width, (y + h / 2) / height
            found.append(Figure(kind, number, points, *middle, area))
    return found


def _is_full_cross(mask: Labels) -> bool:
    """One arm from side to side and one from top to bottom, with ground in all four quarters."""
    rows, columns = mask.mean(axis=1), mask.mean(axis=0)
    if rows.max() < 0.97 or columns.max() < 0.97 or mask.mean() > 0.65:
        return False
    corners = mask[0, 0], mask[0, -1], mask[-1, 0], mask[-1, -1]
    return not any(corners) and float(np.median(rows)) < 0.5 and float(np.median(columns)) < 0.5


def _shape(outline: Outline) -> tuple[str, int]:
    """What an outline looks like, and how many points it has; "" where it is nothing simple."""
    area = cv2.contourArea(outline)
    hull = cv2.convexHull(outline)
    (_, radius), solid = cv2.minEnclosingCircle(outline), area / max(1.0, cv2.contourArea(hull))
    round_share = area / (np.pi * max(1.0, radius) ** 2)
    (_, sides, _) = cv2.minAreaRect(outline)
    box_share = area / max(1.0, (sides[0] + 1) * (sides[1] + 1))
    if solid > 0.9:
        return _convex(outline, round_share, box_share, sides), 0
    dents = _dents(outline, radius)
    if dents == 1 and solid < 0.85:
        return "crescent", 0
    if dents == 4 and box_share > 0.4:
        return "cross", 0
    if dents >= 4 and round_share > 0.2:
        return ("star" if dents < 10 else "sun"), dents
    return "", 0


def _convex(outline: Outline, round_share: float, box_share: float, sides: Sequence[float]) -> str:
    if round_share > 0.84:
        return "disc"
    around = cv2.arcLength(outline, closed=True)
    corners = len(cv2.approxPolyDP(outline, 0.03 * around, closed=True))
    if corners == 3:
        return "triangle"
    long, short = max(sides), min(sides)
    if box_share > 0.9:
        return "stripe" if long > 5 * short else "rectangle"
    if 0.74 < box_share < 0.83 and corners > 4:
        return "oval"
    _, _, width, height = cv2.boundingRect(outline)
    if corners == 4 and cv2.contourArea(outline) < 0.6 * width * height:
        return "diamond" if long < 2.5 * short else "slant"
    return ""


def _dents(outline: Outline, radius: float) -> int:
    """How many deep dents an outline has."""
    hull = cv2.convexHull(outline, returnPoints=False)
    # OpenCV refuses a hull whose points do not run one way round the outline.
    defects = cv2.convexityDefects(outline, np.sort(hull, axis=0))
    if defects is None:
        return 0
    return int((defects.reshape(-1, 4)[:, 3] / 256 > DENT * radius).sum())
