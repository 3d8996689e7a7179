"""Small emblems from polygons, each in a square from -1 to 1 (y downwards)."""

from collections.abc import Callable

from hopsight.wiki.mini.draw import emblems_of_buildings as buildings
from hopsight.wiki.mini.draw import emblems_of_nature as nature
from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.geometry import (
    Part,
    arc,
    circle,
    moved,
    rect,
    star,
    strip,
    turned,
)


def _quill() -> list[Part]:
    feather = ((-0.35, 0.55), (-0.2, 0.0), (0.25, -0.6), (0.85, -0.95), (0.7, -0.3), (0.3, 0.2))
    barb = ((-0.1, 0.42), (0.3, 0.2), (-0.35, 0.55))
    return [
        (True, feather),
        (True, barb),
        (False, strip((-0.32, 0.5), (0.65, -0.72), 0.05)),
        (True, strip((-0.75, 0.98), (-0.28, 0.46), 0.09)),
        (True, rect(-0.9, 0.92, 1.8, 0.07)),
    ]


def _palette() -> list[Part]:
    body = tuple((x * 1.0, y * 0.76) for x, y in circle(0, 0, 1))
    wells = ((-0.55, -0.2), (-0.15, -0.45), (0.32, -0.38), (0.62, -0.02))
    return [
        (True, body),
        *((False, circle(x, y, 0.14)) for x, y in wells),
        (False, circle(0.18, 0.35, 0.2)),
    ]


def _bust() -> list[Part]:
    return [
        (True, tuple((x * 0.8, y) for x, y in circle(0, -0.55, 0.38))),
        (True, rect(-0.14, -0.3, 0.28, 0.4)),
        (True, (*arc(0, 0.5, 0.58, -90, 90), (0.3, 0.62), (-0.3, 0.62))),
        (True, rect(-0.42, 0.68, 0.84, 0.3)),
    ]


def _note() -> list[Part]:
    return [
        (True, strip((-0.42, -0.85), (-0.42, 0.65), 0.12)),
        (True, strip((0.64, -0.95), (0.64, 0.5), 0.12)),
        (True, ((-0.48, -0.85), (0.7, -1.0), (0.7, -0.68), (-0.48, -0.53))),
        (True, turned(tuple((x * 1.3, y) for x, y in circle(-0.5, 0.68, 0.24)), -0.6, 0.68, -18)),
        (True, turned(tuple((x * 1.3, y) for x, y in circle(0.32, 0.52, 0.24)), 0.42, 0.52, -18)),
    ]


def _flask() -> list[Part]:
    return [
        (True, ((-0.2, -0.9), (0.2, -0.9), (0.2, -0.25), (0.78, 0.9), (-0.78, 0.9), (-0.2, -0.25))),
        (True, rect(-0.32, -1.0, 0.64, 0.14)),
        (False, ((-0.1, -0.8), (0.1, -0.8), (0.1, -0.2), (0.3, 0.2), (-0.3, 0.2), (-0.1, -0.2))),
        (False, circle(0.12, 0.48, 0.1)),
        (False, circle(-0.2, 0.66, 0.08)),
    ]


def _atom() -> list[Part]:
    outer = tuple((x, y * 0.36) for x, y in circle(0, 0, 1))
    inner = tuple((x * 0.9, y * 0.28) for x, y in circle(0, 0, 1))
    rings: list[Part] = []
    for angle in (0, 60, 120):
        ring_out, ring_in = turned(outer, 0, 0, angle), turned(inner, 0, 0, angle)
        rings += [
            (True, (ring_out[k - 1], ring_out[k], ring_in[k], ring_in[k - 1]))
            for k in range(len(ring_out))
        ]
    return [*rings, (True, circle(0, 0, 0.17))]


def _compass() -> list[Part]:
    return [
        (True, circle(0, 0, 1)),
        (False, circle(0, 0, 0.88)),
        (True, star(0, 0, 0.84, 4, 0.2)),
        (True, star(0, 0, 0.5, 4, 0.3, 45)),
        (False, circle(0, 0, 0.08)),
    ]


def _crown() -> list[Part]:
    points = ((-0.9, -0.5), (-0.45, 0.1), (0, -0.75), (0.45, 0.1), (0.9, -0.5), (0.72, 0.55))
    return [
        (True, (*points, (-0.72, 0.55))),
        (True, rect(-0.72, 0.64, 1.44, 0.2)),
        (True, circle(-0.9, -0.6, 0.12)),
        (True, circle(0, -0.86, 0.12)),
        (True, circle(0.9, -0.6, 0.12)),
    ]


def _gear() -> list[Part]:
    teeth = [(True, turned(rect(-0.17, -1, 0.34, 0.4), 0, 0, 45 * k)) for k in range(8)]
    return [*teeth, (True, circle(0, 0, 0.76)), (False, circle(0, 0, 0.36))]


def _book() -> list[Part]:
    return [
        (True, ((-1, -0.5), (-0.06, -0.3), (-0.06, 0.72), (-1, 0.52))),
        (True, ((1, -0.5), (0.06, -0.3), (0.06, 0.72), (1, 0.52))),
        *((False, strip((-0.86, y), (-0.2, y + 0.14), 0.06)) for y in (-0.25, 0.0, 0.25)),
        *((False, strip((0.86, y), (0.2, y + 0.14), 0.06)) for y in (-0.25, 0.0, 0.25)),
    ]


def _peak() -> list[Part]:
    return [
        (True, ((-1, 0.8), (-0.2, -0.8), (0.25, 0.05), (0.5, -0.3), (1, 0.8))),
        (False, ((-0.38, -0.44), (-0.2, -0.8), (0.0, -0.42), (-0.12, -0.3), (-0.22, -0.42))),
    ]


def _telescope() -> list[Part]:
    tube = ((-0.7, 0.1), (0.55, -0.75), (0.85, -0.35), (-0.55, 0.38))
    return [
        (True, tube),
        (True, strip((0.0, 0.0), (-0.45, 1.0), 0.1)),
        (True, strip((0.0, 0.0), (0.0, 1.0), 0.1)),
        (True, strip((0.0, 0.0), (0.45, 1.0), 0.1)),
        (True, star(-0.55, -0.6, 0.3)),
    ]


EMBLEMS: dict[str, tuple[Callable[[], list[Part]], str]] = {
    "quill": (_quill, "a quill"),
    "palette": (_palette, "a painter's palette"),
    "bust": (_bust, "a bust on a base"),
    "note": (_note, "two joined musical notes"),
    "flask": (_flask, "a laboratory flask"),
    "atom": (_atom, "three crossing orbits round a core"),
    "compass": (_compass, "a compass rose"),
    "crown": (_crown, "a crown"),
    "gear": (_gear, "a toothed wheel"),
    "columns": (buildings.columns, "a temple front with four columns"),
    "book": (_book, "an open book"),
    "peak": (_peak, "two mountain peaks"),
    "telescope": (_telescope, "a telescope on a tripod"),
    "leaf": (nature.leaf, "a leaf"),
    "feather": (nature.feather, "a feather"),
    "paw": (nature.paw, "a paw print"),
    "fish": (nature.fish, "a fish"),
    "beetle": (nature.beetle, "a beetle"),
    "scales": (nature.scales, "a pattern of scales"),
    "bridge": (buildings.bridge, "a bridge with three arches"),
    "tower": (buildings.tower, "a tower"),
    "church": (buildings.church, "a church"),
    "dome": (buildings.dome, "a domed building"),
    "stadium": (buildings.stadium, "an oval arena"),
    "castle": (buildings.castle, "a castle with two towers"),
}


def emblem(
    canvas: Canvas, name: str, centre: tuple[float, float], size: float, ink: str, ground: str
) -> str:
    """Paint an emblem `size` pixels from centre to edge; gives the sentence it makes certain."""
    parts, sentence = EMBLEMS[name]
    for inked, polygon in parts():
        canvas.polygon(moved(polygon, centre[0], centre[1], size), ink if inked else ground)
    return f"{sentence} as an emblem"
