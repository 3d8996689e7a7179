"""Names of colours that nobody would call otherwise."""

import colorsys
from typing import Final

_HUES: Final = (
    ("red", 342, 371),
    ("orange", 22, 34),
    ("yellow", 44, 62),
    ("green", 85, 172),
    ("light blue", 190, 206),
    ("blue", 210, 250),
)
"""Degrees of hue that have one name; what lies between them has none here."""


def colour_name(red: int, green: int, blue: int) -> str | None:
    """The name of a colour given as 0–255 each; None where it lies between two names."""
    hue, saturation, value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    if value < 0.2:
        return "black"
    if saturation < 0.06 and value > 0.94:
        return "white"
    if saturation < 0.5 or value < 0.3:
        return None
    degrees = 360 * hue
    for name, low, high in _HUES:
        if low <= degrees < high or low <= degrees + 360 < high:
            return name
    return None
