"""From polygons and text to a small PNG whose bytes depend on nothing but the drawing."""

import io
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from hopsight.wiki.mini.draw.geometry import Point, Polygon, Shape
from hopsight.wiki.mini.draw.text import font, require_glyphs

# Everything is drawn this much larger and averaged down: that is the anti-aliasing.
OVERSAMPLE = 3
# Flat colours and the commonest of the blends along edges; the rest snap to their nearest.
PALETTE_COLOURS = 48


def rgb(colour: str) -> tuple[int, int, int]:
    """The channels of `"name:RRGGBB"` or `"RRGGBB"`."""
    digits = colour.rpartition(":")[2]
    return (int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))


@dataclass(slots=True)
class Canvas:
    """A drawing surface measured in final pixels; it notes every string drawn on it."""

    width: int
    height: int
    ground: str
    strings: list[str] = field(default_factory=list)
    _image: Image.Image = field(init=False, repr=False)
    _pen: ImageDraw.ImageDraw = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size = (self.width * OVERSAMPLE, self.height * OVERSAMPLE)
        self._image = Image.new("RGB", size, rgb(self.ground))
        self._pen = ImageDraw.Draw(self._image)

    def polygon(self, points: Polygon, colour: str) -> None:
        """Fill a polygon."""
        self._pen.polygon([(x * OVERSAMPLE, y * OVERSAMPLE) for x, y in points], fill=rgb(colour))

    def shapes(self, shapes: tuple[Shape, ...], origin: Point, scale: float) -> None:
        """Fill shapes given in units of their own."""
        for shape in shapes:
            points = tuple((origin[0] + x * scale, origin[1] + y * scale) for x, y in shape.points)
            self.polygon(points, shape.colour)

    def box(
        self,
        corners: tuple[float, float, float, float],
        fill: str | None = None,
        outline: str | None = None,
        line: float = 1,
        radius: float = 0,
    ) -> None:
        """A rectangle (left, top, right, bottom), its corners rounded if `radius` is given."""
        left, top, right, bottom = (round(v * OVERSAMPLE) for v in corners)
        self._pen.rounded_rectangle(
            (left, top, right - 1, bottom - 1),
            radius=radius * OVERSAMPLE,
            fill=rgb(fill) if fill else None,
            outline=rgb(outline) if outline else None,
            width=round(line * OVERSAMPLE) if outline else 0,
        )

    def oval(
        self,
        corners: tuple[float, float, float, float],
        fill: str | None = None,
        outline: str | None = None,
        line: float = 1,
    ) -> None:
        """An ellipse in a box (left, top, right, bottom)."""
        left, top, right, bottom = (round(v * OVERSAMPLE) for v in corners)
        self._pen.ellipse(
            (left, top, right - 1, bottom - 1),
            fill=rgb(fill) if fill else None,
            outline=rgb(outline) if outline else None,
            width=round(line * OVERSAMPLE) if outline else 0,
        )

    def lines(self, points: tuple[Point, ...], colour: str, width: float = 1) -> None:
        """A line through the points, its joints rounded."""
        self._pen.line(
            [(x * OVERSAMPLE, y * OVERSAMPLE) for x, y in points],
            fill=rgb(colour),
            width=max(1, round(width * OVERSAMPLE)),
            joint="curve",
        )

    def write(self, text: str, at: Point, size: float, colour: str, anchor: str = "mm") -> None:
        """Draw one line of text and note it. Raises PictureError where a glyph is missing."""
        self.note(text)
        self.letter(text, at, size, colour, anchor)

    def note(self, text: str) -> None:
        """Record a string that is drawn in several pieces."""
        require_glyphs(text)
        self.strings.append(text)

    def letter(self, text: str, at: Point, size: float, colour: str, anchor: str = "mm") -> None:
        """Draw one line of text without noting it: a piece of a noted string."""
        require_glyphs(text)
        place = (at[0] * OVERSAMPLE, at[1] * OVERSAMPLE)
        self._pen.text(place, text, font=font(size * OVERSAMPLE), fill=rgb(colour), anchor=anchor)

    def png(self) -> bytes:
        """The picture as an indexed PNG without metadata."""
        image = self._image.reduce(OVERSAMPLE)
        buffer = io.BytesIO()
        _indexed(image).save(buffer, format="PNG", optimize=True)
        return buffer.getvalue()


def _indexed(image: Image.Image) -> Image.Image:
    """Reduce to a palette in which the commonest colours stay exact (not so in Pillow's own)."""
    counted = cast(
        list[tuple[int, tuple[int, int, int]]], image.getcolors(image.width * image.height)
    )
    # The commonest first; ties by value, so that nothing depends on the order of counting.
    colours = np.array([c for _, c in sorted(counted, key=lambda item: (-item[0], item[1]))])
    palette = colours[:PALETTE_COLOURS]
    distance = ((colours[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2)
    lookup = np.zeros(1 << 24, dtype=np.uint8)
    lookup[_packed(colours)] = distance.argmin(axis=1)
    indexed = Image.fromarray(lookup[_packed(np.asarray(image, dtype=np.int32))])
    indexed.putpalette(palette.astype(np.uint8).tobytes(), "RGB")
    return indexed


def _packed(channels: NDArray[np.signedinteger[Any]]) -> NDArray[np.signedinteger[Any]]:
    """Red, green and blue in one number each."""
    return (channels[..., 0] << 16) | (channels[..., 1] << 8) | channels[..., 2]
