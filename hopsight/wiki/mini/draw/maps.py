"""Locator maps for cities: a graticule, a marked point, its coordinates; no coast is drawn."""

from math import floor

from hopsight.wiki.mini.draw.canvas import Canvas, rgb
from hopsight.wiki.mini.draw.emblems import emblem
from hopsight.wiki.mini.draw.geometry import circle, star
from hopsight.wiki.mini.draw.rows import Row
from hopsight.wiki.mini.draw.style import COLOURWAYS, Drawing, Line, block, colour_word
from hopsight.wiki.mini.draw.walls import shade

WIDTH, HEIGHT = 768, 640
# The window is ten degrees each way and begins at a whole multiple of five degrees.
SPAN = 10.0
_MAP = (84, 40, 564, 520)


def suits(row: Row) -> bool:
    """Whether both coordinates are known and the name is in the font's letters."""
    return row.has("title", "latitude", "longitude", "country")


def window(value: float) -> float:
    """Lower edge of a ten-degree window on a multiple of 5 in which the value is central."""
    return floor((value - SPAN / 4) / 5) * 5.0


def place_on_map(latitude: float, longitude: float) -> tuple[float, float]:
    """Pixel position of a point in the map's window (plate carrée: degrees are square)."""
    left, top, right, bottom = _MAP
    x = left + (longitude - window(longitude)) / SPAN * (right - left)
    y = bottom - (latitude - window(latitude)) / SPAN * (bottom - top)
    return (x, y)


def locator_map(row: Row, number: int) -> Drawing:
    """The map of a city; every second one does not name it."""
    colours = COLOURWAYS[(number * 3 + 7) % len(COLOURWAYS)]
    # After one round of the colourways wall and map change places.
    swapped = number // len(COLOURWAYS) % 2 == 1
    wall, plate = (colours.plate, colours.wall) if swapped else (colours.wall, colours.plate)
    line = shade(plate, 0.72 if _is_light(plate) else 1.35)
    canvas = Canvas(WIDTH, HEIGHT, wall)
    latitude, longitude = (float(row.first(c) or "") for c in ("latitude", "longitude"))
    _graticule(canvas, latitude, longitude, plate, line, wall)
    shape = _point(canvas, place_on_map(latitude, longitude), number, plate)
    ink = _legible(wall)
    emblem(canvas, "compass", (668, 128), 74, ink, wall)
    _globe(canvas, latitude, longitude, ink, wall)
    _caption(canvas, row, number)
    facts = (
        f"a {colour_word(plate)} map with a grid of meridians and parallels",
        f"one place marked with {shape}",
        "a compass rose at the upper right",
        "a small grid of the whole globe with a dot at the lower right",
        "the city's name stands below" if number % 2 == 0 else "no name stands on it",
    )
    return Drawing(row.title, "locator map", canvas, facts)


def _globe(canvas: Canvas, latitude: float, longitude: float, ink: str, wall: str) -> None:
    """The whole globe as a grid of 30 degrees, the place as a dot."""
    left, top, width, height = 584, 370, 168, 84
    for k in range(13):
        x = left + k * width / 12
        canvas.box((x - 0.5, top, x + 0.5, top + height), fill=ink)
    for k in range(7):
        y = top + k * height / 6
        canvas.box((left, y - 0.5, left + width, y + 0.5), fill=ink)
    at = (left + (longitude + 180) / 360 * width, top + (90 - latitude) / 180 * height)
    canvas.polygon(circle(*at, 9), wall)
    canvas.polygon(circle(*at, 7), ink)


def _is_light(colour: str) -> bool:
    return sum(rgb(colour)) > 380


def _legible(ground: str) -> str:
    return "black:22252A" if _is_light(ground) else "white:F6F6F2"


def _graticule(
    canvas: Canvas, latitude: float, longitude: float, plate: str, line: str, wall: str
) -> None:
    left, top, right, bottom = _MAP
    canvas.box(_MAP, fill=plate)
    ink = _legible(wall)
    for k in range(11):
        x = left + k * (right - left) / 10
        y = bottom - k * (bottom - top) / 10
        width = 3.0 if k % 5 == 0 else 1.0
        canvas.box((x - width / 2, top, x + width / 2, bottom), fill=line)
        canvas.box((left, y - width / 2, right, y + width / 2), fill=line)
    canvas.box(_MAP, outline=ink, line=3)
    for k in (0, 5, 10):
        x = left + k * (right - left) / 10
        y = bottom - k * (bottom - top) / 10
        canvas.write(degrees(window(longitude) + k, "E", "W"), (x, bottom + 20), 20, ink)
        canvas.write(degrees(window(latitude) + k, "N", "S"), (left - 40, y), 20, ink)


def degrees(value: float, positive: str, negative: str, digits: int = 0) -> str:
    """A coordinate with its half of the globe, e.g. `48.86° N`; 190 east is 170 west."""
    if positive == "E" and value > 180:
        value -= 360
    if positive == "E" and value < -180:
        value += 360
    half = "" if value in (0, 180, -180) else f" {positive if value > 0 else negative}"
    return f"{abs(value):.{digits}f}\N{DEGREE SIGN}{half}"


def _point(canvas: Canvas, at: tuple[float, float], number: int, ground: str) -> str:
    x, y = at
    red = "red:E0322E" if _is_light(ground) else "yellow:F7D038"
    word = colour_word(red)
    if number % 3 == 0:
        canvas.polygon(circle(x, y, 17), ground)
        canvas.polygon(circle(x, y, 13), red)
        return f"a {word} dot"
    if number % 3 == 1:
        canvas.polygon(star(x, y, 32), ground)
        canvas.polygon(star(x, y, 24), red)
        return f"a {word} star"
    canvas.polygon(circle(x, y, 22), red)
    canvas.polygon(circle(x, y, 16), ground)
    canvas.polygon(circle(x, y, 6), red)
    return f"a {word} ring with a dot in it"


def _caption(canvas: Canvas, row: Row, number: int) -> None:
    """The panel under the map: the coordinates, and the name or what is known of the place."""
    canvas.box((0, 560, WIDTH, HEIGHT), fill="white:FBFAF6")
    latitude = degrees(float(row.first("latitude") or ""), "N", "S", 2)
    longitude = degrees(float(row.first("longitude") or ""), "E", "W", 2)
    coordinates = Line(f"{latitude}, {longitude}", 34, "black:23262B")
    block(canvas, [coordinates], (20, 566, 380, 634))
    other = row.items("title")[0] if number % 2 == 0 else _second(row)
    block(canvas, [Line(other, 34, "black:23262B")], (400, 566, 748, 634))


def _second(row: Row) -> str:
    if row.has("elevation_m"):
        return f"elevation {row.first('elevation_m')} m"
    if row.has("founded"):
        return f"founded {row.first('founded')}"
    return row.first("country") or ""
