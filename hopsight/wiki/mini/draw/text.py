"""Text in Pillow's built-in scalable font: its glyphs, the width of a line, line breaks."""

from functools import cache

from PIL import ImageFont

from hopsight.errors import PictureError

# A code point that no font assigns: it shows what the font draws for a missing glyph.
_UNASSIGNED = "\uffff"
_PROBE_SIZE = 32


@cache
def font(size: float) -> ImageFont.FreeTypeFont:
    """The built-in font at `size` pixels. Raises PictureError if Pillow lacks FreeType."""
    found = ImageFont.load_default(size=size)
    if not isinstance(found, ImageFont.FreeTypeFont):
        raise PictureError("Pillow was built without FreeType", "install a Pillow wheel from PyPI")
    return found


@cache
def has_glyph(character: str) -> bool:
    """Whether the font draws this character as itself."""
    return character == " " or _outline(character) != _outline(_UNASSIGNED)


def _outline(character: str) -> tuple[tuple[int, int], bytes]:
    mask = font(_PROBE_SIZE).getmask(character)
    return (mask.size, bytes(mask))


def drawable(text: str) -> bool:
    """Whether every character of the text has a glyph."""
    return bool(text) and all(has_glyph(character) for character in text)


def require_glyphs(text: str) -> None:
    """Raise PictureError for an empty text or one with a character that the font lacks."""
    if not text.strip():
        raise PictureError("an empty text was to be drawn", "leave the line out")
    missing = sorted({character for character in text if not has_glyph(character)})
    if missing:
        codes = ", ".join(f"U+{ord(character):04X}" for character in missing)
        raise PictureError(f"the font has no glyph for {codes} in {text!r}", "choose another text")


def width_of(text: str, size: float) -> float:
    """Width of one line in pixels."""
    return font(size).getlength(text)


def fitted(text: str, size: float, room: float, smallest: float) -> float:
    """The largest size up to `size` at which the line fits `room` pixels, at least `smallest`."""
    needed = width_of(text, size)
    return size if needed <= room else max(smallest, size * room / needed)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Break a text at spaces into lines of at most `room` pixels (a longer word stands alone)."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
