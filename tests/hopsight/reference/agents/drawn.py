"""Flags and signs that tests draw themselves."""

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

COLOURS = {
    "red": (204, 20, 40),
    "white": (255, 255, 255),
    "blue": (0, 50, 160),
    "green": (0, 120, 60),
    "yellow": (252, 210, 20),
    "orange": (245, 140, 10),
    "black": (10, 10, 12),
}


def png(image: Image.Image) -> bytes:
    """The picture as a file."""
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def field(colour: str, size: tuple[int, int] = (600, 400)) -> Image.Image:
    """A plain flag."""
    return Image.new("RGB", size, COLOURS[colour])


def bands(colours: Sequence[str], *, upright: bool = False) -> Image.Image:
    """A flag of equal bands."""
    image = field(colours[0])
    draw = ImageDraw.Draw(image)
    for number, colour in enumerate(colours):
        low, high = number / len(colours), (number + 1) / len(colours)
        box = (600 * low, 0, 600 * high, 400) if upright else (0, 400 * low, 600, 400 * high)
        draw.rectangle(box, fill=COLOURS[colour])
    return image


def with_star(
    image: Image.Image, colour: str, at: tuple[int, int], radius: int = 60, points: int = 5
) -> Image.Image:
    """The same with a star on it."""
    turns = np.arange(2 * points) * np.pi / points - np.pi / 2
    reach = np.where(np.arange(2 * points) % 2, 0.42, 1.0) * radius
    corners = zip(at[0] + reach * np.cos(turns), at[1] + reach * np.sin(turns), strict=True)
    ImageDraw.Draw(image).polygon([(float(x), float(y)) for x, y in corners], fill=COLOURS[colour])
    return image


def with_disc(
    image: Image.Image, colour: str, at: tuple[int, int] = (300, 200), radius: int = 80
) -> Image.Image:
    """The same with a disc on it."""
    x, y = at
    box = (x - radius, y - radius, x + radius, y + radius)
    ImageDraw.Draw(image).ellipse(box, fill=COLOURS[colour])
    return image
