"""Flags of the Americas whose geometry is exact: no arms, no writing.

Where the state flag bears arms, the civil flag without them stands here and is called so.
"""

from hopsight.wiki.mini.draw.geometry import Polygon, around, rect
from hopsight.wiki.mini.draw.layers import (
    Flag,
    canton,
    civil_flag,
    diagonal,
    field,
    flag,
    hbands,
    hoist_triangle,
    joined,
    saltire,
    shape,
    silent,
    stars,
    told,
    vbands,
)

WHITE, BLACK = "white:FFFFFF", "black:000000"

_SUN = "yellow:FCD116"


def _sun_ray(angle: float) -> Polygon:
    """A ray of Antigua's sun: its tip is 30 from the centre."""
    return (
        around(69, 36, 30, angle),
        around(69, 36, 5.742, angle + 90),
        around(69, 36, 5.742, angle - 90),
    )


ANTIGUA = (
    told(
        hbands(92, 138, f"{BLACK} blue:0072C6 {WHITE}", 36, 20, 36),
        "a wedge of three bands that narrows downwards: black, blue, white",
    ),
    joined(
        "a yellow rising sun with pointed rays on the black",
        *(shape(_SUN, _sun_ray(-90 + 22.5 * k)) for k in range(9)),
    ),
    shape("blue:0072C6", rect(0, 36, 138, 20)),
    joined(
        "a red triangle on the left side and one on the right side, meeting at the bottom",
        shape("red:CE1126", ((0, 0), (69, 92), (0, 92))),
        shape("red:CE1126", ((138, 0), (138, 92), (69, 92))),
    ),
)

GUYANA = (
    field(300, 500, "green:009E49"),
    silent(hoist_triangle(300, 500, WHITE)),
    shape(
        _SUN,
        ((0, 13.05), (456, 150), (0, 286.95)),
        "a long yellow triangle with white edges that points to the right",
    ),
    silent(hoist_triangle(300, 250, BLACK)),
    shape(
        "red:CE1126",
        ((0, 17.5), (220.85, 150), (0, 282.5)),
        "a red triangle with black edges on the left edge",
    ),
)

# Fifty stars: nine rows, six and five by turns.
USA = (
    hbands(650, 1235, " ".join(["red:B22234", WHITE] * 6 + ["red:B22234"])),
    canton(494, 350, "blue:3C3B6E"),
    told(
        stars(
            WHITE,
            tuple(
                (494 / 12 * (1 + 2 * column + row % 2), 35 * (row + 1), 20.02)
                for row in range(9)
                for column in range(6 - row % 2)
            ),
        ),
        "fifty white stars on the blue rectangle",
    ),
)

PANAMA = (
    told(
        joined(
            None,
            field(24, 36, WHITE),
            shape("blue:005293", rect(0, 12, 18, 12)),
            shape("red:D21034", rect(18, 0, 18, 12)),
        ),
        "four quarters: white and red above, blue and white below",
    ),
    told(stars("blue:005293", ((9, 6, 3),)), "a blue star in the upper left quarter"),
    told(stars("red:D21034", ((27, 18, 3),)), "a red star in the lower right quarter"),
)

ST_KITTS = (
    shape("green:009E49", ((0, 0), (750, 0), (0, 500)), "green above the diagonal, red below it"),
    shape("red:CE1126", ((750, 0), (750, 500), (0, 500))),
    silent(diagonal(500, 750, "yellow:FCD116", 210, rising=True)),
    told(
        diagonal(500, 750, BLACK, 150, rising=True),
        "a black diagonal band with yellow edges from the lower left to the upper right corner",
    ),
    told(
        stars(WHITE, ((517.5, 155, 70), (232.5, 345, 70)), turn=-33.69),
        "two white five-pointed stars on the black band",
    ),
)


def _diamond(cx: float, cy: float) -> Polygon:
    return ((cx, cy - 8), (cx + 4, cy), (cx, cy + 8), (cx - 4, cy))


FLAGS: tuple[Flag, ...] = (
    flag("Antigua and Barbuda", 92, 138, *ANTIGUA),
    flag(
        "The Bahamas",
        300,
        600,
        hbands(300, 600, "turquoise:00ABC9 yellow:FAE042 turquoise:00ABC9"),
        hoist_triangle(300, 259.8076, BLACK),
    ),
    flag(
        "Chile",
        16,
        24,
        hbands(16, 24, f"{WHITE} red:D52B1E"),
        canton(8, 8, "blue:0039A6"),
        told(stars(WHITE, ((4, 4, 2),)), "a white star on the blue rectangle"),
    ),
    flag("Colombia", 2, 3, hbands(2, 3, "yellow:FCD116 blue:003893 red:CE1126", 2, 1, 1)),
    civil_flag(
        "Costa Rica",
        6,
        10,
        hbands(6, 10, f"blue:002B7F {WHITE} red:CE1126 {WHITE} blue:002B7F", 1, 1, 2, 1, 1),
    ),
    flag(
        "Cuba",
        400,
        800,
        hbands(400, 800, f"blue:002A8F {WHITE} blue:002A8F {WHITE} blue:002A8F"),
        hoist_triangle(400, 346.41, "red:CF142B"),
        told(stars(WHITE, ((115.47, 200, 60),)), "a white five-pointed star on the red triangle"),
    ),
    civil_flag(
        "Dominican Republic",
        25,
        40,
        told(
            joined(
                None,
                field(25, 40, WHITE),
                shape("blue:002D62", rect(0, 0, 17.5, 10)),
                shape("red:CE1126", rect(22.5, 0, 17.5, 10)),
                shape("red:CE1126", rect(0, 15, 17.5, 10)),
                shape("blue:002D62", rect(22.5, 15, 17.5, 10)),
            ),
            "a white cross between four rectangles: blue and red above, red and blue below",
        ),
    ),
    civil_flag("Guatemala", 5, 8, vbands(5, 8, f"blue:4997D0 {WHITE} blue:4997D0")),
    flag("Guyana", 300, 500, *GUYANA),
    civil_flag("Haiti", 3, 5, hbands(3, 5, "blue:00209F red:D21034")),
    flag(
        "Honduras",
        36,
        72,
        hbands(36, 72, f"blue:00BCE4 {WHITE} blue:00BCE4"),
        stars(
            "blue:00BCE4",
            tuple((x, y, 2) for x, y in ((26, 15), (26, 21), (36, 18), (46, 15), (46, 21))),
        ),
    ),
    flag(
        "Jamaica",
        6,
        12,
        told(field(6, 12, "green:009B3A"), "a green triangle at the top and one at the bottom"),
        joined(
            "a black triangle on the left and one on the right",
            shape(BLACK, ((0, 0), (6, 3), (0, 6))),
            shape(BLACK, ((12, 0), (12, 6), (6, 3))),
        ),
        saltire(6, 12, "gold:FED100", 1.0),
    ),
    flag("Panama", 24, 36, *PANAMA),
    civil_flag("Peru", 2, 3, vbands(2, 3, f"red:D91023 {WHITE} red:D91023")),
    flag("Saint Kitts and Nevis", 500, 750, *ST_KITTS),
    flag(
        "Saint Lucia",
        300,
        600,
        field(300, 600, "light-blue:66CCFF"),
        shape(WHITE, ((200, 274), (300, 27), (400, 274)), None),
        shape(BLACK, ((213.5, 274), (300, 60), (386.5, 274)), "a black triangle with white edges"),
        shape(
            "yellow:FCD116",
            ((200, 274), (300, 150), (400, 274)),
            "a yellow triangle in front of it",
        ),
    ),
    flag(
        "Saint Vincent and the Grenadines",
        48,
        72,
        vbands(48, 72, "blue:0072C6 yellow:FCD116 green:009E60", 1, 2, 1),
        joined(
            "three green diamonds in the shape of a V",
            *(shape("green:009E60", _diamond(x, y)) for x, y in ((31, 24), (41, 24), (36, 34))),
        ),
    ),
    flag(
        "Suriname",
        600,
        900,
        hbands(600, 900, f"green:377E3F {WHITE} red:B40A2D {WHITE} green:377E3F", 2, 1, 4, 1, 2),
        stars("yellow:ECC81D", ((450, 311.46, 120),)),
    ),
    flag(
        "Trinidad and Tobago",
        18,
        30,
        field(18, 30, "red:CE1126"),
        shape(WHITE, ((0, 0), (9.175, 0), (30, 18), (20.825, 18)), None),
        shape(
            BLACK,
            ((1.529, 0), (7.646, 0), (28.471, 18), (22.354, 18)),
            "a black diagonal band with white edges from the upper left to the lower right",
        ),
    ),
    flag("United States", 650, 1235, *USA),
    civil_flag(
        "Venezuela",
        120,
        180,
        hbands(120, 180, "yellow:FFCC00 blue:00247D red:CF142B"),
        told(
            joined(
                None,
                *(
                    stars(WHITE, ((*around(90, 84, 36, -70 + 20 * k), 5),), turn=-70 + 20 * k)
                    for k in range(8)
                ),
            ),
            "eight white five-pointed stars in an arc",
        ),
    ),
)
