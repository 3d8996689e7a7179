"""One known call of each tool before anything is spent: does it answer, and answer right?

A picture that is replaced by text on its way raises no error, so pixels are compared, not counted.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from hopsight.errors import Outcome
from hopsight.harness.bank import ImageBank, encode
from hopsight.harness.execute import Executed, execute
from hopsight.harness.setting import Setting
from hopsight.harness.tools import NewPicture
from hopsight.search.pixels import open_picture
from hopsight.types import ImageRef, ToolCall

SIGN: Final = "HOPSIGHT 4711"
TOLD_CHARS: Final = 160
NOT_TRIED: Final = "not tried: nothing is known to try it with"
CORNERS: Final = (("x0", 0.1), ("y0", 0.0), ("x1", 1.0), ("y1", 0.1),
                  ("x2", 0.9), ("y2", 1.0), ("x3", 0.0), ("y3", 0.9))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Known:
    """What the backend is known to hold: a thing by name, its page, and a stored picture of it.

    `url` and `image_url` are "" where they are not known, as before anything was searched.
    """

    query: str
    image: ImageRef
    url: str = ""
    image_url: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """What one probe saw."""

    tool: str
    able: bool
    detail: str
    seconds: float


@dataclass(frozen=True, slots=True)
class _Probe:
    """Arguments of the call, and what is wrong with its result (None: nothing)."""

    arguments: Callable[[Known], Mapping[str, Any] | None]
    fault: Callable[[Executed, Known, Setting], str | None]


async def check_tools(setting: Setting, known: Known) -> tuple[Checked, ...]:
    """Try every tool in turn; one that cannot be tried says so and is not at fault."""
    signs = [setting.images.put(_sign(blur), "", "CC0-1.0", "Hopsight") for blur in (0, 2)]
    shown = (known.image, *signs)
    return tuple([await _checked(name, setting, known, shown) for name in setting.tools.names])


async def _checked(
    name: str, setting: Setting, known: Known, shown: tuple[ImageRef, ...]
) -> Checked:
    arguments = _PROBES[name].arguments(known)
    if arguments is None:
        return Checked(name, able=True, detail=NOT_TRIED, seconds=0.0)
    bank = ImageBank(shown, setting.images, 50, 10**9)
    call = ToolCall(call_id="check", name=name, arguments=json.dumps(arguments))
    began = time.perf_counter()
    done = await execute(call, setting, bank, setting.limits.tool_timeout_s)
    seconds = time.perf_counter() - began
    fault = _failure(done) or _PROBES[name].fault(done, known, setting)
    return Checked(name, fault is None, (fault or "ok")[:TOLD_CHARS], seconds)


def _sign(blur: float) -> bytes:
    """A drawn picture that says SIGN, blurred by so many pixels."""
    image = Image.new("RGB", (480, 120), "white")
    ImageDraw.Draw(image).text((20, 30), SIGN, fill="black", font=ImageFont.load_default(48))
    return encode(image.filter(ImageFilter.GaussianBlur(blur)), "PNG")


def _failure(done: Executed) -> str | None:
    if done.result.outcome is Outcome.OK:
        return None
    return f"{done.result.outcome}: {' '.join(done.result.text.split())}"


def _pictures(done: Executed) -> list[ImageRef]:
    return [piece.image for piece in done.result.pieces if isinstance(piece, NewPicture)]


def _anything(done: Executed, known: Known, setting: Setting) -> str | None:
    return None if done.result.text.strip() else "it says nothing"


def _names_page(done: Executed, known: Known, setting: Setting) -> str | None:
    if known.url and known.url not in done.result.text:
        return f"the page that is known, {known.url}, is not among what was found"
    return _anything(done, known, setting)


def _pixels(done: Executed, known: Known, setting: Setting) -> str | None:
    """Every picture that was brought decodes to pixels."""
    brought = _pictures(done)
    for image in brought:
        open_picture(setting.images.bytes(image.sha256))
    return None if brought else "no picture arrived"


def _finds_itself(done: Executed, known: Known, setting: Setting) -> str | None:
    return _names_page(done, known, setting) or _pixels(done, known, setting)


def _reads_sign(done: Executed, known: Known, setting: Setting) -> str | None:
    read = all(word in done.result.text for word in SIGN.split())
    return None if read else f"{SIGN!r} was not read in a drawn sign: {done.result.text}"


def _size_of_picture(done: Executed, known: Known, setting: Setting) -> str | None:
    size = f"{known.image.width}x{known.image.height}"
    return (
        None if size in done.result.text else f"the picture did not arrive: {size} was not printed"
    )


PROGRAM: Final = (
    "from pathlib import Path\nfrom PIL import Image\n"
    "image = Image.open(next(p for p in Path('images').iterdir() if p.stem == '0'))\n"
    "print(f'{image.width}x{image.height}')"
)
_ON_PICTURE: Final = {"image": "<image:0>"}

_PROBES: Final[Mapping[str, _Probe]] = MappingProxyType(
    {
        "web_search": _Probe(lambda known: {"query": known.query}, _names_page),
        "scholar_search": _Probe(lambda known: {"query": known.query}, _anything),
        "image_search": _Probe(lambda known: {"query": known.query}, _pixels),
        "visual_search": _Probe(lambda known: _ON_PICTURE, _finds_itself),
        "visit": _Probe(lambda known: {"url": known.url} if known.url else None, _anything),
        "fetch_image": _Probe(
            lambda known: {"url": known.image_url} if known.image_url else None, _pixels
        ),
        "zoom_in": _Probe(
            lambda known: {**_ON_PICTURE, "x0": 0.2, "y0": 0.2, "x1": 0.8, "y1": 0.8}, _pixels
        ),
        "rotate": _Probe(lambda known: {**_ON_PICTURE, "degrees": 90}, _pixels),
        "flip": _Probe(lambda known: {**_ON_PICTURE, "direction": "horizontal"}, _pixels),
        "sharpen": _Probe(lambda known: {"image": "<image:2>"}, _pixels),
        "super_resolution": _Probe(lambda known: {"image": "<image:1>"}, _pixels),
        "perspective_correct": _Probe(lambda known: {**_ON_PICTURE, **dict(CORNERS)}, _pixels),
        "layout_parsing": _Probe(lambda known: {"image": "<image:1>"}, _reads_sign),
        "python_code": _Probe(lambda known: {"code": PROGRAM}, _size_of_picture),
    }
)
