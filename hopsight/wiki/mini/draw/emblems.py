"""Small emblems from polygons, each in a square from -1 to 1 (y downwards)."""

from collections.abc import Callable

from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.geometry import (
    Polygon,
    arc,
    circle,
    moved,
    rect,
    star,
    strip,
    turned,
)

# A part is painted in the emblem's ink (True) or in the ground (False, a gap).
Part = tuple[bool, Polygon]


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


def _columns() -> list[Part]:
    shafts = [(True, rect(-0.78 + 0.46 * k, -0.28, 0.2, 0.88)) for k in range(4)]
    return [
        (True, ((-1, -0.42), (0, -0.95), (1, -0.42))),
        *shafts,
        (True, rect(-1, 0.66, 2, 0.14)),
        (True, rect(-0.9, -0.4, 1.8, 0.06)),
        (True, rect(-1, 0.84, 2, 0.12)),
    ]


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


def _leaf() -> list[Part]:
    half = arc(0.9, 0, 1.35, 228, 312)
    blade = (*half, *tuple((-x, y) for x, y in reversed(half)))
    return [
        (True, blade),
        (True, strip((0, 0.7), (0, 1.1), 0.08)),
        (False, strip((0, -0.7), (0, 0.82), 0.05)),
        *((False, strip((0, y), (0.3, y - 0.24), 0.04)) for y in (-0.2, 0.1, 0.4)),
        *((False, strip((0, y), (-0.3, y - 0.24), 0.04)) for y in (-0.2, 0.1, 0.4)),
    ]


def _feather() -> list[Part]:
    vane = ((-0.5, 0.7), (-0.55, 0.1), (-0.1, -0.65), (0.75, -1.0), (0.62, -0.2), (0.15, 0.4))
    return [
        (True, vane),
        (True, strip((-0.85, 1.0), (-0.45, 0.62), 0.08)),
        (False, strip((-0.5, 0.66), (0.6, -0.82), 0.05)),
        (False, ((0.5, 0.1), (0.2, 0.05), (0.42, 0.2))),
        (False, ((-0.55, 0.3), (-0.3, 0.28), (-0.56, 0.42))),
    ]


def _paw() -> list[Part]:
    pad = tuple((x * 1.15, y) for x, y in circle(0, 0.42, 0.42))
    toes = ((-0.72, -0.05, 0.22), (-0.28, -0.5, 0.25), (0.28, -0.5, 0.25), (0.72, -0.05, 0.22))
    return [(True, pad), *((True, circle(x, y, r)) for x, y, r in toes)]


def _fish() -> list[Part]:
    upper = tuple((x, y) for x, y in arc(-0.15, 0.9, 1.2, -42, 42))
    lower = tuple((x, -y) for x, y in reversed(upper))
    return [
        (True, (*upper, *lower)),
        (True, ((0.5, 0), (1.0, -0.45), (0.88, 0), (1.0, 0.45))),
        (False, circle(-0.6, -0.08, 0.08)),
    ]


def _beetle() -> list[Part]:
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


def _scales() -> list[Part]:
    """A row of overlapping scales, for reptiles."""
    parts: list[Part] = []
    for row in range(4):
        for column in range(4 + row % 2):
            x, y = -0.75 + 0.5 * column - 0.25 * (row % 2), -0.7 + 0.42 * row
            parts += [(True, circle(x, y, 0.27)), (False, circle(x, y - 0.07, 0.2))]
    return parts


def _bridge() -> list[Part]:
    gaps = [(False, circle(x, 0.75, 0.28)) for x in (-0.66, 0, 0.66)]
    return [
        (True, rect(-1, -0.05, 2, 0.8)),
        *gaps,
        (False, rect(-1, 0.76, 2, 0.4)),
        (True, rect(-1, -0.22, 2, 0.1)),
    ]


def _tower() -> list[Part]:
    return [
        (True, ((-0.32, 0.95), (-0.24, -0.4), (0.24, -0.4), (0.32, 0.95))),
        (True, rect(-0.36, -0.55, 0.72, 0.16)),
        (True, ((-0.28, -0.58), (0, -1.05), (0.28, -0.58))),
        (False, rect(-0.08, 0.62, 0.16, 0.33)),
        *((False, rect(-0.05, y, 0.1, 0.16)) for y in (-0.2, 0.12)),
    ]


def _church() -> list[Part]:
    return [
        (True, rect(-0.3, -0.1, 1.2, 1.05)),
        (True, ((-0.35, -0.1), (0.3, -0.5), (0.95, -0.1))),
        (True, rect(-0.75, -0.3, 0.45, 1.25)),
        (True, ((-0.8, -0.3), (-0.52, -0.9), (-0.25, -0.3))),
        (False, (*arc(0.3, 0.5, 0.16, -90, 90), (0.46, 0.95), (0.14, 0.95))),
        (False, circle(-0.52, 0.05, 0.1)),
    ]


def _dome() -> list[Part]:
    return [
        (True, (*arc(0, 0.1, 0.6, -90, 90),)),
        (True, rect(-0.75, 0.1, 1.5, 0.85)),
        (True, strip((0, -0.5), (0, -0.95), 0.07)),
        (True, rect(-1.0, -0.4, 0.14, 1.35)),
        (True, rect(0.86, -0.4, 0.14, 1.35)),
        (False, (*arc(0, 0.55, 0.2, -90, 90), (0.2, 0.95), (-0.2, 0.95))),
    ]


def _stadium() -> list[Part]:
    return [
        (True, tuple((x, y * 0.6) for x, y in circle(0, 0, 1))),
        (False, tuple((x * 0.62, y * 0.34) for x, y in circle(0, 0, 1))),
        (True, tuple((x * 0.5, y * 0.25) for x, y in circle(0, 0, 1))),
        (False, rect(-0.02, -0.25, 0.04, 0.5)),
    ]


def _castle() -> list[Part]:
    merlons = [(True, rect(x, -0.75, 0.22, 0.3)) for x in (-0.95, -0.55, 0.33, 0.73)]
    return [
        *merlons,
        (True, rect(-0.95, -0.5, 0.62, 1.45)),
        (True, rect(0.33, -0.5, 0.62, 1.45)),
        (True, rect(-0.4, -0.05, 0.8, 1.0)),
        (False, (*arc(0, 0.5, 0.22, -90, 90), (0.22, 0.95), (-0.22, 0.95))),
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
    "columns": (_columns, "a temple front with four columns"),
    "book": (_book, "an open book"),
    "peak": (_peak, "two mountain peaks"),
    "telescope": (_telescope, "a telescope on a tripod"),
    "leaf": (_leaf, "a leaf"),
    "feather": (_feather, "a feather"),
    "paw": (_paw, "a paw print"),
    "fish": (_fish, "a fish"),
    "beetle": (_beetle, "a beetle"),
    "scales": (_scales, "a pattern of scales"),
    "bridge": (_bridge, "a bridge with three arches"),
    "tower": (_tower, "a tower"),
    "church": (_church, "a church"),
    "dome": (_dome, "a domed building"),
    "stadium": (_stadium, "an oval arena"),
    "castle": (_castle, "a castle with two towers"),
}


def emblem(
    canvas: Canvas, name: str, centre: tuple[float, float], size: float, ink: str, ground: str
) -> str:
    """Paint an emblem `size` pixels from centre to edge; gives the sentence it makes certain."""
    parts, sentence = EMBLEMS[name]
    for inked, polygon in parts():
        canvas.polygon(moved(polygon, centre[0], centre[1], size), ink if inked else ground)
    return f"{sentence} as an emblem"
