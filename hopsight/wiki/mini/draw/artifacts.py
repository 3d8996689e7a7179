"""Gallery labels, title pages, concert bills and data sheets for works and inventions."""

from collections.abc import Callable

from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.emblems import emblem
from hopsight.wiki.mini.draw.geometry import circle
from hopsight.wiki.mini.draw.rows import Row
from hopsight.wiki.mini.draw.style import (
    COLOURWAYS,
    Colourway,
    Drawing,
    Line,
    block,
    colour_word,
)
from hopsight.wiki.mini.draw.walls import WALLS, plain_wall, shade, tile_wall

# What a label may say, in order: caption before the value, column, unit after it.
Field = tuple[str, str, str]
_FIELDS: dict[str, tuple[Field, ...]] = {
    "artworks": (
        ("", "kind", ""),
        ("", "creator", ""),
        ("", "year", ""),
        ("", "material", ""),
        ("height", "height_cm", "cm"),
        ("", "location", ""),
    ),
    "books": (
        ("", "kind", ""),
        ("by", "author", ""),
        ("", "year", ""),
        ("in", "language", ""),
        ("set in", "setting", ""),
    ),
    "music": (
        ("", "kind", ""),
        ("by", "composer", ""),
        ("", "year", ""),
        ("in", "key", ""),
        ("libretto by", "librettist", ""),
        ("first given in", "premiere_place", ""),
    ),
    "inventions": (
        ("", "kind", ""),
        ("by", "inventor", ""),
        ("", "year", ""),
        ("", "country", ""),
        ("named after", "named_after", ""),
    ),
}
_KINDS = {
    "artworks": "gallery label",
    "books": "title page",
    "music": "concert bill",
    "inventions": "data sheet",
}


def said(row: Row) -> list[str]:
    """The sentences a label of this row may carry, its title left out."""
    sentences = [
        " ".join(part for part in (caption, row.first(column), unit) if part)
        for caption, column, unit in _FIELDS[row.table]
        if row.has(column)
    ]
    return list(dict.fromkeys(sentences))


def suits(row: Row) -> bool:
    """Whether the row has enough to say without its name: its kind and three more values."""
    return row.has("title", "kind") and len(said(row)) >= 4


def artifact_label(row: Row, number: int) -> Drawing:
    """The label of a work or an invention; every second one does not name it."""
    colours = COLOURWAYS[(number * 3 + len(row.table)) % len(COLOURWAYS)]
    named = number % 2 == 0
    facts = _DRAW[row.table](canvas := Canvas(768, 640, colours.wall), row, number, colours)
    naming = "the title stands on it" if named else "no title stands on it"
    return Drawing(row.title, _KINDS[row.table], canvas, (*facts, naming))


def _lines(row: Row, number: int, ink: str, accent: str, size: float) -> list[Line]:
    heading = [Line(row.items("title")[0], size * 1.55, ink)] if number % 2 == 0 else []
    body = said(row)
    sizes = [size * 1.2, *([size] * len(body))]
    return heading + [
        Line(text, sizes[k], accent if k == 0 else ink) for k, text in enumerate(body)
    ]


def _gallery(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A frame with an emblem on the left (or above), its label beside (or below) it."""
    wall = plain_wall(canvas, colours.wall) if number % 3 else tile_wall(canvas, colours.wall)
    frame, inner = (
        ((54, 90, 324, 430), (92, 128, 286, 392))
        if number % 2 == 0
        else ((190, 36, 578, 276), (224, 68, 544, 244))
    )
    card = (372, 96, 728, 540) if number % 2 == 0 else (110, 310, 658, 574)
    canvas.box(frame, fill=shade("gold:C9A227", 0.8))
    canvas.box((frame[0] + 8, frame[1] + 8, frame[2] - 8, frame[3] - 8), fill="gold:D8B648")
    canvas.box(inner, fill=colours.plate)
    centre = ((inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2)
    name = "bust" if "sculpt" in (row.first("kind") or "") else "palette"
    mark = emblem(canvas, name, centre, 62, colours.accent, colours.plate)
    canvas.box((card[0] + 7, card[1] + 8, card[2] + 7, card[3] + 8), fill=shade(colours.wall, 0.7))
    canvas.box(card, fill="white:FBFAF6")
    canvas.box((card[0], card[1], card[0] + 12, card[3]), fill=colours.plate)
    box = (card[0] + 34, card[1] + 20, card[2] - 20, card[3] - 20)
    lines = _lines(row, number, "black:222222", "grey:66615A", 40)
    block(canvas, lines, box, align="left")
    place = "to the right of" if number % 2 == 0 else "below"
    return (
        f"a golden frame round a {colour_word(colours.plate)} panel",
        mark,
        f"a white label {place} the frame",
        wall,
    )


def _title_page(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A page on a table, or a cloth cover with a gilt border, by turns."""
    ground = WALLS[(number + 2) % len(WALLS)](canvas, colours.wall)
    cover = number % 3 == 1
    paper = colours.plate if cover else "cream:FAF4E3"
    ink = colours.ink if cover else "black:2A2320"
    accent = colours.accent if cover else "red:9C2A22"
    page = (128, 26, 640, 614)
    canvas.box((page[0] + 8, page[1] + 8, page[2] + 8, page[3] + 8), fill=shade(colours.wall, 0.6))
    canvas.box(page, fill=paper, radius=4)
    for inset, width in ((20, 4), (30, 1.5)):
        canvas.box(
            (page[0] + inset, page[1] + inset, page[2] - inset, page[3] - inset),
            outline=accent,
            line=width,
        )
    mark = emblem(canvas, "book", (384, 508), 58, accent, paper)
    block(canvas, _lines(row, number, ink, accent, 44), (186, 74, 582, 430))
    thing = "book cover" if cover else "printed page"
    return f"a {colour_word(paper)} {thing} with a double border", mark, ground


def _concert_bill(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A bill with a stave of five lines and notes on it."""
    canvas.box((0, 0, canvas.width, canvas.height), fill=colours.plate)
    top = 104 if number % 2 == 0 else 500
    for k in range(5):
        canvas.box((60, top + k * 22, 708, top + k * 22 + 3), fill=colours.accent)
    heights = (3, 1, 2, 0, 4, 2, 1, 3)
    for k in range(8):
        x, y = 130 + k * 72, top + 22 * heights[(k * (number + 1) + number) % 8]
        canvas.oval((x - 17, y - 11, x + 17, y + 14), fill=colours.ink)
        canvas.box((x + 13, y - 66, x + 17, y + 2), fill=colours.ink)
    box = (80, 236, 688, 610) if number % 2 == 0 else (80, 36, 688, 410)
    block(canvas, _lines(row, number, colours.ink, colours.accent, 44), box)
    place = "at the top" if number % 2 == 0 else "at the bottom"
    return (
        f"a {colour_word(colours.plate)} bill",
        f"a stave of five lines with eight notes {place}",
    )


def _data_sheet(canvas: Canvas, row: Row, number: int, colours: Colourway) -> tuple[str, ...]:
    """A squared drawing sheet with a toothed wheel and a panel of text."""
    sheet = colours.plate
    canvas.box((0, 0, canvas.width, canvas.height), fill=sheet)
    grid = shade(sheet, 1.14) if number % 2 == 0 else shade(sheet, 0.9)
    for k in range(0, canvas.width, 32):
        canvas.box((k, 0, k + 1.4, canvas.height), fill=grid)
    for k in range(0, canvas.height, 32):
        canvas.box((0, k, canvas.width, k + 1.4), fill=grid)
    canvas.box((24, 24, 744, 616), outline=colours.ink, line=4)
    x = 200 if number % 2 == 0 else 568
    mark = emblem(canvas, "gear", (x, 190), 112, colours.accent, sheet)
    canvas.polygon(circle(x, 190, 12), colours.ink)
    small = x + (128 if number % 2 == 0 else -128)
    emblem(canvas, "gear", (small, 300), 62, colours.ink, sheet)
    panel = (404, 296, 744, 616) if number % 2 == 0 else (24, 296, 364, 616)
    canvas.box((panel[0], panel[1], panel[2], panel[3]), fill=sheet, outline=colours.ink, line=4)
    box = (panel[0] + 20, panel[1] + 14, panel[2] - 20, panel[3] - 14)
    block(canvas, _lines(row, number, colours.ink, colours.accent, 36), box)
    side = "left" if number % 2 == 0 else "right"
    return f"a {colour_word(sheet)} squared sheet", f"{mark} on the {side}"


_DRAW: dict[str, Callable[[Canvas, Row, int, Colourway], tuple[str, ...]]] = {
    "artworks": _gallery,
    "books": _title_page,
    "music": _concert_bill,
    "inventions": _data_sheet,
}
