"""The vocabulary of flags: each function gives the shapes of a layer and what it makes certain.

Lengths are in the units of the flag's own construction sheet. A colour is `"name:RRGGBB"`; its
name is what the fact says. A fact is worked out from the arguments that also make the shapes, so
that the two cannot part; where a layer is a detail of another (a fimbriation, the hole of a ring),
its fact is left out.
"""

from dataclasses import dataclass, replace
from itertools import accumulate

from hopsight.wiki.mini.draw.geometry import (
    Point,
    Polygon,
    Shape,
    circle,
    crescent,
    rect,
    star,
    strip,
)

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Layer:
    """Shapes painted in order, and the sentence (or none) that they make certain."""

    shapes: tuple[Shape, ...]
    fact: str | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag: its country's title, its size in units, its layers from the ground up."""

    title: str
    height: float
    width: float
    layers: tuple[Layer, ...]
    # A flag that is no rectangle is drawn on a neutral canvas.
    rectangular: bool = True
    kind: str = "flag"


def flag(title: str, height: float, width: float, *layers: Layer) -> Flag:
    """A rectangular flag."""
    return Flag(title, height, width, layers)


def civil_flag(title: str, height: float, width: float, *layers: Layer) -> Flag:
    """A rectangular flag for civil use: the state flag bears arms, this one does not."""
    return Flag(title, height, width, layers, kind="civil flag")


def name_of(colour: str) -> str:
    """The name in `"name:RRGGBB"`."""
    return colour.partition(":")[0]


def silent(layer: Layer) -> Layer:
    """The layer without its fact."""
    return replace(layer, fact=None)


def told(layer: Layer, fact: str) -> Layer:
    """The layer with another fact."""
    return replace(layer, fact=fact)


def joined(fact: str | None, *layers: Layer) -> Layer:
    """Several layers that make one thing certain together."""
    return Layer(tuple(shape for layer in layers for shape in layer.shapes), fact)


def field(height: float, width: float, colour: str) -> Layer:
    """A field of one colour."""
    return Layer((Shape(colour, rect(0, 0, width, height)),), f"{_a(colour)} field")


def hbands(height: float, width: float, colours: str, *weights: float, x: float = 0) -> Layer:
    """Horizontal bands (colours separated by blanks) over the flag from `x` on."""
    names, tops = _cut(colours, weights, height)
    shapes = tuple(
        Shape(colour, rect(x, top, width - x, bottom - top))
        for colour, top, bottom in zip(names, tops, tops[1:], strict=False)
    )
    return Layer(shapes, _bands_fact("horizontal", "from top to bottom", names))


def vbands(height: float, width: float, colours: str, *weights: float) -> Layer:
    """Vertical bands (colours separated by blanks) over the whole flag."""
    names, lefts = _cut(colours, weights, width)
    shapes = tuple(
        Shape(colour, rect(left, 0, right - left, height))
        for colour, left, right in zip(names, lefts, lefts[1:], strict=False)
    )
    return Layer(shapes, _bands_fact("vertical", "from left to right", names))


def _cut(colours: str, weights: tuple[float, ...], length: float) -> tuple[list[str], list[float]]:
    names = colours.split()
    parts = weights or (1.0,) * len(names)
    if len(parts) != len(names):
        raise ValueError("one weight for each band")
    return names, [0.0, *(total * length / sum(parts) for total in accumulate(parts))]


def _bands_fact(direction: str, order: str, colours: list[str]) -> str:
    count = NUMBERS[len(colours)] if len(colours) < len(NUMBERS) else str(len(colours))
    return f"{count} {direction} bands, {order}: {', '.join(name_of(c) for c in colours)}"


def block(x: float, y: float, width: float, height: float, colour: str, where: str) -> Layer:
    """A rectangle; `where` completes the fact, e.g. `"in the upper left corner"`."""
    fact = f"{_a(colour)} rectangle {where}"
    return Layer((Shape(colour, rect(x, y, width, height)),), fact)


def canton(width: float, height: float, colour: str) -> Layer:
    """A rectangle in the upper left corner."""
    return block(0, 0, width, height, colour, "in the upper left corner")


def hoist_triangle(height: float, depth: float, colour: str) -> Layer:
    """A triangle on the whole left edge."""
    points = ((0.0, 0.0), (depth, height / 2), (0.0, height))
    return Layer((Shape(colour, points),), f"{_a(colour)} triangle on the left edge")


def cross(height: float, width: float, colour: str, cx: float, bar: float) -> Layer:
    """A cross reaching all four edges, its upright centred on `cx`."""
    shapes = (
        Shape(colour, rect(cx - bar / 2, 0, bar, height)),
        Shape(colour, rect(0, height / 2 - bar / 2, width, bar)),
    )
    side = "in the middle" if abs(cx - width / 2) < 1e-9 else "left of the middle"
    return Layer(shapes, f"{_a(colour)} cross reaching all four edges, its upright {side}")


def saltire(height: float, width: float, colour: str, bar: float) -> Layer:
    """A diagonal cross from corner to corner."""
    shapes = (
        Shape(colour, _long_strip((0, 0), (width, height), bar)),
        Shape(colour, _long_strip((0, height), (width, 0), bar)),
    )
    return Layer(shapes, f"{_a(colour)} diagonal cross from corner to corner")


def diagonal(height: float, width: float, colour: str, bar: float, rising: bool) -> Layer:
    """A band from one lower corner to the opposite upper one (rising from the left, or falling)."""
    start, end = ((0.0, height), (width, 0.0)) if rising else ((0.0, 0.0), (width, height))
    way = "lower left to the upper right" if rising else "upper left to the lower right"
    return Layer(
        (Shape(colour, _long_strip(start, end, bar)),),
        f"{_a(colour)} diagonal band from the {way} corner",
    )


def _long_strip(start: Point, end: Point, thickness: float) -> Polygon:
    """A strip that runs past both ends, so that the corners are filled."""
    dx, dy = (end[0] - start[0]) * 0.2, (end[1] - start[1]) * 0.2
    return strip((start[0] - dx, start[1] - dy), (end[0] + dx, end[1] + dy), thickness)


def disc(cx: float, cy: float, radius: float, colour: str, where: str = "in the centre") -> Layer:
    """A disc."""
    return Layer((Shape(colour, circle(cx, cy, radius)),), f"{_a(colour)} disc {where}")


def moon(
    colour: str, cx: float, cy: float, r: float, cut_x: float, cut_y: float, cut_r: float
) -> Layer:
    """A crescent."""
    return Layer(
        (Shape(colour, crescent(cx, cy, r, cut_x, cut_y, cut_r)),), f"{_a(colour)} crescent"
    )


def stars(
    colour: str,
    places: tuple[tuple[float, float, float], ...],
    points: int = 5,
    inner: float = 0.381966,
    turn: float = 0,
) -> Layer:
    """Stars at (x, y, radius)."""
    shapes = tuple(Shape(colour, star(x, y, r, points, inner, turn)) for x, y, r in places)
    kind = f"{name_of(colour)} {NUMBERS[points] if points < len(NUMBERS) else points}-pointed star"
    return Layer(shapes, _a(kind) if len(places) == 1 else _many(kind, places))


def _many(kind: str, places: tuple[tuple[float, float, float], ...]) -> str:
    count = NUMBERS[len(places)] if len(places) < len(NUMBERS) else str(len(places))
    return f"{count} {kind}s"


def _a(phrase: str) -> str:
    noun = name_of(phrase)
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def shape(colour: str, points: Polygon, fact: str | None = None) -> Layer:
    """A polygon with a fact of its own."""
    return Layer((Shape(colour, points),), fact)
