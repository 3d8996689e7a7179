"""Colours and text blocks that all labels share."""

from dataclasses import dataclass

from hopsight.errors import PictureError
from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.text import width_of, wrapped

LINE_HEIGHT = 1.22


@dataclass(frozen=True, slots=True)
class Colourway:
    """Wall behind the label, the label's plate, its letters, and an accent (`"name:RRGGBB"`)."""

    wall: str
    plate: str
    ink: str
    accent: str


COLOURWAYS: tuple[Colourway, ...] = (
    Colourway("red-brick:9C4A38", "blue:1D3F91", "white:FFFFFF", "white:F4F4F0"),
    Colourway("cream:EFE6D2", "green:1F5B3A", "cream:FBF6E6", "gold:D9B44A"),
    Colourway("slate:4A5560", "bronze:6B4A2B", "yellow:F3D98B", "yellow:E0B450"),
    Colourway("sand:D8BE93", "black:1B1B1D", "gold:E8C766", "gold:C79B3B"),
    Colourway("sky-blue:A9C7DB", "white:FDFCF8", "black:20242A", "red:B3272D"),
    Colourway("moss-green:6F7F55", "ivory:FAF3DF", "brown:3E2A1B", "green:33653C"),
    Colourway("rose:D9A79C", "maroon:6D1528", "white:FFF6F0", "pink:F0B8AE"),
    Colourway("charcoal:2B2E33", "silver:C9CED3", "black:15181B", "blue:2A5CA8"),
    Colourway("ochre:C98B2E", "navy:14233F", "white:F7F3E8", "orange:F29C38"),
    Colourway("lavender:B9B2D6", "purple:44275E", "white:F7F2FF", "lilac:CDB4E8"),
    Colourway("teal:2F7173", "cream:F6EBCF", "teal:0E3B3D", "orange:D9722E"),
    Colourway("light-grey:D5D8DA", "red:A3242B", "white:FFFFFF", "yellow:F5D04C"),
    Colourway("brown:5A3A25", "yellow:F2C94C", "black:2B1A0E", "brown:7A4A24"),
    Colourway("mint:BFE0CF", "turquoise:0D6E78", "white:F4FFFC", "mint:9BDCC6"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One string at a nominal size; it may be broken and the whole block made smaller."""

    text: str
    size: float
    colour: str


def block(
    canvas: Canvas,
    lines: list[Line],
    box: tuple[float, float, float, float],
    align: str = "middle",
    valign: str = "middle",
) -> None:
    """Write lines into a box (left, top, right, bottom), each broken and all shrunk as needed.

    `align` is "middle" or "left". Raises PictureError if the block does not fit at half its size.
    """
    left, top, right, bottom = box
    for scale in (1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.52):
        pieces = [
            (piece, line.size * scale, line.colour)
            for line in lines
            for piece in wrapped(line.text, line.size * scale, right - left)
        ]
        height = sum(size * LINE_HEIGHT for _, size, _ in pieces)
        widest = max(width_of(piece, size) for piece, size, _ in pieces)
        if height <= bottom - top and widest <= right - left:
            break
    else:
        raise PictureError(f"no room for {lines[0].text!r} and its lines", "draw fewer lines")
    y = top if valign == "top" else top + (bottom - top - height) / 2
    for line in lines:
        canvas.note(line.text)
    for piece, size, colour in pieces:
        at = ((left + right) / 2 if align == "middle" else left, y + size * LINE_HEIGHT / 2)
        canvas.letter(piece, at, size, colour, "mm" if align == "middle" else "lm")
        y += size * LINE_HEIGHT


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished drawing and what it makes certain."""

    title: str
    kind: str
    canvas: Canvas
    facts: tuple[str, ...]


def colour_word(colour: str) -> str:
    """The name of a colour as a word in a sentence."""
    return colour.partition(":")[0].replace("-", " ")
