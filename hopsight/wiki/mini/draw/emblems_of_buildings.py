"""Emblems of buildings, each in a square from -1 to 1 (y downwards)."""

from hopsight.wiki.mini.draw.geometry import Part, arc, circle, rect, strip


def bridge() -> list[Part]:
    """A bridge with three arches."""
    gaps = [(False, circle(x, 0.75, 0.28)) for x in (-0.66, 0, 0.66)]
    return [
        (True, rect(-1, -0.05, 2, 0.8)),
        *gaps,
        (False, rect(-1, 0.76, 2, 0.4)),
        (True, rect(-1, -0.22, 2, 0.1)),
    ]


def tower() -> list[Part]:
    """A tower."""
    return [
        (True, ((-0.32, 0.95), (-0.24, -0.4), (0.24, -0.4), (0.32, 0.95))),
        (True, rect(-0.36, -0.55, 0.72, 0.16)),
        (True, ((-0.28, -0.58), (0, -1.05), (0.28, -0.58))),
        (False, rect(-0.08, 0.62, 0.16, 0.33)),
        *((False, rect(-0.05, y, 0.1, 0.16)) for y in (-0.2, 0.12)),
    ]


def church() -> list[Part]:
    """A church."""
    return [
        (True, rect(-0.3, -0.1, 1.2, 1.05)),
        (True, ((-0.35, -0.1), (0.3, -0.5), (0.95, -0.1))),
        (True, rect(-0.75, -0.3, 0.45, 1.25)),
        (True, ((-0.8, -0.3), (-0.52, -0.9), (-0.25, -0.3))),
        (False, (*arc(0.3, 0.5, 0.16, -90, 90), (0.46, 0.95), (0.14, 0.95))),
        (False, circle(-0.52, 0.05, 0.1)),
    ]


def dome() -> list[Part]:
    """A domed building."""
    return [
        (True, (*arc(0, 0.1, 0.6, -90, 90),)),
        (True, rect(-0.75, 0.1, 1.5, 0.85)),
        (True, strip((0, -0.5), (0, -0.95), 0.07)),
        (True, rect(-1.0, -0.4, 0.14, 1.35)),
        (True, rect(0.86, -0.4, 0.14, 1.35)),
        (False, (*arc(0, 0.55, 0.2, -90, 90), (0.2, 0.95), (-0.2, 0.95))),
    ]


def stadium() -> list[Part]:
    """An oval arena."""
    return [
        (True, tuple((x, y * 0.6) for x, y in circle(0, 0, 1))),
        (False, tuple((x * 0.62, y * 0.34) for x, y in circle(0, 0, 1))),
        (True, tuple((x * 0.5, y * 0.25) for x, y in circle(0, 0, 1))),
        (False, rect(-0.02, -0.25, 0.04, 0.5)),
    ]


def castle() -> list[Part]:
    """A castle with two towers."""
    merlons = [(True, rect(x, -0.75, 0.22, 0.3)) for x in (-0.95, -0.55, 0.33, 0.73)]
    return [
        *merlons,
        (True, rect(-0.95, -0.5, 0.62, 1.45)),
        (True, rect(0.33, -0.5, 0.62, 1.45)),
        (True, rect(-0.4, -0.05, 0.8, 1.0)),
        (False, (*arc(0, 0.5, 0.22, -90, 90), (0.22, 0.95), (-0.22, 0.95))),
    ]


def columns() -> list[Part]:
    """A temple front with four columns."""
    shafts = [(True, rect(-0.78 + 0.46 * k, -0.28, 0.2, 0.88)) for k in range(4)]
    return [
        (True, ((-1, -0.42), (0, -0.95), (1, -0.42))),
        *shafts,
        (True, rect(-1, 0.66, 2, 0.14)),
        (True, rect(-0.9, -0.4, 1.8, 0.06)),
        (True, rect(-1, 0.84, 2, 0.12)),
    ]
