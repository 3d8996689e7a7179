"""The more intricate flags of Africa."""

from math import cos, pi, sin

from hopsight.wiki.mini.draw.geometry import (
    Point,
    Polygon,
    around,
    inset,
    rect,
    star,
    strip,
)
from hopsight.wiki.mini.draw.layers import (
    Layer,
    block,
    canton,
    diagonal,
    disc,
    field,
    hbands,
    hoist_triangle,
    joined,
    moon,
    saltire,
    shape,
    silent,
    stars,
    told,
)

WHITE, BLACK = "white:FFFFFF", "black:000000"
_RED = "red:CE1126"


def pentagram(cx: float, cy: float, radius: float, line: float, colour: str, ground: str) -> Layer:
    """The outline of a five-pointed star in one stroke: five tips and a pentagon stay open."""
    tips = [around(cx, cy, radius, 72 * k) for k in range(5)]
    knots = [around(cx, cy, radius * 0.381966, 72 * k + 36) for k in range(5)]
    open_parts = [(tips[k], knots[k], knots[k - 1]) for k in range(5)]
    # A stroke is centred on its line: half of it lies outside the star.
    outer = star(cx, cy, radius + line / 2 / sin(pi / 10))
    return joined(
        f"a {colour.partition(':')[0]} five-pointed star drawn in outline (a pentagram)",
        shape(colour, outer),
        *(shape(ground, inset(part, line / 2)) for part in open_parts),
        shape(ground, inset(tuple(knots), line / 2)),
    )


def bowl(left: Point, width: float, upper_depth: float, lower_depth: float) -> Polygon:
    """A crescent lying on its back: two arcs of ellipses between the same two horns."""
    (x, y), half = left, width / 2
    steps = [pi * k / 90 for k in range(91)]
    lower = [(x + half - half * cos(t), y + lower_depth * sin(t)) for t in steps]
    upper = [(x + half + half * cos(t), y + upper_depth * sin(t)) for t in steps]
    return tuple(lower + upper)


def _burundi_star(cx: float, cy: float) -> tuple[Layer, ...]:
    ratio = 1 / 3**0.5
    return (
        silent(stars("green:1EB53A", ((cx, cy, 20),), 6, ratio)),
        silent(stars(_RED, ((cx, cy, 16.4),), 6, ratio)),
    )


BURUNDI = (
    told(field(300, 500, "green:1EB53A"), "a green triangle on the left and one on the right"),
    joined(
        "a red triangle at the top and one at the bottom",
        shape(_RED, ((0, 0), (500, 0), (250, 150))),
        shape(_RED, ((0, 300), (500, 300), (250, 150))),
    ),
    saltire(300, 500, WHITE, 40),
    disc(250, 150, 85, WHITE),
    joined(
        "three red six-pointed stars with green edges on the white disc",
        *(part for angle in (0, 120, 240) for part in _burundi_star(*around(250, 150, 44, angle))),
    ),
)

CAPE_VERDE = (
    field(300, 510, "blue:003893"),
    joined(
        "two white stripes with a red stripe between them",
        shape(WHITE, rect(0, 150, 510, 75)),
        shape("red:CF2027", rect(0, 175, 510, 25)),
    ),
    told(
        joined(
            None,
            *(
                stars("yellow:F7D116", ((*around(191.25, 187.5, 75, 36 * k), 15),))
                for k in range(10)
            ),
        ),
        "ten yellow five-pointed stars in a ring",
    ),
)

CENTRAL_AFRICA = (
    hbands(800, 1200, f"blue:003082 {WHITE} green:289728 yellow:FFCE00"),
    block(500, 0, 200, 800, "red:D21034", "from top to bottom over the middle of the bands"),
    told(stars("yellow:FFCE00", ((200, 108.6, 90),)), "a yellow star in the upper left"),
)

COMOROS = (
    hbands(300, 500, f"yellow:FFC61E {WHITE} red:CE1126 blue:3A75C4"),
    hoist_triangle(300, 250, "green:3D8E33"),
    moon(WHITE, 85, 150, 67.5, 115, 150, 67.5),
    stars(WHITE, tuple((100, 101.7 + 32.2083 * k, 12.5) for k in range(4))),
)

ETHIOPIA_RAYS = tuple(
    strip(around(360, 180, 44, 36 + 72 * k), around(360, 180, 96, 36 + 72 * k), 4) for k in range(5)
)
ETHIOPIA = (
    hbands(360, 720, "green:078930 yellow:FCDD09 red:DA121A"),
    disc(360, 180, 120, "blue:0F47AF"),
    told(
        pentagram(360, 180, 83, 8, "yellow:FCDD09", "blue:0F47AF"),
        "a yellow pentagram on the disc",
    ),
    joined("five yellow rays on the disc", *(shape("yellow:FCDD09", r) for r in ETHIOPIA_RAYS)),
)

LIBERIA = (
    hbands(110, 209, " ".join(["red:BF0A30", WHITE] * 5 + ["red:BF0A30"])),
    canton(50, 50, "blue:002868"),
    stars(WHITE, ((25, 25, 15),)),
)

NAMIBIA = (
    silent(field(60, 90, "green:009543")),
    shape("blue:003580", ((0, 0), (90, 0), (0, 60)), "blue above the diagonal, green below it"),
    silent(diagonal(60, 90, WHITE, 19.97, rising=True)),
    told(
        diagonal(60, 90, "red:D21034", 14.98, rising=True),
        "a red diagonal band with white edges from the lower left to the upper right corner",
    ),
    told(
        stars("yellow:FFCE00", ((18, 16.5, 10),), 12, 0.6),
        "a yellow sun with twelve triangular rays in the upper left",
    ),
    silent(disc(18, 16.5, 6, "blue:003580")),
    silent(disc(18, 16.5, 5, "yellow:FFCE00")),
)

RWANDA = (
    hbands(720, 1080, "blue:00A1DE yellow:FAD201 green:20603D", 2, 1, 1),
    told(
        stars("yellow:E5BE01", ((886.5, 188.1, 116.1),), 24, 0.31),
        "a yellow sun with twenty-four rays in the upper right",
    ),
    silent(disc(886.5, 188.1, 36, "blue:00A1DE")),
    silent(disc(886.5, 188.1, 32.6, "yellow:E5BE01")),
)

SEYCHELLES = (
    shape("blue:003F87", ((0, 450), (0, 0), (300, 0)), None),
    shape("yellow:FCD856", ((0, 450), (300, 0), (600, 0)), None),
    shape("red:D62828", ((0, 450), (600, 0), (900, 0), (900, 150)), None),
    shape(WHITE, ((0, 450), (900, 150), (900, 300)), None),
    shape(
        "green:007A3D",
        ((0, 450), (900, 300), (900, 450)),
        "five oblique bands that spread from the lower left corner: "
        "blue, yellow, red, white, green",
    ),
)

# The green pall runs along the diagonals of a 2:3 flag to its middle, then straight on; it is
# edged white outside and gold towards the black triangle.
SOUTH_AFRICA_CENTRE: Point = (4.5, 3)


def _pall(colour: str, bar: float) -> Layer:
    return joined(
        None,
        shape(colour, strip((-1.5, -1), SOUTH_AFRICA_CENTRE, bar)),
        shape(colour, strip((-1.5, 7), SOUTH_AFRICA_CENTRE, bar)),
        shape(colour, rect(4.5, 3 - bar / 2, 4.5, bar)),
    )


SOUTH_AFRICA = (
    told(hbands(6, 9, "red:E03C31 blue:001489"), "red along the top and blue along the bottom"),
    _pall(WHITE, 2),
    shape("gold:FFB81C", ((0, 0), SOUTH_AFRICA_CENTRE, (0, 6)), None),
    shape(
        BLACK,
        ((0, 1.2019), (2.6972, 3), (0, 4.7981)),
        "a black triangle with golden edges on the left edge",
    ),
    told(_pall("green:007749", 1.2), "a green Y lying on its side"),
)
