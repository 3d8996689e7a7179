"""Words of English for figures, outlines, places and bands."""

import re
from typing import Final

from hopsight.reference.agents.colours import COLOUR

NUMBERS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
).split()
FIGURES: Final[dict[str, str]] = {
    "star": "stars?|pentagrams?|hexagrams?",
    "crescent": "crescents?|half-?moons?",
    "disc": "dis[ck]s?|circles?|roundels?|dots?|rings?|wheels?|balls?",
    "sun": "suns?|sunbursts?",
    "cross": "cross|crosses|saltires?",
    "triangle": "triangles?|wedges?|chevrons?",
    "rectangle": "rectangles?|cantons?|blocks?|quarters?|trapeziums?",
    "diamond": "diamonds?|lozenges?|rhombus(?:es)?",
    "field": "fields?|flags?|ensigns?",
    "wall": "grounds?|backgrounds?|backdrops?|walls?",
    "sky": "sky|skies",
    "plate": "boards?|signs?|signboards?|plaques?|plates?|cards?|sheets?|covers?|banners?|bills?|"
    "posters?|maps?|pages?",
    "part": "panels?|labels?|frames?|squares?|heads?|posts?",
    "edge": "edges?|edging|borders?|rims?|outlines?|fimbriations?",
}
"""Figure → the nouns that name it, as a pattern."""
AREAS: Final = frozenset({None, "field", "wall", "sky", "plate", "part", "edge", "stripe"})
"""What is nothing to look for unless a colour is told of it."""
SHAPES: Final[dict[str, str]] = {
    "round": "round|circular",
    "oval": "oval|elliptical|egg-shaped",
    "rounded": "round(?:ed)? corners?",
    "angular": "square corners?|sharp corners?|right-angled corners?",
    "wide": "twice as wide as (?:it is )?high",
    "even": "(?:as wide as (?:it is )?high|is square)",
}
"""Outline of the whole → how it is said."""
PLACES: Final[dict[str, str]] = {
    "upper left": "(?:upper|top)[ -]left|canton|upper hoist",
    "upper right": "(?:upper|top)[ -]right",
    "lower left": "(?:lower|bottom)[ -]left",
    "lower right": "(?:lower|bottom)[ -]right",
    "left": "left|hoist",
    "right": "right",
    "top": "top|above",
    "bottom": "bottom|below",
    "centre": "cent(?:re|er)|middle",
}
_TOKENS: Final = {
    "word": COLOUR.pattern,
    "across": r"\b(?:horizontal(?:ly)?|from top to bottom)\b",
    "upright": r"\b(?:vertical(?:ly)?|from left to right)\b",
    "slanting": r"\b(?:diagonal(?:ly)?|oblique(?:ly)?|slanting|from corner to corner|"
    r"from the (?:lower|upper|top|bottom) (?:left|right)(?: corner)? to the "
    r"(?:lower|upper|top|bottom) (?:left|right)(?: corner)?)\b",
    "apart": r"\b(?:left of the (?:cent(?:re|er)|middle))\b",
    "shape": rf"\b(?:{'|'.join(SHAPES.values())})\b",
    "bands": r"\b(?:bands?|stripes?|bars?|strips?|tricolou?rs?|striped)\b",
    "figure": rf"\b(?:{'|'.join(FIGURES.values())})\b",
    "points": rf"\b(?P<points_of>{'|'.join(NUMBERS)}|\d+)[ -](?:pointed|points|rays)\b",
    "count": rf"\b(?:{'|'.join(NUMBERS)})\b",
    "place": rf"\b(?:{'|'.join(PLACES.values())})(?:[ -](?:hand|corner|edge|side|half))*\b",
    "article": r"\b(?:an?|the)\b",
    "joint": r"\b(?:with|on|upon|over|under|between|behind|inside|beside|before|bearing)\b|[;.]",
}
TOKEN: Final = re.compile("|".join(f"(?P<{kind}>{said})" for kind, said in _TOKENS.items()))
