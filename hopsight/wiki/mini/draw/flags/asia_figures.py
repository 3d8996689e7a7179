"""The more intricate flags of Asia."""

from itertools import chain

from hopsight.wiki.mini.draw.geometry import (
    Point,
    Polygon,
    Shape,
    arc,
    around,
    circle,
    moved,
    rect,
    star,
    turned,
)
from hopsight.wiki.mini.draw.layers import (
    Layer,
    canton,
    cross,
    disc,
    field,
    hbands,
    hoist_triangle,
    joined,
    moon,
    shape,
    silent,
    stars,
    told,
)

WHITE, BLACK = "white:FFFFFF", "black:000000"


def zigzag(height: float, low: float, high: float, teeth: int) -> Polygon:
    """A field on the left whose right edge has `teeth` points between the depths low and high."""
    step = height / teeth
    edge = chain.from_iterable(((low, k * step), (high, (k + 0.5) * step)) for k in range(teeth))
    return ((0.0, 0.0), *edge, (low, height), (0.0, height))


def bent(a: Point, b: Point, sagitta: float) -> Polygon:
    """Points of a shallow arc from a to b that bulges by `sagitta` to the left of the way."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = (dx * dx + dy * dy) ** 0.5
    nx, ny = dy / length, -dx / length
    parts = [(k / 24, 4 * sagitta * (k / 24) * (1 - k / 24)) for k in range(25)]
    return tuple((a[0] + dx * t + nx * rise, a[1] + dy * t + ny * rise) for t, rise in parts)


def _bolnur_arm(cx: float, cy: float) -> Polygon:
    """One of the two curved bars of a small Georgian cross."""
    x, y, side, end = 6.80951, 19.4174, 1.828, 0.423
    bar = (
        bent((-x, -y), (-x, y), side)
        + bent((-x, y), (x, y), end)
        + bent((x, y), (x, -y), side)
        + bent((x, -y), (-x, -y), end)
    )
    return tuple((cx + px, cy + py) for px, py in bar)


_CORNERS = ((64.45, 39.45), (235.55, 39.45), (64.45, 160.55), (235.55, 160.55))
GEORGIA = (
    field(200, 300, WHITE),
    cross(200, 300, "red:E8112D", 150, 40),
    joined(
        "four small red crosses, one in each quarter",
        *(shape("red:E8112D", _bolnur_arm(x, y)) for x, y in _CORNERS),
        *(shape("red:E8112D", turned(_bolnur_arm(x, y), x, y, 90)) for x, y in _CORNERS),
    ),
)

_NAVY = "navy-blue:000088"
INDIA = (
    hbands(150, 225, f"saffron:FF9933 {WHITE} green:128807"),
    silent(disc(112.5, 75, 20, _NAVY)),
    silent(disc(112.5, 75, 17.5, WHITE)),
    joined(
        "a navy-blue wheel with twenty-four spokes in the centre",
        *(
            shape(
                _NAVY,
                turned(((112.5, 57.5), (113.1, 68), (112.5, 75), (111.9, 68)), 112.5, 75, 15 * k),
            )
            for k in range(24)
        ),
        *(shape(_NAVY, circle(*around(112.5, 75, 17.5, 7.5 + 15 * k), 0.875)) for k in range(24)),
        disc(112.5, 75, 3.5, _NAVY),
    ),
)

_ISRAEL_BLUE = "blue:0038B8"


def _outline_triangle(turn: float) -> tuple[Layer, ...]:
    outer = [around(110, 80, 34.641, turn + 120 * k) for k in range(3)]
    inner = [around(110, 80, 23.641, turn + 120 * k) for k in range(3)]
    return tuple(
        shape(_ISRAEL_BLUE, (outer[k], outer[k - 1], inner[k - 1], inner[k])) for k in range(3)
    )


ISRAEL = (
    field(160, 220, WHITE),
    joined(
        "two blue horizontal stripes, near the top and near the bottom",
        shape(_ISRAEL_BLUE, rect(0, 15, 220, 25)),
        shape(_ISRAEL_BLUE, rect(0, 120, 220, 25)),
    ),
    joined(
        "a blue six-pointed star made of two outlined triangles in the centre",
        *_outline_triangle(0),
        *_outline_triangle(180),
    ),
)

MALAYSIA = (
    hbands(1400, 2800, " ".join(["red:CC0001", WHITE] * 7)),
    canton(1400, 800, "blue:010066"),
    moon("yellow:FFCC00", 576, 400, 300, 651.656, 400.81, 266.9),
    stars("yellow:FFCC00", ((875, 400, 252),), 14, 0.46),
)

_SUN = "yellow:FCD116"


def _philippine_rays() -> tuple[Layer, ...]:
    """Eight groups of a broad ray between two narrow ones, about (28, 45)."""
    broad = ((-19, 0), (-17.831, 1.169), (0, 0), (-17.831, -1.169))
    narrow = ((-17.0, 2.238), (-16.046, 3.192), (0, 0))
    other = tuple((x, -y) for x, y in narrow)
    return tuple(
        shape(_SUN, turned(tuple((28 + x, 45 + y) for x, y in ray), 28, 45, 45 * k))
        for k in range(8)
        for ray in (broad, narrow, other)
    )


PHILIPPINES = (
    told(hbands(90, 180, "blue:0038A8 red:CE1126"), "two horizontal bands: blue above, red below"),
    hoist_triangle(90, 77.942, WHITE),
    joined(
        "a yellow sun with eight groups of rays on the white triangle",
        disc(28, 45, 9, _SUN),
        *_philippine_rays(),
    ),
    joined(
        "three small yellow stars near the corners of the triangle",
        *(
            shape(_SUN, star(*around(25.981, 45, 37.9615, angle), 5, 5, 0.4, angle))
            for angle in (90, 210, 330)
        ),
    ),
)

SINGAPORE = (
    hbands(2880, 4320, f"red:ED2939 {WHITE}"),
    moon(WHITE, 940.18, 720, 541.5, 1140.1, 720, 511.73),
    stars(
        WHITE,
        tuple(
            (x, y, 131.6)
            for x, y in (
                (933.6, 626.7),
                (1510.8, 626.7),
                (1222.5, 412.5),
                (1041.6, 969.4),
                (1402.8, 969.4),
            )
        ),
    ),
)

# The diagonal of a 2:3 flag; the trigrams stand across it and across the other diagonal.
_LEAN = 56.3099325


def _trigram(angle: float, broken: tuple[bool, bool, bool]) -> tuple[Layer, ...]:
    """Three bars at 19, 22 and 25 from the centre in a direction (0 is up)."""
    bars: list[Layer] = []
    for distance, gap in zip((19, 22, 25), broken, strict=True):
        spans = ((-6.0, -0.5), (0.5, 6.0)) if gap else ((-6.0, 6.0),)
        for start, end in spans:
            bar = rect(36 + start, 24 - distance - 1, end - start, 2)
            bars.append(shape(BLACK, turned(bar, 36, 24, angle)))
    return tuple(bars)


_BLUE, _RED = "blue:003478", "red:C60C30"
SOUTH_KOREA = (
    field(48, 72, WHITE),
    joined(
        "a disc in the centre of two interlocking halves, red above and blue below",
        disc(36, 24, 12, _RED),
        shape(_BLUE, turned(arc(36, 24, 12, 180, 360), 36, 24, -_LEAN)),
        shape(_BLUE, circle(*around(36, 24, 6, 180 - _LEAN), 6)),
        shape(_RED, circle(*around(36, 24, 6, -_LEAN), 6)),
    ),
    joined(
        "a group of three black bars near each corner",
        *_trigram(-_LEAN, (False, False, False)),
        *_trigram(180 - _LEAN, (True, True, True)),
        *_trigram(-180 + _LEAN, (False, True, False)),
        *_trigram(_LEAN, (True, False, True)),
    ),
)

# After the schedule of the constitution: two pennons one over the other, a border of half of
# TN, a moon and a sun. The unit makes the crimson 60 wide and 80 high.
_BORDER = 2.5823
NEPAL_WIDTH, NEPAL_HEIGHT = 60 + 4.4824 * _BORDER, 80 + 2.8057 * _BORDER
_LEFT, _TOP = _BORDER, 1.8057 * _BORDER
_CRIMSON = ((0.0, 0.0), (60.0, 37.5736), (17.5736, 37.5736), (60.0, 80.0), (0.0, 80.0))
_NEPAL_BORDER = (
    (-_BORDER, -1.8057 * _BORDER),
    (60 + 3.4824 * _BORDER, 37.5736 + _BORDER),
    (17.5736 + 2.4142 * _BORDER, 37.5736 + _BORDER),
    (60 + 2.4142 * _BORDER, 80 + _BORDER),
    (-_BORDER, 80 + _BORDER),
)


def _rays(cy: float, radius: float, tip: float, half: float, angles: tuple[float, ...]) -> Layer:
    """White triangles on the rim of a disc about (15, cy)."""
    return joined(
        None,
        *(
            shape(
                WHITE,
                (
                    around(15, cy, radius, angle - half),
                    around(15, cy, radius * tip, angle),
                    around(15, cy, radius, angle + half),
                ),
            )
            for angle in angles
        ),
    )


_MOON_ANGLES = tuple(11.25 + 22.5 * k for k in range(-6, 6))
NEPAL = tuple(
    Layer(tuple(Shape(s.colour, moved(s.points, _LEFT, _TOP)) for s in layer.shapes), layer.fact)
    for layer in (
        shape("blue:003893", _NEPAL_BORDER, "a blue border"),
        shape("crimson:DC143C", _CRIMSON, "two crimson pennons, one above the other"),
        joined(
            "a white moon with rays on the upper pennon",
            moon(WHITE, 15, 23.4835, 11.9503, 15, 18.7861, 12.8401),
            disc(15, 29.0446, 5.5611, WHITE),
            _rays(29.0446, 5.5611, 1.38878, 11.25, _MOON_ANGLES),
        ),
        joined(
            "a white sun with twelve rays on the lower pennon",
            disc(15, 58.7868, 8.1434, WHITE),
            _rays(58.7868, 8.1434, 1.57675, 15, tuple(30.0 * k for k in range(12))),
        ),
    )
)

_UZBEK_STARS = tuple(
    (136 + 24 * column, 64 - 24 * row, 6.0)
    for column, rows in ((-2, 1), (-1, 2), (0, 3), (1, 3), (2, 3))
    for row in range(rows)
)
UZBEKISTAN = (
    hbands(250, 500, f"blue:0099B5 red:CE1126 {WHITE} red:CE1126 green:1EB53A", 80, 5, 80, 5, 80),
    moon(WHITE, 70, 40, 30, 80, 40, 30),
    stars(WHITE, _UZBEK_STARS),
)
