"""Flags of Oceania whose geometry is exact: no arms, no writing."""

from hopsight.wiki.mini.draw.flags.union import union_jack
from hopsight.wiki.mini.draw.geometry import around, rect, turned
from hopsight.wiki.mini.draw.layers import (
    Flag,
    Layer,
    block,
    canton,
    diagonal,
    disc,
    field,
    flag,
    joined,
    shape,
    silent,
    stars,
    told,
)

WHITE, BLACK = "white:FFFFFF", "black:000000"
_JACK = "red and white crosses, one upright and one diagonal, in the upper left corner"


def _jack(height: float, width: float, blue: str) -> Layer:
    return joined(_JACK, *union_jack(height, width, blue=blue))


# Places of the Southern Cross after the Flags Act's table, in 30240ths of the flag's length.
_SOUTHERN_CROSS = ((22680, 12600), (18900, 6615), (22680, 2520), (26040, 5607))
AUSTRALIA = (
    field(15120, 30240, "blue:012169"),
    _jack(7560, 15120, "blue:012169"),
    told(
        stars(WHITE, ((7560, 11340, 2268),), 7, 4 / 9),
        "a large white seven-pointed star in the lower left",
    ),
    told(
        stars(WHITE, tuple((x, y, 1080) for x, y in _SOUTHERN_CROSS), 7, 4 / 9),
        "four white seven-pointed stars on the right",
    ),
    told(
        stars(WHITE, ((24192, 8190, 630),), 5, 4 / 9),
        "a small white five-pointed star among them",
    ),
)

# Centre, radius of the white star and of the red one upon it.
_NEW_ZEALAND_STARS = (
    (900, 120, 47.7, 31.5),
    (1018.8, 223.3, 42.5, 26.3),
    (761.4, 259.5, 47.7, 31.5),
    (900, 480, 53, 36.8),
)
NEW_ZEALAND = (
    field(600, 1200, "blue:012169"),
    _jack(300, 600, "blue:012169"),
    silent(stars(WHITE, tuple((x, y, outer) for x, y, outer, _ in _NEW_ZEALAND_STARS))),
    told(
        stars("red:C8102E", tuple((x, y, inner) for x, y, _, inner in _NEW_ZEALAND_STARS)),
        "four red five-pointed stars with white edges on the right",
    ),
)


def _marshall_ray(angle: float, long: bool) -> Layer:
    length, half = (93, 5.59) if long else (66.588, 6.824)
    x, y = 109.536, 109.536
    ray = ((x, y - length), (x + half, y), (x - half, y))
    return shape(WHITE, turned(ray, x, y, angle))


MARSHALL = (
    field(300, 570, "blue:003893"),
    shape(WHITE, ((0, 295.2), (0, 288), (570, 35), (570, 122.4)), None),
    shape("orange:DD7500", ((0, 290.4), (0, 285.6), (570, 4.8), (570, 63.6)), None),
    joined(
        "two stripes, orange above white, that widen from the lower left to the upper right",
    ),
    joined(
        "a white star with twenty-four rays in the upper left",
        *(_marshall_ray(15 * k, long=k % 6 == 0) for k in range(24)),
    ),
)

SAMOA_STARS = (
    (720, 604.9, 105.1),
    (500, 292.9, 83.5),
    (945, 257.4, 78.1),
    (720, 112.9, 83.5),
    (830, 417.5, 52.6),
)

_TUVALU_UP = ((645.34, 540.99), (996.44, 390.05), (1102.84, 321.55), (1102.84, 87.49))
_TUVALU_DOWN = (
    (788.03, 504.52),
    (788.03, 382.53),
    (914.03, 473.68),
    (914.03, 208.27),
    (1019.93, 172.08),
)
TUVALU = (
    field(600, 1200, "light-blue:5B97B1"),
    _jack(300, 600, "blue:012169"),
    joined(
        "nine yellow five-pointed stars on the right and at the bottom",
        stars("yellow:FFCE00", tuple((x, y, 50.08) for x, y in _TUVALU_UP)),
        stars("yellow:FFCE00", tuple((x, y, 50.08) for x, y in _TUVALU_DOWN), turn=36),
    ),
)

SOLOMON = (
    shape("blue:0051BA", ((0, 0), (800, 0), (0, 400)), "blue above the diagonal, green below it"),
    shape("green:215B33", ((800, 0), (800, 400), (0, 400))),
    told(
        diagonal(400, 800, "yellow:FCD116", 36, rising=True),
        "a narrow yellow diagonal stripe from the lower left to the upper right corner",
    ),
    told(
        stars(
            WHITE,
            ((140, 120, 40), (61, 52.3, 40), (219, 52.3, 40), (61, 187.7, 40), (219, 187.7, 40)),
        ),
        "five white five-pointed stars in the upper left",
    ),
)

FLAGS: tuple[Flag, ...] = (
    flag("Australia", 15120, 30240, *AUSTRALIA),
    flag("Marshall Islands", 300, 570, *MARSHALL),
    flag(
        "Federated States of Micronesia",
        20,
        38,
        field(20, 38, "light-blue:75B2DD"),
        joined(
            "four white five-pointed stars around the centre",
            *(stars(WHITE, ((*around(19, 10, 6, 90 * k), 2),), turn=90 * k) for k in range(4)),
        ),
    ),
    flag(
        "Nauru",
        300,
        600,
        field(300, 600, "blue:002B7F"),
        block(0, 137.5, 600, 25, "yellow:FFC61E", "from edge to edge across the middle"),
        told(
            stars(WHITE, ((150, 212.5, 50),), 12, 0.533),
            "a white twelve-pointed star in the lower left",
        ),
    ),
    flag("New Zealand", 600, 1200, *NEW_ZEALAND),
    flag(
        "Palau",
        500,
        800,
        field(500, 800, "light-blue:4AADD6"),
        disc(350, 250, 150, "yellow:FFDE00", "a little left of the centre"),
    ),
    flag(
        "Samoa",
        1440,
        2880,
        field(1440, 2880, "red:CE1126"),
        canton(1440, 720, "blue:002B7F"),
        told(stars(WHITE, SAMOA_STARS), "five white five-pointed stars on the blue rectangle"),
    ),
    flag("Solomon Islands", 400, 800, *SOLOMON),
    flag(
        "Tonga",
        48,
        96,
        field(48, 96, "red:C10000"),
        canton(40, 24, WHITE),
        joined(
            "a red cross with short arms on the white rectangle",
            shape("red:C10000", rect(17, 3, 6, 18)),
            shape("red:C10000", rect(11, 9, 18, 6)),
        ),
    ),
    flag("Tuvalu", 600, 1200, *TUVALU),
)
