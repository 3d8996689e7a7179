"""A flag as a picture: in its own proportions, full-bleed if it is a rectangle."""

from hopsight.wiki.mini.draw.canvas import Canvas
from hopsight.wiki.mini.draw.layers import Flag

# The shorter side of every picture is at least this, the longer one at least LONG.
SHORT, LONG = 512, 640
NEUTRAL = "light-grey:DADCE0"
_MARGIN = 36


def flag_box(flag: Flag) -> tuple[int, int, int, int]:
    """Left, top, width and height of the flag in its picture, in pixels."""
    if not flag.rectangular:
        height = LONG - 2 * _MARGIN
        return (_MARGIN, _MARGIN, round(height * flag.width / flag.height), height)
    height = max(SHORT, round(LONG * flag.height / flag.width))
    return (0, 0, round(height * flag.width / flag.height), height)


def draw_flag(flag: Flag) -> Canvas:
    """Paint the layers from the ground up."""
    left, top, width, height = flag_box(flag)
    canvas = Canvas(width + 2 * left, height + 2 * top, NEUTRAL)
    for layer in flag.layers:
        for shape in layer.shapes:
            canvas.polygon(
                tuple(
                    (left + x * width / flag.width, top + y * height / flag.height)
                    for x, y in shape.points
                ),
                shape.colour,
            )
    return canvas


def flag_facts(flag: Flag) -> tuple[str, ...]:
    """What the drawing makes certain, the proportions last."""
    return (*(layer.fact for layer in flag.layers if layer.fact), _proportions(flag))


def _proportions(flag: Flag) -> str:
    ratio = flag.width / flag.height
    if not flag.rectangular:
        return "the flag is not a rectangle and is higher than wide"
    if ratio == 1:
        return "the flag is square"
    return "the flag is twice as wide as high" if ratio == 2 else "the flag is wider than high"
