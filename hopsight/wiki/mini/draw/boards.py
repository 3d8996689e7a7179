"""Visitor boards for buildings. Every second one does not name the building."""

from collections.abc import Callable

from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.emblems import emblem
from hopsight.wiki.mini.draw.geometry import circle
from hopsight.wiki.mini.draw.rows import Row
from hopsight.wiki.mini.draw.style import COLOURWAYS, Colourway, Drawing, Line, block, colour_word
from hopsight.wiki.mini.draw.walls import WALLS, shade

WIDTH, HEIGHT = 800, 620

# The first word found in the kind decides; the order goes from narrow to wide.
PICTOGRAMS: tuple[tuple[str, str], ...] = (
    ("bridge", "bridge"),
    ("aqueduct", "bridge"),
    ("viaduct", "bridge"),
    ("mosque", "dome"),
    ("mausoleum", "dome"),
    ("observatory", "telescope"),
    ("cathedral", "church"),
    ("church", "church"),
    ("chapel", "church"),
    ("abbey", "church"),
    ("basilica", "church"),
    ("monastery", "church"),
    ("opera", "note"),
    ("concert", "note"),
    ("conservatory", "note"),
    ("university", "book"),
    ("library", "book"),
    ("school", "book"),
    ("college", "book"),
    ("stadium", "stadium"),
    ("amphitheatre", "stadium"),
    ("arena", "stadium"),
    ("palace", "crown"),
    ("castle", "castle"),
    ("fort", "castle"),
    ("citadel", "castle"),
    ("gate", "castle"),
    ("tower", "tower"),
    ("skyscraper", "tower"),
    ("lighthouse", "tower"),
    ("museum", "columns"),
    ("temple", "columns"),
    ("theatre", "columns"),
    ("parliament", "columns"),
    ("memorial", "columns"),
    ("station", "gear"),
)


def pictogram(row: Row) -> str | None:
    """The pictogram of a building's kind, or None where the kind has none."""
    kind = (row.first("kind") or "").lower()
    return next((name for word, name in PICTOGRAMS if word in kind), None)


def said(row: Row) -> list[str]:
    """The sentences a board of this row may carry, its name and kind left out."""
    lines = []
    place = [value for value in (row.first("city"), row.first("country")) if value]
    if place:
        lines.append(", ".join(place))
    if row.has("architect"):
        lines.append(f"architect {row.first('architect')}")
    if row.has("started", "completed"):
        lines.append(f"built {row.first('started')} - {row.first('completed')}")
    elif row.has("completed"):
        lines.append(f"completed {row.first('completed')}")
    if row.has("height_m"):
        lines.append(f"height {row.first('height_m')} m")
    if row.has("style"):
        lines.append(f"{row.first('style')}")
    return lines


def suits(row: Row) -> bool:
    """Whether a board can be drawn: a name in the font's letters, a pictogram, three facts."""
    return row.has("title", "kind") and pictogram(row) is not None and len(said(row)) >= 3


def visitor_board(row: Row, number: int) -> Drawing:
    """The board of a building; its form and colours follow from `number`."""
    colours = COLOURWAYS[(number * 11 + 2) % len(COLOURWAYS)]
    canvas = Canvas(WIDTH, HEIGHT, colours.wall)
    facts = _FORMS[number % len(_FORMS)](canvas, row, number, colours)
    naming = "the building's name stands on it" if number % 2 == 0 else "no name stands on it"
    return Drawing(row.title, "visitor board", canvas, (*facts, naming))


def _lines(row: Row, number: int, ink: str, accent: str, size: float) -> list[Line]:
    head = [Line(row.items("title")[0], size * 1.6, ink)] if number % 2 == 0 else []
    kind = [Line(row.first("kind") or "", size * 1.15, accent)]
    return head + kind + [Line(text, size, ink) for text in said(row)]


def _on_posts(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A board on two posts on a lawn under the sky."""
    canvas.box((0, 0, WIDTH, HEIGHT), fill="sky-blue:BBD7EA")
    canvas.polygon(circle(690, 80, 42), "yellow:F6D55C")
    canvas.box((0, 500, WIDTH, HEIGHT), fill="green:7FA650")
    for x in (150, 622):
        canvas.box((x, 60, x + 28, 580), fill="brown:5B4330")
    canvas.box((80, 90, 720, 470), fill=colours.plate, radius=16)
    canvas.box((92, 102, 708, 458), outline=colours.ink, line=3, radius=10)
    mark = emblem(canvas, pictogram(row) or "", (186, 280), 66, colours.accent, colours.plate)
    block(
        canvas, _lines(row, number, colours.ink, colours.accent, 46), (280, 116, 690, 446), "left"
    )
    return f"a {colour_word(colours.plate)} board on two posts on a lawn", mark


def _header_panel(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A light panel with a coloured head on a wall."""
    wall = WALLS[number % len(WALLS)](canvas, colours.wall)
    canvas.box((78, 52, 738, 582), fill=shade(colours.wall, 0.6))
    canvas.box((70, 44, 730, 574), fill="white:FAF9F5")
    canvas.box((70, 44, 730, 196), fill=colours.plate)
    mark = emblem(canvas, pictogram(row) or "", (400, 120), 56, colours.ink, colours.plate)
    lines = _lines(row, number, "black:24272B", "grey:6A6660", 46)
    block(canvas, lines, (104, 208, 696, 562))
    return f"a white panel with a {colour_word(colours.plate)} head", mark, wall


def _arrow_sign(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A sign that points to the right, on a pole before hills."""
    canvas.box((0, 0, WIDTH, HEIGHT), fill="evening-sky:F2D8B8")
    canvas.oval((-200, 430, 460, 800), fill="hills:A98F6B")
    canvas.oval((300, 460, 1060, 830), fill="hills:8C7454")
    canvas.box((372, 60, 404, 620), fill="grey:5C5F63")
    canvas.polygon(((30, 110), (650, 110), (776, 290), (650, 470), (30, 470)), colours.plate)
    canvas.polygon(((38, 118), (644, 118), (764, 290), (644, 462), (38, 462)), colours.ink)
    canvas.polygon(((43, 123), (641, 123), (757, 290), (641, 457), (43, 457)), colours.plate)
    mark = emblem(canvas, pictogram(row) or "", (134, 290), 68, colours.accent, colours.plate)
    block(
        canvas, _lines(row, number, colours.ink, colours.accent, 46), (224, 134, 650, 446), "left"
    )
    return f"a {colour_word(colours.plate)} sign that points to the right, on a pole", mark


def _banner(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A hanging banner with a swallow tail on a wall."""
    wall = WALLS[(number + 1) % len(WALLS)](canvas, colours.wall)
    canvas.box((120, 26, 680, 44), fill="iron:33363A")
    canvas.polygon(((150, 44), (650, 44), (650, 606), (400, 530), (150, 606)), colours.plate)
    canvas.box((166, 44, 174, 590), fill=colours.accent)
    canvas.box((626, 44, 634, 590), fill=colours.accent)
    mark = emblem(canvas, pictogram(row) or "", (400, 126), 60, colours.accent, colours.plate)
    block(canvas, _lines(row, number, colours.ink, colours.accent, 42), (194, 204, 606, 516))
    return f"a {colour_word(colours.plate)} banner with a swallow tail", mark, wall


def _ribbon(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A poster split into a coloured column with the pictogram and a column of text."""
    canvas.box((0, 0, WIDTH, HEIGHT), fill=colours.plate)
    canvas.box((0, 0, 250, HEIGHT), fill=colours.wall)
    canvas.box((250, 0, 262, HEIGHT), fill=colours.accent)
    ground = colours.wall
    canvas.polygon(circle(125, 180, 94), colours.plate)
    mark = emblem(canvas, pictogram(row) or "", (125, 180), 58, colours.accent, colours.plate)
    for k in range(5):
        canvas.box((60, 400 + 34 * k, 190, 408 + 34 * k), fill=colours.plate)
    block(canvas, _lines(row, number, colours.ink, colours.accent, 52), (300, 40, 770, 580), "left")
    return (
        f"a poster in two columns: {colour_word(ground)} on the left, "
        f"{colour_word(colours.plate)} on the right",
        mark,
    )


_FORMS: tuple[Callable[[Canvas, Row, int, Colourway], tuple[str, ...]], ...] = (
    _on_posts,
    _header_panel,
    _arrow_sign,
    _banner,
    _ribbon,
)
