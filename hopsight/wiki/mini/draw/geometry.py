"""Shapes as polygons in the units of the drawing (x to the right, y downwards)."""

from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin, sqrt

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Part = tuple[bool, Polygon]
"""Of an emblem: painted in its ink (True), or in the ground, as a gap (False)."""

# A circle of this many corners is round to within 0.02 % of its radius.
CIRCLE_CORNERS = 240


@dataclass(frozen=True, slots=True)
class Shape:
    """One filled polygon; `colour` is `"name:RRGGBB"`."""

    colour: str
    points: Polygon


def rect(x: float, y: float, width: float, height: float) -> Polygon:
    """The rectangle whose upper left corner is (x, y)."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def around(cx: float, cy: float, radius: float, angle: float) -> Point:
    """The point at `angle` degrees (0 is up, clockwise) and `radius` from a centre."""
    turn = angle * pi / 180
    return (cx + radius * sin(turn), cy - radius * cos(turn))


def circle(cx: float, cy: float, radius: float) -> Polygon:
    """A circle as a regular polygon."""
    step = 360 / CIRCLE_CORNERS
    return tuple(around(cx, cy, radius, k * step) for k in range(CIRCLE_CORNERS))


def arc(cx: float, cy: float, radius: float, start: float, end: float) -> Polygon:
    """Points of an arc from `start` to `end` degrees (0 is up, clockwise), both included."""
    count = max(2, round(abs(end - start) * CIRCLE_CORNERS / 360))
    return tuple(
        around(cx, cy, radius, start + (end - start) * k / count) for k in range(count + 1)
    )


def star(
    cx: float, cy: float, radius: float, points: int = 5, inner: float = 0.381966, turn: float = 0
) -> Polygon:
    """A star; `inner` is the inner radius over the outer, `turn` rotates it clockwise (degrees)."""
    half = 180 / points
    return tuple(
        around(cx, cy, radius if k % 2 == 0 else radius * inner, turn + k * half)
        for k in range(2 * points)
    )


def crescent(
    cx: float, cy: float, radius: float, cut_x: float, cut_y: float, cut_radius: float
) -> Polygon:
    """A disc less a second disc that overlaps its rim.

    Raises ValueError if the two circles do not cross: the figure would be no crescent.
    """
    dx, dy = cut_x - cx, cut_y - cy
    distance = hypot(dx, dy)
    if not abs(radius - cut_radius) < distance < radius + cut_radius:
        raise ValueError("the circles of a crescent must cross")
    axis = atan2(dx, -dy) * 180 / pi
    along = (distance**2 + radius**2 - cut_radius**2) / (2 * distance)
    height = sqrt(radius**2 - along**2)
    outer_half = atan2(height, along) * 180 / pi
    inner_half = atan2(height, along - distance) * 180 / pi
    outer = arc(cx, cy, radius, axis + outer_half, axis + 360 - outer_half)
    inner = arc(cut_x, cut_y, cut_radius, axis + 360 - inner_half, axis + inner_half)
    return outer + inner


def strip(start: Point, end: Point, thickness: float) -> Polygon:
    """A straight bar of the given thickness from one point to another, ends cut square."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    nx = (start[1] - end[1]) / length * thickness / 2
    ny = (end[0] - start[0]) / length * thickness / 2
    return (
        (start[0] + nx, start[1] + ny),
        (end[0] + nx, end[1] + ny),
        (end[0] - nx, end[1] - ny),
        (start[0] - nx, start[1] - ny),
    )


def inset(polygon: Polygon, distance: float) -> Polygon:
    """A convex polygon whose edges are moved inwards by `distance`."""
    cx = sum(x for x, _ in polygon) / len(polygon)
    cy = sum(y for _, y in polygon) / len(polygon)
    lines = [
        _moved_edge(a, b, (cx, cy), distance)
        for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True)
    ]
    return tuple(_meet(lines[k - 1], lines[k]) for k in range(len(lines)))


def _moved_edge(a: Point, b: Point, inside: Point, distance: float) -> tuple[Point, Point]:
    length = hypot(b[0] - a[0], b[1] - a[1])
    nx, ny = (a[1] - b[1]) / length, (b[0] - a[0]) / length
    if (inside[0] - a[0]) * nx + (inside[1] - a[1]) * ny < 0:
        nx, ny = -nx, -ny
    dx, dy = nx * distance, ny * distance
    return ((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy))


def _meet(first: tuple[Point, Point], second: tuple[Point, Point]) -> Point:
    (x1, y1), (x2, y2) = first
    (x3, y3), (x4, y4) = second
    scale = (x1 - x2) * (y3 - y4) - (y1 - y2) * (x3 - x4)
    a, b = x1 * y2 - y1 * x2, x3 * y4 - y3 * x4
    return ((a * (x3 - x4) - (x1 - x2) * b) / scale, (a * (y3 - y4) - (y1 - y2) * b) / scale)


def moved(polygon: Polygon, dx: float, dy: float, scale: float = 1) -> Polygon:
    """The polygon scaled about the origin, then shifted."""
    return tuple((x * scale + dx, y * scale + dy) for x, y in polygon)


def turned(polygon: Polygon, cx: float, cy: float, angle: float) -> Polygon:
    """The polygon rotated clockwise by `angle` degrees about (cx, cy)."""
    c, s = cos(angle * pi / 180), sin(angle * pi / 180)
    return tuple(
        (cx + (x - cx) * c - (y - cy) * s, cy + (x - cx) * s + (y - cy) * c) for x, y in polygon
    )
