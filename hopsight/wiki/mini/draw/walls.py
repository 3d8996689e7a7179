"""Grounds behind a label: plain, brick, panel or tile, in shades of one colour."""

from hopsight.wiki.mini.draw.canvas import Canvas, rgb
from hopsight.wiki.mini.draw.geometry import circle


def shade(colour: str, factor: float) -> str:
    """A darker (below 1) or lighter (above 1) colour of the same name."""
    name = colour.partition(":")[0]
    channels = (
        round(c * factor) if factor <= 1 else round(255 - (255 - c) * (2 - factor))
        for c in rgb(colour)
    )
    return f"{name}:" + "".join(f"{max(0, min(255, c)):02X}" for c in channels)


def brick_wall(canvas: Canvas, colour: str) -> str:
    """Courses of bricks, each second one set off by half a brick."""
    joint, course, brick = shade(colour, 0.72), 44, 108
    canvas.box((0, 0, canvas.width, canvas.height), fill=joint)
    for row in range(canvas.height // course + 1):
        for column in range(-1, canvas.width // brick + 2):
            left = column * brick + (row % 2) * brick / 2
            tone = shade(colour, (1.0, 0.95, 1.06)[(row * 5 + column * 3) % 3])
            canvas.box(
                (left + 2, row * course + 2, left + brick - 2, (row + 1) * course - 2), fill=tone
            )
    return f"a wall of {_word(colour)} bricks"


def panel_wall(canvas: Canvas, colour: str) -> str:
    """Upright boards."""
    for column in range(canvas.width // 80 + 1):
        tone = shade(colour, (1.0, 0.94, 1.05)[column % 3])
        canvas.box((column * 80, 0, column * 80 + 77, canvas.height), fill=tone)
        canvas.box((column * 80 + 77, 0, column * 80 + 80, canvas.height), fill=shade(colour, 0.75))
    return f"a wall of upright {_word(colour)} boards"


def plain_wall(canvas: Canvas, colour: str) -> str:
    """An even wall over a darker floor line."""
    canvas.box((0, 0, canvas.width, canvas.height), fill=colour)
    canvas.box((0, canvas.height - 46, canvas.width, canvas.height), fill=shade(colour, 0.82))
    return f"a plain {_word(colour)} wall"


def tile_wall(canvas: Canvas, colour: str) -> str:
    """Square tiles, light and dark by turns."""
    for row in range(canvas.height // 64 + 1):
        for column in range(canvas.width // 64 + 1):
            tone = shade(colour, 0.92 if (row + column) % 2 else 1.0)
            canvas.box((column * 64, row * 64, column * 64 + 64, row * 64 + 64), fill=tone)
    return f"a chequered {_word(colour)} ground"


def dotted_wall(canvas: Canvas, colour: str) -> str:
    """Rows of dots."""
    canvas.box((0, 0, canvas.width, canvas.height), fill=colour)
    for row in range(canvas.height // 48 + 1):
        for column in range(canvas.width // 48 + 1):
            canvas.polygon(
                circle(column * 48 + 24 * (row % 2), row * 48 + 12, 5), shade(colour, 0.86)
            )
    return f"a {_word(colour)} ground with rows of dots"


WALLS = (brick_wall, plain_wall, panel_wall, tile_wall, dotted_wall)


def _word(colour: str) -> str:
    """`red-brick` is already a wall; other names stand as they are."""
    return colour.partition(":")[0].replace("-brick", "").replace("-", " ")
