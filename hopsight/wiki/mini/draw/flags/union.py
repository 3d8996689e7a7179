"""The crosses of the British flag, which also stand in the cantons of others."""

from hopsight.wiki.mini.draw.geometry import Point, Polygon, Shape
from hopsight.wiki.mini.draw.layers import Layer, cross, field, joined, silent, told

WHITE = "white:FFFFFF"


def union_jack(
    height: float, width: float, blue: str = "blue:012169", red: str = "red:C8102E"
) -> tuple[Layer, ...]:
    """The layers in a rectangle whose upper left corner is the flag's; 1:2 by construction.

    The unit is a thirtieth of the height: white diagonals 6 wide, red ones 2, set off to one side,
    white upright cross 10, red 6.
    """
    unit = height / 30
    return (
        field(height, width, blue),
        joined("a white diagonal cross", Layer(_white(height, width, 3 * unit))),
        joined(
            "a narrow red diagonal cross upon the white one", Layer(_red(height, width, unit, red))
        ),
        silent(cross(height, width, WHITE, width / 2, 10 * unit)),
        told(
            cross(height, width, red, width / 2, 6 * unit),
            "a red upright cross with white edges over the diagonals",
        ),
    )


def _white(height: float, width: float, half: float) -> tuple[Shape, ...]:
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return tuple(
        Shape(WHITE, _arm((width / 2, height / 2), corner, -half, half)) for corner in corners
    )


def _red(height: float, width: float, unit: float, red: str) -> tuple[Shape, ...]:
    """Counterchanged: each arm lies on the side of the diagonal that turns clockwise from it."""
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return tuple(
        Shape(red, _arm((width / 2, height / 2), corner, -2 * unit, 0)) for corner in corners
    )


def _arm(centre: Point, corner: Point, near: float, far: float) -> Polygon:
    """The part of a diagonal between two distances to its side, cut at the edges of the quarter."""
    (cx, cy), (x, y) = centre, corner
    dx, dy = x - cx, y - cy
    length = (dx**2 + dy**2) ** 0.5
    ux, uy = dx / length, dy / length
    start_near, start_far = _side(centre, ux, uy, near), _side(centre, ux, uy, far)
    quarter = (min(cx, x), min(cy, y), max(cx, x), max(cy, y))
    reach = length * 1.5
    whole = (
        (start_near[0] - ux * length, start_near[1] - uy * length),
        (start_near[0] + ux * reach, start_near[1] + uy * reach),
        (start_far[0] + ux * reach, start_far[1] + uy * reach),
        (start_far[0] - ux * length, start_far[1] - uy * length),
    )
    return clipped(whole, quarter)


def _side(point: Point, ux: float, uy: float, distance: float) -> Point:
    return (point[0] - uy * distance, point[1] + ux * distance)


def clipped(polygon: Polygon, box: tuple[float, float, float, float]) -> Polygon:
    """The part of a convex polygon inside a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    points = list(polygon)
    for axis, bound, keep_above in (
        (0, left, True),
        (0, right, False),
        (1, top, True),
        (1, bottom, False),
    ):
        points = _half(points, axis, bound, keep_above)
    return tuple(points)


def _half(points: list[Point], axis: int, bound: float, keep_above: bool) -> list[Point]:
    """One step of Sutherland and Hodgman's clipping: keep one side of a horizontal or vertical."""
    kept: list[Point] = []
    for a, b in zip(points, points[1:] + points[:1], strict=True):
        a_in = a[axis] >= bound if keep_above else a[axis] <= bound
        b_in = b[axis] >= bound if keep_above else b[axis] <= bound
        if a_in:
            kept.append(a)
        if a_in != b_in:
            share = (bound - a[axis]) / (b[axis] - a[axis])
            kept.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
    return kept
