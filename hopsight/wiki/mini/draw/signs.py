"""Summit signs for mountains and river boards."""

from dataclasses import dataclass

from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.geometry import Polygon, circle
from hopsight.wiki.mini.draw.rows import Row
from hopsight.wiki.mini.draw.style import COLOURWAYS, Drawing, Line, block, colour_word
from hopsight.wiki.mini.draw.walls import shade

WIDTH, HEIGHT = 800, 600


@dataclass(frozen=True, slots=True)
class Landscape:
    """Colours of a sky, of far and near ridges and of what caps them."""

    sky: str
    far: str
    near: str
    cap: str


LANDSCAPES = (
    Landscape("pale-blue:CFE3F2", "grey-blue:8FA6BC", "blue:56708C", "white:F7FAFC"),
    Landscape("orange:F3B57A", "red-brown:A8604A", "brown:6A3A33", "cream:FBE3C4"),
    Landscape("night-blue:1D2A4A", "blue-grey:41527A", "slate:2C3A5C", "white:E6ECF7"),
    Landscape("pink:EBC4CF", "mauve:9D7FA0", "purple:674F78", "white:FFF3F6"),
    Landscape("yellow:F6E3A1", "olive:9AA35C", "green:5C7040", "white:FFFDF0"),
    Landscape("grey:C4C9CC", "dark-grey:7C858B", "charcoal:474F56", "white:FFFFFF"),
    Landscape("turquoise:9ED8D3", "teal:4E908F", "dark-teal:2B5F62", "white:F2FFFD"),
)
_WOODS = (
    "wood:8A5A33",
    "yellow:F2C230",
    "green:2C6142",
    "white:F4F1EA",
    "red:A83232",
    "grey:3D4247",
)
_INKS = (
    "cream:FFF3DC",
    "black:201A10",
    "white:FFFFFF",
    "black:1D2024",
    "white:FFFFFF",
    "white:FFFFFF",
)
_SKYLINES: tuple[Polygon, ...] = (
    ((0, 420), (140, 250), (230, 330), (400, 90), (560, 300), (650, 220), (800, 400)),
    ((0, 300), (110, 200), (260, 380), (420, 240), (590, 110), (720, 290), (800, 240)),
    ((0, 440), (200, 120), (330, 300), (470, 200), (640, 380), (800, 180)),
)


def mountain_suits(row: Row) -> bool:
    """Whether a summit sign can be drawn: a name in the font's letters, a height, a range."""
    return row.has("title", "elevation_m", "countries") and (
        row.has("range") or row.has("first_ascent")
    )


def summit_sign(row: Row, number: int) -> Drawing:
    """A signboard before ridges; every third one does not name the mountain."""
    land = LANDSCAPES[number % len(LANDSCAPES)]
    wood, ink = _WOODS[number % len(_WOODS)], _INKS[number % len(_WOODS)]
    canvas = Canvas(WIDTH, HEIGHT, land.sky)
    _ridges(canvas, land, number)
    named = number % 3 != 2
    lines = [Line(row.items("title")[0], 62, ink)] if named else []
    lines.append(Line(f"{row.first('elevation_m')} m", 78 if not named else 56, ink))
    if row.has("range"):
        lines.append(Line(row.first("range") or "", 36, ink))
    elif row.has("countries"):
        lines.append(Line(", ".join(row.items("countries")[:3]), 36, ink))
    if row.has("first_ascent"):
        lines.append(Line(f"first ascent {row.first('first_ascent')}", 32, ink))
    form = _board(canvas, wood, ink, number)
    block(canvas, lines, form[1])
    facts = (
        f"{form[0]} before {colour_word(land.near)} ridges with {colour_word(land.cap)} tops",
        f"a {colour_word(land.sky)} sky",
        "the mountain's name stands on it" if named else "no name stands on it",
    )
    return Drawing(row.title, "summit sign", canvas, facts)


def _ridges(canvas: Canvas, land: Landscape, number: int) -> None:
    line = _SKYLINES[number % len(_SKYLINES)]
    canvas.polygon((*line, (800, 600), (0, 600)), land.far)
    for left, top, right in zip(line, line[1:], line[2:], strict=False):
        if top[1] < left[1] and top[1] < right[1]:
            canvas.polygon((_towards(top, left), top, _towards(top, right)), land.cap)
    near = tuple((800 - x, 300 + y * 0.55) for x, y in reversed(line))
    canvas.polygon((*near, (800, 600), (0, 600)), land.near)


def _towards(top: tuple[float, float], foot: tuple[float, float]) -> tuple[float, float]:
    share = 52 / (foot[1] - top[1])
    share = min(share, 0.8)
    return (top[0] + (foot[0] - top[0]) * share, top[1] + (foot[1] - top[1]) * share)


def _board(
    canvas: Canvas, wood: str, ink: str, number: int
) -> tuple[str, tuple[float, float, float, float]]:
    """The signboard on its pole; gives its description and the box for its text."""
    dark = shade(wood, 0.62)
    canvas.box((386, 150, 414, 600), fill="pole:4A3524")
    name = colour_word(wood)
    board = "a wooden board" if name == "wood" else f"a {name} board"
    if number % 2 == 0:
        canvas.box((128, 178, 680, 508), fill=dark, radius=10)
        canvas.box((120, 170, 672, 500), fill=wood, radius=10)
        canvas.box((132, 182, 660, 488), outline=ink, line=3, radius=6)
        return f"{board} on a pole", (146, 192, 646, 478)
    outline = ((110, 180), (640, 180), (730, 330), (640, 480), (110, 480))
    canvas.polygon(tuple((x + 7, y + 8) for x, y in outline), dark)
    canvas.polygon(outline, wood)
    return f"{board} that points to the right, on a pole", (132, 190, 640, 470)


def river_suits(row: Row) -> bool:
    """Whether a river board can be drawn: a name in the font's letters, a length, a mouth."""
    return row.has("title", "length_km", "mouth")


def river_board(row: Row, number: int) -> Drawing:
    """A board over bands of waves; every third one does not name the river."""
    colours = COLOURWAYS[(number * 5 + 3) % len(COLOURWAYS)]
    water = ("blue:2F6FA8", "turquoise:2E9A9A", "grey-blue:56758C", "green:4C8C6B")[number % 4]
    canvas = Canvas(WIDTH, HEIGHT, shade(colours.wall, 1.1))
    for k in range(4):
        _wave(canvas, 430 + 46 * k, shade(water, 1.3 - 0.14 * k), 40 * k + 17 * number)
    left, right = (70, 730) if number % 2 == 0 else (150, 650)
    canvas.box((left, 50, right, 400), fill=colours.plate, radius=0 if number % 2 else 40)
    canvas.box(
        (left + 10, 60, right - 10, 390),
        outline=colours.accent,
        line=4,
        radius=0 if number % 2 else 32,
    )
    for x in (left + 60, right - 60):
        canvas.box((x - 9, 400, x + 9, 520), fill="post:4A3A2C")
    named = number % 3 != 2
    block(
        canvas,
        _river_lines(row, named, colours.ink, colours.accent),
        (left + 40, 70, right - 40, 380),
    )
    corner = "square" if number % 2 else "rounded"
    facts = (
        f"a {colour_word(colours.plate)} board with {corner} corners on two posts",
        f"four rows of {colour_word(water)} waves below the board",
        "the river's name stands on it" if named else "no name stands on it",
    )
    return Drawing(row.title, "river board", canvas, facts)


def _river_lines(row: Row, named: bool, ink: str, accent: str) -> list[Line]:
    lines = [Line(row.items("title")[0], 68, ink)] if named else []
    lines.append(Line(f"length {row.first('length_km')} km", 48, ink))
    if row.has("source_country"):
        lines.append(Line(f"from {row.first('source_country')}", 36, accent))
    lines.append(Line(f"to {row.first('mouth')}", 36, accent))
    if row.has("basin_km2"):
        lines.append(Line(f"basin {row.first('basin_km2')} sq km", 32, ink))
    return lines


def _wave(canvas: Canvas, top: float, colour: str, shift: float) -> None:
    canvas.box((0, top, WIDTH, HEIGHT), fill=colour)
    for k in range(-1, 12):
        x = k * 80 + shift % 80
        canvas.polygon(circle(x, top + 2, 22), colour)
