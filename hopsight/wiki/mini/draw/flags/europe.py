"""Flags of Europe whose geometry is exact: no arms, no writing.

Where the state flag bears arms, the civil flag without them stands here and is called so.
Left out: Luxembourg (as good as the Netherlands'), Monaco (Indonesia's).
"""

from hopsight.wiki.mini.draw.flags.union import union_jack
from hopsight.wiki.mini.draw.geometry import rect
from hopsight.wiki.mini.draw.layers import (
    Flag,
    canton,
    civil_flag,
    cross,
    disc,
    field,
    flag,
    hbands,
    hoist_triangle,
    joined,
    shape,
    silent,
    stars,
    told,
    vbands,
)

WHITE, BLACK = "white:FFFFFF", "black:000000"

# The Greek canton is five stripes square; the stripes under it are nine.
GREECE = (
    hbands(18, 27, " ".join(["blue:0D5EAF", WHITE] * 4 + ["blue:0D5EAF"])),
    canton(10, 10, "blue:0D5EAF"),
    joined(
        "a white cross on the blue rectangle",
        shape(WHITE, rect(4, 0, 2, 10)),
        shape(WHITE, rect(0, 4, 10, 2)),
    ),
)

# Eight rays that widen from the disc to the edges: four diagonal, four straight.
_RAY = "yellow:FFE600"
MACEDONIA = (
    field(14, 28, "red:D20000"),
    joined(
        "eight yellow rays that widen towards the edges of the flag",
        shape(_RAY, ((0, 0), (4.2, 0), (14, 6.75), (14, 7))),
        shape(_RAY, ((28, 0), (23.8, 0), (14, 6.75), (14, 7))),
        shape(_RAY, ((0, 14), (4.2, 14), (14, 7.25), (14, 7))),
        shape(_RAY, ((28, 14), (23.8, 14), (14, 7.25), (14, 7))),
        shape(_RAY, ((12.6, 0), (15.4, 0), (14, 6))),
        shape(_RAY, ((12.6, 14), (15.4, 14), (14, 8))),
        shape(_RAY, ((0, 5.6), (0, 8.4), (14, 7))),
        shape(_RAY, ((28, 5.6), (28, 8.4), (14, 7))),
    ),
    silent(disc(14, 7, 2.5, "red:D20000")),
    disc(14, 7, 2, _RAY),
)

# Stars step along the long side of the triangle; the first and the last are cut by the edge.
BOSNIA = (
    field(16, 32, "blue:002395"),
    shape("yellow:FECB00", ((8.48, 0), (24.48, 0), (24.48, 16)), "a yellow right-angled triangle"),
    told(
        stars(WHITE, tuple((5.6 + 2 * k, -0.18 + 2 * k, 1.52) for k in range(9))),
        "a slanting row of white five-pointed stars along the yellow triangle",
    ),
)

FLAGS: tuple[Flag, ...] = (
    flag("Austria", 2, 3, hbands(2, 3, f"red:ED2939 {WHITE} red:ED2939")),
    flag("Belgium", 13, 15, vbands(13, 15, f"{BLACK} yellow:FAE042 red:ED2939")),
    flag("Bosnia and Herzegovina", 16, 32, *BOSNIA),
    flag("Bulgaria", 3, 5, hbands(3, 5, f"{WHITE} green:00966E red:D62612")),
    flag(
        "Czech Republic",
        4,
        6,
        hbands(4, 6, f"{WHITE} red:D7141A"),
        hoist_triangle(4, 3, "blue:11457E"),
    ),
    flag("Denmark", 28, 37, field(28, 37, "red:C60C30"), cross(28, 37, WHITE, 14, 4)),
    flag("Estonia", 7, 11, hbands(7, 11, f"blue:4891D9 {BLACK} {WHITE}")),
    flag("Finland", 11, 18, field(11, 18, WHITE), cross(11, 18, "blue:003580", 6.5, 3)),
    flag("France", 2, 3, vbands(2, 3, f"blue:000091 {WHITE} red:E1000F")),
    flag("Germany", 3, 5, hbands(3, 5, f"{BLACK} red:DD0000 gold:FFCE00")),
    flag("Greece", 18, 27, *GREECE),
    flag("Hungary", 1, 2, hbands(1, 2, f"red:CD2A3E {WHITE} green:436F4D")),
    flag(
        "Iceland",
        18,
        25,
        field(18, 25, "blue:02529C"),
        cross(18, 25, WHITE, 9, 4),
        told(cross(18, 25, "red:DC1E35", 9, 2), "a red cross inside the white cross"),
    ),
    flag("Ireland", 1, 2, vbands(1, 2, f"green:169B62 {WHITE} orange:FF883E")),
    flag("Italy", 2, 3, vbands(2, 3, f"green:008C45 {WHITE} red:CD212A")),
    flag("Latvia", 1, 2, hbands(1, 2, f"maroon:9E3039 {WHITE} maroon:9E3039", 2, 1, 2)),
    flag("Lithuania", 3, 5, hbands(3, 5, "yellow:FDB913 green:006A44 red:C1272D")),
    flag("Netherlands", 2, 3, hbands(2, 3, f"red:AE1C28 {WHITE} blue:21468B")),
    flag("North Macedonia", 14, 28, *MACEDONIA),
    flag(
        "Norway",
        16,
        22,
        field(16, 22, "red:BA0C2F"),
        cross(16, 22, WHITE, 8, 4),
        told(cross(16, 22, "blue:00205B", 8, 2), "a blue cross inside the white cross"),
    ),
    flag("Poland", 5, 8, hbands(5, 8, f"{WHITE} red:DC143C")),
    flag("Romania", 2, 3, vbands(2, 3, "blue:002B7F yellow:FCD116 red:CE1126")),
    flag("Russia", 2, 3, hbands(2, 3, f"{WHITE} blue:0039A6 red:D52B1E")),
    civil_flag("Serbia", 2, 3, hbands(2, 3, f"red:C6363C blue:0C4076 {WHITE}")),
    civil_flag("Spain", 2, 3, hbands(2, 3, "red:AA151B yellow:F1BF00 red:AA151B", 1, 2, 1)),
    flag("Sweden", 10, 16, field(10, 16, "blue:006AA7"), cross(10, 16, "yellow:FECC00", 6, 2)),
    flag(
        "Switzerland",
        32,
        32,
        field(32, 32, "red:FF0000"),
        joined(
            "a white cross in the centre whose arms do not reach the edges",
            shape(WHITE, rect(13, 6, 6, 20)),
            shape(WHITE, rect(6, 13, 20, 6)),
        ),
    ),
    flag("Ukraine", 2, 3, hbands(2, 3, "blue:005BBB yellow:FFD500")),
    flag("United Kingdom", 30, 60, *union_jack(30, 60)),
)
