"""Colour words of English, and how well a colour of a picture goes with one.

A word is a region of lightness, chroma and hue (CIE L*C*h), drawn from what the words mean to most
people and overlapping as the words do: what one calls gold another calls yellow.
"""

import re
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Lch = npt.NDArray[np.float32]
"""Colours × (lightness 0–100, chroma 0–180, hue in degrees)."""

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Region:
    """Bounds of a colour word. A hue range may run past 360; None where hue says nothing."""

    light: Range
    chroma: Range
    hue: Range | None = None


REGIONS: Final[dict[str, tuple[Region, ...]]] = {
    "white": (Region((90, 100), (0, 10)),),
    "black": (Region((0, 20), (0, 16)),),
    "grey": (Region((28, 88), (0, 12)),),
    "light grey": (Region((68, 92), (0, 10)),),
    "dark grey": (Region((12, 45), (0, 14)),),
    "red": (Region((30, 62), (42, 120), (8, 50)),),
    "dark red": (Region((12, 40), (22, 65), (0, 45)),),
    "orange": (Region((52, 80), (48, 125), (50, 76)),),
    "yellow": (Region((68, 99), (38, 125), (78, 112)),),
    "gold": (Region((55, 92), (28, 115), (66, 100)),),
    "ochre": (Region((45, 72), (35, 80), (58, 84)),),
    "brown": (Region((15, 56), (10, 58), (35, 82)),),
    "beige": (Region((68, 95), (8, 36), (60, 105)),),
    "cream": (Region((86, 99), (3, 24), (75, 112)),),
    "green": (Region((22, 88), (16, 120), (112, 178)),),
    "dark green": (Region((12, 45), (10, 50), (112, 180)),),
    "light green": (Region((65, 95), (10, 70), (112, 180)),),
    "olive": (Region((35, 65), (14, 55), (95, 135)),),
    "turquoise": (Region((32, 88), (14, 60), (172, 240)),),
    "light blue": (Region((48, 90), (9, 60), (212, 288)),),
    "blue": (
        Region((20, 60), (22, 135), (255, 312)),
        Region((38, 76), (22, 62), (225, 290)),
    ),
    "dark blue": (Region((5, 32), (10, 100), (250, 312)),),
    "slate": (Region((22, 52), (3, 18), (200, 290)),),
    "purple": (Region((12, 58), (16, 70), (306, 345)),),
    "lilac": (Region((62, 90), (8, 45), (285, 335)),),
    "pink": (Region((64, 92), (10, 60), (335, 410)), Region((55, 75), (40, 90), (335, 370))),
    "rose": (Region((60, 85), (10, 50), (340, 410)),),
    "copper": (Region((35, 60), (25, 60), (40, 70)),),
}
"""Bounds for each plain name; `WORDS` says which words stand for which names."""

WORDS: Final[dict[str, str]] = {
    "white": "white, snow-white, ivory",
    "black": "black, jet-black",
    "grey": "grey, gray, silver, silvery, slate, light grey",
    "light grey": "light grey, light gray, pale grey, pale gray, silver, silvery",
    "dark grey": "dark grey, dark gray, charcoal, slate-grey, anthracite, grey, gray",
    "red": "red, crimson, scarlet, bright red, vermilion, cherry, carmine",
    "dark red": "dark red, deep red, maroon, burgundy, crimson, wine-red, claret, brick-red, red",
    "orange": "orange, saffron, amber, tangerine",
    "yellow": "yellow, golden, gold, bright yellow, lemon, amber",
    "gold": "gold, golden, amber, brass",
    "ochre": "ochre, ocher, mustard",
    "brown": "brown, bronze, chestnut, chocolate, dark brown",
    "beige": "beige, sand, sandy, sand-coloured, tan, fawn, khaki, buff",
    "cream": "cream, creamy, ivory, off-white, pale yellow, beige",
    "green": "green, emerald, bright green, moss, mossy",
    "dark green": "dark green, deep green, bottle-green, forest green, green",
    "light green": "light green, pale green, mint, green",
    "olive": "olive, khaki, moss, mossy, green",
    "turquoise": "turquoise, teal, aqua, cyan, sea-green",
    "light blue": "light blue, pale blue, sky blue, azure, celeste, blue, cyan, baby blue",
    "blue": "blue, royal blue, ultramarine, cobalt, azure, deep blue",
    "dark blue": "dark blue, navy, navy blue, night blue, midnight blue, blue, indigo, deep blue",
    "slate": "slate, slate-grey, grey blue, blue grey, steel blue",
    "purple": "purple, violet, indigo, plum, mauve, magenta",
    "lilac": "lilac, lavender, mauve, pale purple, light purple",
    "pink": "pink, rose, salmon, magenta",
    "rose": "rose, pink, salmon, dusty pink",
    "copper": "copper, bronze, brown",
}
"""Plain name → the words that may mean it; a word may stand for several."""


def _names_of_words() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, said in WORDS.items():
        for word in said.split(", "):
            found.setdefault(word.replace("-", " "), []).append(name)
    return {word: tuple(names) for word, names in found.items()}


NAMES: Final = _names_of_words()
_LONGEST_FIRST: Final = sorted(NAMES, key=lambda word: (-len(word), word))
_SAID: Final = "|".join(word.replace(" ", "[ -]") for word in _LONGEST_FIRST)
COLOUR: Final = re.compile(rf"\b(?<!compass )(?:{_SAID})(?:s|ish)?\b")
"""A colour word in lower-case text, "navy-blue" and "navy blue" alike."""

REACH: Final = 1.3
"""How many soft steps beyond its region a word still means a colour a little."""
_STEP_LIGHT, _STEP_CHROMA, _STEP_HUE = 8.0, 9.0, 12.0


def plain_colour(said: str) -> str:
    """A colour word as `NAMES` has it."""
    word = said.casefold().replace("-", " ")
    for ending in ("", "s", "ish"):
        if word.removesuffix(ending) in NAMES:
            return word.removesuffix(ending)
    raise ValueError(f"{said!r} is no colour word")


def lch(rgb: npt.NDArray[np.uint8]) -> Lch:
    """Colours (n × 3, sRGB) as lightness, chroma and hue."""
    pixels = rgb.reshape(1, -1, 3).astype(np.float32) / 255
    lab = cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB)[0]
    light, red, yellow = lab[:, 0], lab[:, 1], lab[:, 2]
    hue = np.degrees(np.arctan2(yellow, red)) % 360
    return np.stack([light, np.hypot(red, yellow), hue], axis=1).astype(np.float32)


def agreement(said: str, colour: Lch) -> float:
    """From 0 (nobody would call `colour`, one row, so) to 1 (within the word's region)."""
    light, chroma, hue = (float(part) for part in colour)
    off = min(
        _outside(region, light, chroma, hue) for name in NAMES[said] for region in REGIONS[name]
    )
    return max(0.0, 1.0 - off / REACH)


def _outside(region: Region, light: float, chroma: float, hue: float) -> float:
    """How far a colour lies outside of a region, in soft steps."""
    turned = 0.0
    if region.hue is not None:
        low, high = region.hue
        turned = min(_beyond(hue + turn, low, high) for turn in (0.0, 360.0))
    return float(
        np.hypot(
            np.hypot(
                _beyond(light, *region.light) / _STEP_LIGHT,
                _beyond(chroma, *region.chroma) / _STEP_CHROMA,
            ),
            turned / _STEP_HUE,
        )
    )


def _beyond(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0.0)
