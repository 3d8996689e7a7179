"""Caption a picture: what is to be seen in it, as a sentence, as facts, and as its words."""

from typing import Annotated, Final

import cv2
import numpy as np
from pydantic import Field

from hopsight.llm.chat import Picture
from hopsight.search.pixels import Pixels, open_picture, rgb_array
from hopsight.steps.step import Step
from hopsight.steps.text import leaked, listed
from hopsight.types import Domain, Part

MAX_FACTS: Final = 8
Line = Annotated[str, Field(min_length=1, max_length=200)]

_SIDE: Final = 64
_SHARE: Final = 0.1
"""Part of the picture that a colour covers at least to be told."""

_HUES: Final = (
    (10, "red"),
    (22, "orange"),
    (33, "yellow"),
    (85, "green"),
    (100, "turquoise"),
    (130, "blue"),
    (155, "purple"),
    (170, "pink"),
    (180, "red"),
)
"""Upper ends of named hues on OpenCV's circle of 180 degrees, each of two."""


class Shown(Part):
    """A picture and what its page is about. `avoid` are names that the caption must not tell.

    `known` and `known_text` are stored facts and words of the picture, which the rules repeat
    and no model is shown.
    """

    picture: Picture
    domain: Domain | None = None
    avoid: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    known_text: tuple[str, ...] = ()


class Caption(Part):
    """What looking at the picture makes certain. `visible_text` are words written in it."""

    caption: str = Field(min_length=1, max_length=500)
    visual_facts: tuple[Line, ...] = Field(max_length=MAX_FACTS)
    visible_text: tuple[Line, ...] = Field(max_length=20)


def _fill(shown: Shown) -> dict[str, str]:
    return {"domain": shown.domain or "anything", "avoid": listed(shown.avoid)}


def _pictures(shown: Shown) -> tuple[Picture, ...]:
    return (shown.picture,)


def check(shown: Shown, said: Caption) -> str | None:
    """A caption and at least one fact, none twice; no name but among the words in the picture."""
    if not said.visual_facts:
        return "there is no visual fact"
    if len(set(said.visual_facts)) < len(said.visual_facts):
        return "a visual fact stands twice"
    if not all(text.strip() for text in (said.caption, *said.visual_facts, *said.visible_text)):
        return "a text is blank"
    names = leaked("\n".join((said.caption, *said.visual_facts)), shown.avoid)
    return f"the caption or a fact tells the name {names[0]!r}" if names else None


def reference(shown: Shown) -> Caption:
    """Stored facts where there are some, else what is measured: shape and colours.

    Raises:
        PictureError: the bytes are no usable picture.
    """
    pixels = rgb_array(open_picture(shown.picture.data))
    measured = [f"the picture is {_shape(pixels)}", *_colours(pixels)]
    known = [fact for fact in shown.known if fact.strip() and not leaked(fact, shown.avoid)]
    facts = list(dict.fromkeys(fact[:200] for fact in known or measured))[:MAX_FACTS]
    words = [text[:200] for text in shown.known_text if text.strip()]
    caption = f"A picture: {'; '.join(facts)}."
    return Caption(caption=caption[:500], visual_facts=tuple(facts), visible_text=tuple(words[:20]))


def _shape(pixels: Pixels) -> str:
    height, width = pixels.shape[:2]
    shape = "square" if width == height else "wider than high" if width > height else "upright"
    return f"{shape}, {width} by {height} pixels"


def _colours(pixels: Pixels) -> list[str]:
    """Colours by the share that they cover, the largest first, in steps of ten per cent."""
    small = cv2.resize(pixels, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    hsv = cv2.cvtColor(small, cv2.COLOR_RGB2HSV).reshape(-1, 3)
    names, counts = np.unique([_colour(*map(int, pixel)) for pixel in hsv], return_counts=True)
    shares = sorted(
        ((int(count) / len(hsv), str(name)) for name, count in zip(names, counts, strict=True)),
        key=lambda pair: (-pair[0], pair[1]),
    )
    return [
        f"about {round(share * 10) * 10} % of it is {name}"
        for share, name in shares
        if share >= _SHARE
    ]


def _colour(hue: int, saturation: int, value: int) -> str:
    if value < 50:
        return "black"
    if saturation < 40:
        return "white" if value > 215 else "grey"
    name = next(name for end, name in _HUES if hue < end)
    return "brown" if name == "orange" and value < 150 else name


CAPTION_PICTURE: Final = Step(
    name="caption_picture",
    role="captioner",
    input=Shown,
    output=Caption,
    fill=_fill,
    check=check,
    reference=reference,
    pictures=_pictures,
)
