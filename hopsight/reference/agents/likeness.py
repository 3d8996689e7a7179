"""How well a picture goes with what a text says of it: from -1 (contradicted) to 1 (as told)."""

from collections.abc import Sequence
from typing import Final

from hopsight.reference.agents.colours import agreement
from hopsight.reference.agents.looks import Feature, Look, Stripes
from hopsight.reference.agents.sight import Bands, Box, Sight

BOXES: Final[dict[str, Box]] = {
    "upper left": (0.0, 0.0, 0.34, 0.4),
    "upper right": (0.66, 0.0, 1.0, 0.4),
    "lower left": (0.0, 0.6, 0.34, 1.0),
    "lower right": (0.66, 0.6, 1.0, 1.0),
    "left": (0.0, 0.1, 0.25, 0.9),
    "right": (0.6, 0.0, 1.0, 1.0),
    "top": (0.0, 0.0, 1.0, 0.25),
    "bottom": (0.0, 0.75, 1.0, 1.0),
    "centre": (0.3, 0.3, 0.7, 0.7),
}
AREAS: Final[dict[str, tuple[Box, ...]]] = {
    "field": ((0.0, 0.0, 1.0, 1.0),),
    "plate": ((0.25, 0.25, 0.75, 0.75),),
    "wall": ((0.0, 0.0, 1.0, 0.03), (0.0, 0.0, 0.03, 1.0), (0.97, 0.0, 1.0, 1.0)),
    "sky": ((0.0, 0.0, 1.0, 0.1),),
}
"""Where an area is looked for: the middle of a sign, the margin before a wall."""
AGREED: Final = 0.35
"""From here on a word is taken to mean a colour."""
VISIBLE: Final = 0.0007
GROUND: Final = 0.28
STRIPES_WEIGHT: Final = 2.0
OTHER_FIGURE: Final = 0.2
"""What is left of a feature whose colour is there but whose figure is not seen."""
SEEN_AS: Final[dict[str, frozenset[str]]] = {
    "star": frozenset({"star", "sun"}),
    "sun": frozenset({"sun", "star", "disc"}),
    "crescent": frozenset({"crescent"}),
    "disc": frozenset({"disc"}),
    "cross": frozenset({"cross"}),
    "triangle": frozenset({"triangle"}),
    "rectangle": frozenset({"rectangle", "stripe"}),
    "diamond": frozenset({"diamond"}),
}
"""Figure in words → what its outline may be taken for."""
PLATES: Final = {"round": "disc", "oval": "oval", "angular": "rectangle"}


def likeness(sight: Sight, look: Look) -> float:
    """How a picture goes with a description; 0 where nothing of it can be told from pixels."""
    scored = [(STRIPES_WEIGHT, _stripes(sight, each)) for each in look.stripes]
    scored += [(1.0, _feature(sight, each)) for each in look.features]
    scored += [(0.5, said) for shape in look.shapes if (said := _outline(sight, shape)) is not None]
    return _mean(scored)


def glimpse(sight: Sight, look: Look) -> float:
    """The same at a careless glance: whether the first colour told is a main colour."""
    said = [each.colours[0] for each in look.stripes]
    said += [each.colours[0] for each in look.features if each.colours]
    if not said:
        return 0.0
    main = sight.by_area[:2]
    return 1.0 if any(agreement(said[0], sight.palette[each]) >= AGREED for each in main) else -1.0


def _mean(scored: Sequence[tuple[float, float]]) -> float:
    total = sum(weight for weight, _ in scored)
    return sum(weight * score for weight, score in scored) / total if total else 0.0


def _stripes(sight: Sight, told: Stripes) -> float:
    """Bands in the told order, or whether the colours are there at all."""
    seen: list[Bands] = []
    if told.run != "upright":
        seen += sight.across
    if told.run != "across":
        seen += sight.upright
    best = max((_in_order(sight, told, bands) for bands in seen), default=-1.0)
    if best > 0:
        return best
    absent = sum(not _visible(sight, word) for word in told.colours)
    return max(-1.0, best - 0.2 * absent) if seen else -1.0


def _in_order(sight: Sight, told: Stripes, bands: Bands) -> float:
    colours = told.colours
    if told.count is not None and len(colours) < told.count:
        # "Nine bands, blue and white": the colours take turns.
        colours = tuple(colours[place % len(colours)] for place in range(told.count))
    if len(colours) != len(bands):
        return -0.6
    agreed = [
        agreement(word, sight.palette[number]) for word, number in zip(colours, bands, strict=True)
    ]
    if min(agreed) >= AGREED:
        return sum(agreed) / len(agreed)
    return -1.0 + 0.6 * sum(each >= AGREED for each in agreed) / len(agreed)


def _visible(sight: Sight, word: str) -> bool:
    return any(
        agreed >= AGREED and sight.shares[number] >= VISIBLE
        for number, agreed in sight.called(word)
    )


def _feature(sight: Sight, told: Feature) -> float:
    if told.figure in AREAS and (told.place is None or told.figure == "plate"):
        return _mean([(1.0, _area(sight, AREAS[told.figure], word)) for word in told.colours])
    if told.figure == "stripe" or told.figure not in SEEN_AS:
        return _mean([(1.0, _colour(sight, word, told.place)) for word in told.colours])
    words: tuple[str | None, ...] = told.colours or (None,)
    return _mean([(1.0, _figure(sight, told, word)) for word in words])


def _area(sight: Sight, boxes: Sequence[Box], word: str) -> float:
    """A colour that should cover much of an area."""
    called = [number for number, agreed in sight.called(word) if agreed >= AGREED]
    parts = [sight.within(box) for box in boxes]
    share = max(sum(part.get(number, 0.0) for number in called) for part in parts)
    return 2 * min(1.0, share / GROUND) - 1


def _colour(sight: Sight, word: str, place: str | None) -> float:
    """Whether a colour is there, in its place."""
    shares = dict(enumerate(sight.shares)) if place is None else sight.within(_box(place))
    found = [agreed for number, agreed in sight.called(word) if shares.get(number, 0.0) >= VISIBLE]
    best = max(found, default=0.0)
    return best if best >= AGREED else -1.0


def _figure(sight: Sight, told: Feature, word: str | None) -> float:
    """A figure of a colour in its place, as many as told."""
    colour = 1.0 if word is None else _colour(sight, word, told.place)
    if colour < 0:
        return colour
    kinds = SEEN_AS[told.figure or ""]
    fitting = [
        each
        for each in sight.figures
        if each.kind in kinds
        and (word is None or agreement(word, sight.palette[each.colour]) >= AGREED)
        and _stands_in(told.place, each.x, each.y)
    ]
    if not fitting:
        return OTHER_FIGURE * colour if word is not None else 0.0
    doubts = 0.0
    if told.count is not None and len(fitting) != told.count:
        doubts += 0.3
    if told.points is not None and not any(each.points == told.points for each in fitting):
        doubts += 0.3
    return colour - doubts


def _stands_in(place: str | None, x: float, y: float) -> bool:
    if place is None:
        return True
    left, top, right, bottom = _box(place)
    slack = 0.12
    return left - slack <= x <= right + slack and top - slack <= y <= bottom + slack


def _box(place: str) -> Box:
    return BOXES[place]


def _outline(sight: Sight, shape: str) -> float | None:
    """Whether the largest figure has that outline; None where that cannot be told."""
    if shape == "wide":
        return 1.0 if abs(sight.ratio - 2) < 0.03 else -1.0
    if shape == "even":
        return 1.0 if abs(sight.ratio - 1) < 0.03 else -1.0
    plates = [
        each.kind for each in sight.figures if each.kind in PLATES.values() and each.area > 0.05
    ]
    if not plates or shape not in PLATES:
        return None
    return 1.0 if plates[0] == PLATES[shape] else -0.7
