"""Emblems of living things, each in a square from -1 to 1 (y downwards)."""

from hopsight.wiki.mini.draw.geometry import Part, arc, circle, strip


def leaf() -> list[Part]:
    """A leaf."""
    half = arc(0.9, 0, 1.35, 228, 312)
    blade = (*half, *tuple((-x, y) for x, y in reversed(half)))
    return [
        (True, blade),
        (True, strip((0, 0.7), (0, 1.1), 0.08)),
        (False, strip((0, -0.7), (0, 0.82), 0.05)),
        *((False, strip((0, y), (0.3, y - 0.24), 0.04)) for y in (-0.2, 0.1, 0.4)),
        *((False, strip((0, y), (-0.3, y - 0.24), 0.04)) for y in (-0.2, 0.1, 0.4)),
    ]


def feather() -> list[Part]:
    """A feather."""
    vane = ((-0.5, 0.7), (-0.55, 0.1), (-0.1, -0.65), (0.75, -1.0), (0.62, -0.2), (0.15, 0.4))
    return [
        (True, vane),
        (True, strip((-0.85, 1.0), (-0.45, 0.62), 0.08)),
        (False, strip((-0.5, 0.66), (0.6, -0.82), 0.05)),
        (False, ((0.5, 0.1), (0.2, 0.05), (0.42, 0.2))),
        (False, ((-0.55, 0.3), (-0.3, 0.28), (-0.56, 0.42))),
    ]


def paw() -> list[Part]:
    """A paw print."""
    pad = tuple((x * 1.15, y) for x, y in circle(0, 0.42, 0.42))
    toes = ((-0.72, -0.05, 0.22), (-0.28, -0.5, 0.25), (0.28, -0.5, 0.25), (0.72, -0.05, 0.22))
    return [(True, pad), *((True, circle(x, y, r)) for x, y, r in toes)]


def fish() -> list[Part]:
    """A fish."""
    upper = tuple((x, y) for x, y in arc(-0.15, 0.9, 1.2, -42, 42))
    lower = tuple((x, -y) for x, y in reversed(upper))
    return [
        (True, (*upper, *lower)),
        (True, ((0.5, 0), (1.0, -0.45), (0.88, 0), (1.0, 0.45))),
        (False, circle(-0.6, -0.08, 0.08)),
    ]


def beetle() -> list[Part]:
    """A beetle."""
    body = tuple((x * 0.62, y) for x, y in circle(0, 0.2, 0.72))
    legs = [
        (True, strip((side * 0.3, y), (side * 0.95, y + lean), 0.08))
        for side in (-1, 1)
        for y, lean in ((-0.1, -0.3), (0.2, 0.0), (0.5, 0.3))
    ]
    return [
        *legs,
        (True, body),
        (True, circle(0, -0.58, 0.26)),
        (False, strip((0, -0.4), (0, 0.95), 0.06)),
        (True, strip((-0.1, -0.75), (-0.35, -1.0), 0.06)),
        (True, strip((0.1, -0.75), (0.35, -1.0), 0.06)),
    ]


def scales() -> list[Part]:
    """A row of overlapping scales, for reptiles."""
    parts: list[Part] = []
    for row in range(4):
        for column in range(4 + row % 2):
            x, y = -0.75 + 0.5 * column - 0.25 * (row % 2), -0.7 + 0.42 * row
            parts += [(True, circle(x, y, 0.27)), (False, circle(x, y - 0.07, 0.2))]
    return parts
