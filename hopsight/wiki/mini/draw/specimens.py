"""Specimen labels for organisms: scientific name and place in the system, no common name."""

from collections.abc import Callable

from hopsight.wiki.mini.draw.canvas import Canvas, rgb
from hopsight.wiki.mini.draw.emblems import emblem
from hopsight.wiki.mini.draw.geometry import circle
from hopsight.wiki.mini.draw.rows import Row
from hopsight.wiki.mini.draw.style import COLOURWAYS, Colourway, Drawing, Line, block, colour_word
from hopsight.wiki.mini.draw.walls import WALLS, shade

WIDTH, HEIGHT = 720, 600

# Only classes with an emblem of their own get a label: a paw on a mollusc's would be untrue.
CLASS_EMBLEMS = {
    "bird": "feather",
    "mammal": "paw",
    "fish": "fish",
    "reptile": "scales",
    "plant": "leaf",
    "tree": "leaf",
    "insect": "beetle",
}


def suits(row: Row) -> bool:
    """Whether the row has a scientific name, a class with an emblem, and a family or an order."""
    known = (row.first("class") or "") in CLASS_EMBLEMS
    return known and row.has("scientific_name") and (row.has("family") or row.has("order"))


def specimen_label(row: Row, number: int) -> Drawing:
    """The label of an organism; its form and colours follow from `number`."""
    colours = COLOURWAYS[(number * 9 + 4) % len(COLOURWAYS)]
    canvas = Canvas(WIDTH, HEIGHT, colours.wall)
    facts = _FORMS[number % len(_FORMS)](canvas, row, number, colours)
    return Drawing(row.title, "specimen label", canvas, (*facts, "no common name stands on it"))


def _lines(row: Row, ink: str, accent: str, size: float) -> list[Line]:
    lines = [Line(row.items("scientific_name")[0], size * 1.5, ink)]
    for caption, column in (("class:", "class"), ("order:", "order"), ("family:", "family")):
        if value := row.first(column):
            lines.append(Line(f"{caption} {value}", size, ink))
    described = [row.first("described_by"), row.first("described_year")]
    if any(described):
        lines.append(Line(", ".join(part for part in described if part), size * 0.9, accent))
    return lines


def _mark(row: Row) -> str:
    return CLASS_EMBLEMS[row.first("class") or ""]


def _sheet(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A mounted sheet: a large emblem above, the label in the lower part."""
    ground = WALLS[(number // 4 + 1) % len(WALLS)](canvas, colours.wall)
    dark = min((colours.plate, colours.ink), key=lambda colour: sum(rgb(colour)))
    canvas.box((90, 20, 630, 580), fill="paper:F6F0DF")
    mark = emblem(canvas, _mark(row), (360, 160), 112, dark, "paper:F6F0DF")
    canvas.box((120, 308, 600, 556), fill="white:FFFFFF", outline=dark, line=5)
    block(canvas, _lines(row, "black:26221C", "grey:5A564E", 38), (140, 320, 580, 544))
    return "a pale sheet with a framed label in its lower half", mark, ground


def _card(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """An index card with ruled lines and a coloured head."""
    canvas.box((0, 0, WIDTH, HEIGHT), fill=colours.wall)
    canvas.box((40, 60, 680, 540), fill="white:FDFCF7", radius=14)
    canvas.box((40, 60, 680, 176), fill=colours.plate, radius=14)
    canvas.box((40, 150, 680, 178), fill=colours.plate)
    mark = emblem(canvas, _mark(row), (126, 118), 46, colours.ink, colours.plate)
    canvas.polygon(circle(620, 118, 22), colours.wall)
    for k in range(7):
        canvas.box((60, 224 + 46 * k, 660, 225.4 + 46 * k), fill="blue:DCE6EE")
    block(canvas, _lines(row, "black:1F2326", "blue:2E5C86", 42), (80, 190, 640, 526), "left")
    return f"a ruled index card with a {colour_word(colours.plate)} head and a round hole", mark


def _drawer(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """The front of a drawer with a framed label and a knob."""
    wood = shade(colours.wall, 0.8)
    canvas.box((0, 0, WIDTH, HEIGHT), fill=wood)
    canvas.box((24, 24, 696, 576), fill=colours.wall, outline=shade(wood, 0.7), line=6)
    canvas.box((84, 60, 636, 440), fill=colours.accent, radius=18)
    canvas.box((104, 80, 616, 420), fill=colours.plate)
    mark = emblem(canvas, _mark(row), (360, 132), 40, colours.accent, colours.plate)
    block(canvas, _lines(row, colours.ink, colours.accent, 40), (124, 180, 596, 410))
    canvas.polygon(circle(360, 508, 34), shade(wood, 0.6))
    canvas.polygon(circle(360, 502, 30), colours.accent)
    return f"the front of a drawer with a {colour_word(colours.plate)} label and a knob", mark


def _tag(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A tied tag, its left corners cut, with a string through a hole."""
    ground = WALLS[(number // 4) % len(WALLS)](canvas, colours.wall)
    outline = ((130, 70), (690, 70), (690, 530), (130, 530), (40, 430), (40, 170))
    canvas.polygon(tuple((x + 8, y + 8) for x, y in outline), shade(colours.wall, 0.65))
    canvas.polygon(outline, colours.plate)
    canvas.lines(((0, 200), (40, 270), (92, 300)), "string:EDE3C8", 6)
    canvas.polygon(circle(96, 300, 24), colours.accent)
    canvas.polygon(circle(96, 300, 13), colours.wall)
    mark = emblem(canvas, _mark(row), (620, 140), 48, colours.accent, colours.plate)
    block(canvas, _lines(row, colours.ink, colours.accent, 46), (150, 100, 560, 510), "left")
    return f"a {colour_word(colours.plate)} tag with two cut corners on a string", mark, ground


def _plate(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """An oval plate with a double rim on a wall."""
    ground = WALLS[(number // 5 + 2) % len(WALLS)](canvas, colours.wall)
    for inset, colour in ((0, colours.plate), (14, colours.accent), (19, colours.plate)):
        canvas.oval((16 + inset, 36 + inset, WIDTH - 16 - inset, HEIGHT - 36 - inset), fill=colour)
    mark = emblem(canvas, _mark(row), (360, 122), 46, colours.accent, colours.plate)
    block(canvas, _lines(row, colours.ink, colours.accent, 40), (120, 178, 600, 490))
    return f"an oval {colour_word(colours.plate)} plate with a rim", mark, ground


_FORMS: tuple[Callable[[Canvas, Row, int, Colourway], tuple[str, ...]], ...] = (
    _sheet,
    _tag,
    _drawer,
    _card,
    _plate,
)
