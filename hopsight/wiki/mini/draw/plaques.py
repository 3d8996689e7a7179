"""Commemorative plaques for persons. On half of them the person is not named."""

from collections.abc import Callable

from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.emblems import emblem
from hopsight.wiki.mini.draw.geometry import Polygon, arc, circle
from hopsight.wiki.mini.draw.rows import Row
from hopsight.wiki.mini.draw.style import COLOURWAYS, Colourway, Drawing, Line, block, colour_word
from hopsight.wiki.mini.draw.walls import WALLS

WIDTH, HEIGHT = 768, 640
Box = tuple[float, float, float, float]

# The first word found in an occupation or field decides; the order goes from narrow to wide.
TRADES: tuple[tuple[str, str], ...] = (
    ("astronaut", "compass"),
    ("cosmonaut", "compass"),
    ("astronom", "telescope"),
    ("ornitholog", "feather"),
    ("entomolog", "beetle"),
    ("clock", "gear"),
    ("physic", "atom"),
    ("chemist", "flask"),
    ("biolog", "leaf"),
    ("botan", "leaf"),
    ("natural", "leaf"),
    ("zoolog", "paw"),
    ("paint", "palette"),
    ("sculpt", "palette"),
    ("artist", "palette"),
    ("architect", "columns"),
    ("compos", "note"),
    ("music", "note"),
    ("pian", "note"),
    ("conductor", "note"),
    ("explor", "compass"),
    ("navigat", "compass"),
    ("sail", "compass"),
    ("geograph", "compass"),
    ("mountain", "peak"),
    ("climb", "peak"),
    ("engineer", "gear"),
    ("invent", "gear"),
    ("king", "crown"),
    ("queen", "crown"),
    ("emperor", "crown"),
    ("empress", "crown"),
    ("ruler", "crown"),
    ("monarch", "crown"),
    ("novel", "book"),
    ("philosoph", "book"),
    ("historian", "book"),
    ("writer", "quill"),
    ("poet", "quill"),
    ("playwright", "quill"),
    ("dramat", "quill"),
    ("librett", "quill"),
)


def trade_emblem(row: Row) -> str:
    """The emblem of a person's trade; a book where the trade has none."""
    text = f"{row.cells.get('occupation', '')} {row.cells.get('field', '')}".lower()
    return next((name for word, name in TRADES if word in text), "book")


def suits(row: Row) -> bool:
    """Whether a plaque can be drawn: a trade, both years and a name in the font's letters."""
    return row.has("title", "occupation", "birth_year", "death_year")


def plaque(row: Row, number: int) -> Drawing:
    """The plaque of a person; shape, colours and what is named follow from `number`."""
    colours = COLOURWAYS[(number * 5) % len(COLOURWAYS)]
    canvas = Canvas(WIDTH, HEIGHT, colours.wall)
    wall = WALLS[(number // 2) % len(WALLS)](canvas, colours.wall)
    shape, box = _SHAPES[number % len(_SHAPES)](canvas, colours)
    name = trade_emblem(row)
    centre = ((box[0] + box[2]) / 2, box[1] + 50)
    mark = emblem(canvas, name, centre, 46, colours.accent, colours.plate)
    block(canvas, _lines(row, number, colours), (box[0], box[1] + 108, box[2], box[3]))
    facts = (f"{shape} in {colour_word(colours.plate)}", wall, mark, _naming(number))
    return Drawing(row.title, "plaque", canvas, facts)


def _lines(row: Row, number: int, colours: Colourway) -> list[Line]:
    lines = []
    if number % 2 == 0:
        heading = initials(row.items("title")[0]) if number % 4 == 2 else row.items("title")[0]
        lines.append(Line(heading, 74, colours.ink))
    trades = ", ".join(row.items("occupation")[:2])
    lines.append(Line(trades, 46, colours.accent))
    lines.append(Line(f"{row.first('birth_year')} - {row.first('death_year')}", 60, colours.ink))
    if number % 2 == 1:
        for caption, column in (("born in", "birth_place"), ("died in", "death_place")):
            if place := row.first(column):
                lines.append(Line(f"{caption} {place}", 38, colours.ink))
    elif number % 4 == 2 and (place := row.first("birth_place")):
        lines.append(Line(f"born in {place}", 38, colours.ink))
    return lines


def initials(name: str) -> str:
    """The first letters of the parts of a name that begin with a capital."""
    return " ".join(f"{part[0]}." for part in name.split() if part[0].isupper()) or name


def _naming(number: int) -> str:
    if number % 2 == 1:
        return "no name stands on the plaque"
    return "the plaque bears initials" if number % 4 == 2 else "the plaque bears a full name"


def _round(canvas: Canvas, colours: Colourway) -> tuple[str, Box]:
    cx, cy, radius = WIDTH / 2, HEIGHT / 2, 298
    canvas.polygon(circle(cx, cy, radius), colours.plate)
    canvas.polygon(circle(cx, cy, radius - 12), colours.accent)
    canvas.polygon(circle(cx, cy, radius - 17), colours.plate)
    return "a round plaque", (cx - 200, cy - 226, cx + 200, cy + 205)


def _oval(canvas: Canvas, colours: Colourway) -> tuple[str, Box]:
    canvas.oval((34, 60, WIDTH - 34, HEIGHT - 60), fill=colours.plate)
    canvas.oval((50, 76, WIDTH - 50, HEIGHT - 76), outline=colours.accent, line=5)
    return "an oval plaque", (180, 108, WIDTH - 180, HEIGHT - 104)


def _rectangle(canvas: Canvas, colours: Colourway) -> tuple[str, Box]:
    canvas.box((70, 56, WIDTH - 70, HEIGHT - 56), fill=colours.plate)
    canvas.box((86, 72, WIDTH - 86, HEIGHT - 72), outline=colours.accent, line=4)
    for x, y in ((104, 90), (WIDTH - 104, 90), (104, HEIGHT - 90), (WIDTH - 104, HEIGHT - 90)):
        canvas.polygon(circle(x, y, 8), colours.accent)
    return "a rectangular plaque with four screws", (130, 100, WIDTH - 130, HEIGHT - 92)


def _arched(canvas: Canvas, colours: Colourway) -> tuple[str, Box]:
    for grow, colour in ((0.0, colours.plate), (14.0, colours.accent), (18.0, colours.plate)):
        canvas.polygon(_arch(grow), colour)
    return "a plaque with an arched top", (160, 92, WIDTH - 160, HEIGHT - 66)


def _arch(inset: float) -> Polygon:
    left, right, bottom = 110 + inset, WIDTH - 110 - inset, HEIGHT - 36 - inset
    radius = (right - left) / 2
    top = tuple(
        (x, 304 + (y - 304) * 0.96) for x, y in arc((left + right) / 2, 304, radius, -90, 90)
    )
    return (*top, (right, bottom), (left, bottom))


def _octagon(canvas: Canvas, colours: Colourway) -> tuple[str, Box]:
    for inset, colour in ((0, colours.plate), (14, colours.accent), (19, colours.plate)):
        left, top, right, bottom = 74 + inset, 30 + inset, WIDTH - 74 - inset, HEIGHT - 30 - inset
        cut = 120 - inset * 0.4
        canvas.polygon(
            (
                (left + cut, top),
                (right - cut, top),
                (right, top + cut),
                (right, bottom - cut),
                (right - cut, bottom),
                (left + cut, bottom),
                (left, bottom - cut),
                (left, top + cut),
            ),
            colour,
        )
    return "an eight-sided plaque", (140, 80, WIDTH - 140, HEIGHT - 76)


def _shield(canvas: Canvas, colours: Colourway) -> tuple[str, Box]:
    for inset, colour in ((0, colours.plate), (14, colours.accent), (19, colours.plate)):
        left, right, top = 96 + inset, WIDTH - 96 - inset, 28 + inset
        sweep = arc(left, 300, right - left, 90, 152)
        right_side = tuple((x, y) for x, y in sweep if x >= WIDTH / 2)
        left_side = tuple((WIDTH - x, y) for x, y in reversed(right_side))
        squeeze = tuple(
            (x, 300 + (y - 300) * 0.62 if y > 300 else y) for x, y in (*right_side, *left_side)
        )
        canvas.polygon(((left, top), (right, top), *squeeze), colour)
    return "a plaque in the shape of a shield", (170, 62, WIDTH - 170, 500)


_SHAPES: tuple[Callable[[Canvas, Colourway], tuple[str, Box]], ...] = (
    _round,
    _rectangle,
    _oval,
    _arched,
    _octagon,
    _shield,
)
