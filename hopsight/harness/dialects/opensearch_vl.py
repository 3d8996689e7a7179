"""The dialect of OpenSearch-VL.

Its pictures are img_1, img_2, … in the order in which they came. image_search looks from a picture
to pictures and pages; crop takes pixels of the picture that it names; enhancement takes a picture
alone. text_search there reads and summarises the pages that it finds; here it lists them, and
visit reads.
"""

import re
from types import MappingProxyType
from typing import Any, Final

from hopsight.harness.bank import ImageBank
from hopsight.harness.dialects.arguments import Arguments
from hopsight.harness.dialects.dialect import Canonical, Dialect, DialectTool
from hopsight.harness.dialects.parts import (
    INTEGER,
    NUMBER,
    TEXT,
    boxed,
    fractions,
    number_of,
    only,
    our_handle,
    pixels_of,
    renamed,
    results,
    spec,
    told,
    tool,
)
from hopsight.harness.dialects.tags import Tags

_IMAGE: Final = told(TEXT, "Image reference, e.g. img_1")
_REFERENCE: Final = re.compile(r"\s*<?(?:img|image)_([0-9]{1,6})>?\s*", re.IGNORECASE)


def reference(number: int) -> str:
    """Counted from 1."""
    return f"img_{number + 1}"


def _handle(text: str, bank: ImageBank) -> str:
    found = _REFERENCE.fullmatch(text)
    if found is None:
        return our_handle(text, bank)
    number = int(found.group(1))
    # There is no img_0: it becomes a handle that no bank has, for an error that lists the valid.
    return our_handle(str(number - 1) if number > 0 else "none", bank)


def _image(arguments: Arguments, bank: ImageBank, default: str | None = None) -> str:
    return _handle(arguments.text("image", default), bank)


def _crop(arguments: Arguments, bank: ImageBank) -> Canonical:
    image = _image(arguments, bank)
    x, y = arguments.number("x"), arguments.number("y")
    right, bottom = x + arguments.number("width"), y + arguments.number("height")
    number = bank.resolve(image).handle
    return boxed(image, fractions((x, y, right, bottom), bank, number))


def _crop_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    x0, y0, x1, y1 = pixels_of(values, bank)
    image = reference(number_of(values, bank))
    return {"image": image, "x": x0, "y": y0, "width": x1 - x0, "height": y1 - y0}


def _layout(arguments: Arguments, bank: ImageBank) -> Canonical:
    arguments.ignore("use_layout_detection", "use_chart_recognition", "use_doc_unwarping")
    return {"image": _image(arguments, bank, default=reference(0))}


def _text_search(arguments: Arguments, bank: ImageBank) -> tuple[Canonical, ...]:
    arguments.ignore("hl", "gl")
    most = results(arguments, "top_k", 5)
    return tuple({"query": query, "max_results": most} for query in arguments.texts("q"))


def _text_search_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "query", "max_results")
    return {"q": values["query"], "top_k": values["max_results"]}


def _image_search(arguments: Arguments, bank: ImageBank) -> Canonical:
    """The picture is named in `url`: by reference, or by an address that the bank knows."""
    named = arguments.text("url") if arguments.has("url") else arguments.text("image")
    found = [entry for entry in bank.entries if entry.image.source_url == named]
    image = our_handle(str(found[0].handle), bank) if found else _handle(named, bank)
    return {"image": image, "max_results": results(arguments, "top_k", 3)}


def _image_search_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "image", "max_results")
    return {"url": reference(number_of(values, bank)), "top_k": values["max_results"]}


def _visit(arguments: Arguments, bank: ImageBank) -> tuple[Canonical, ...]:
    goal = arguments.optional_text("goal")
    return tuple({"url": url, "goal": goal} for url in arguments.texts("url"))


def _visit_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "url", "goal", part=1)
    return {"url": values["url"], "goal": values["goal"]}


def _straighten_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "image", **{f"{axis}{n}": -1 for n in range(4) for axis in "xy"})
    return {"image": reference(number_of(values, bank))}


def _scale(arguments: Arguments, bank: ImageBank) -> Canonical:
    scale = arguments.number("scale", 4)
    if scale not in {2, 3, 4}:
        raise arguments.fault("scale: give 2, 3 or 4")
    return {"image": _image(arguments, bank), "scale": int(scale)}


def _scale_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    return {"image": reference(number_of(values, bank)), "scale": values["scale"]}


def _sharpen(arguments: Arguments, bank: ImageBank) -> Canonical:
    amount = min(max(arguments.number("amount", 1.5), 0.1), 3.0)
    return {"image": _image(arguments, bank), "amount": amount}


def _sharpen_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    return {"image": reference(number_of(values, bank)), "amount": values["amount"]}


def _picture_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    return {"image": reference(number_of(values, bank))}


_TOOLS: Final[tuple[DialectTool, ...]] = (
    tool(
        spec(
            "crop",
            "Cut a region out of an image; the cut-out becomes a new image.",
            "image x y width height",
            image=_IMAGE,
            x=told(INTEGER, "Left edge in pixels"),
            y=told(INTEGER, "Top edge in pixels"),
            width=told(INTEGER, "Width in pixels"),
            height=told(INTEGER, "Height in pixels"),
        ),
        "zoom_in",
        _crop,
        _crop_back,
    ),
    tool(
        spec("layout_parsing", "Read the text in an image.", "", image=_IMAGE),
        "layout_parsing",
        _layout,
        _picture_back,
    ),
    tool(
        spec(
            "text_search",
            "Search the web by words.",
            "q",
            q=told(TEXT, "What to search for"),
            top_k=told(INTEGER, "How many results"),
        ),
        "web_search",
        _text_search,
        _text_search_back,
    ),
    tool(
        spec(
            "image_search",
            "Search the web by an image: pages and pictures that show the same.",
            "url",
            url=told(TEXT, "Image reference, e.g. img_1"),
            top_k=told(INTEGER, "How many results"),
        ),
        "visual_search",
        _image_search,
        _image_search_back,
    ),
    tool(
        spec(
            "visit",
            "Read a page for a goal.",
            "url",
            url=told(TEXT, "Address of the page"),
            goal=told(TEXT, "What you want to know from it"),
        ),
        "visit",
        _visit,
        _visit_back,
    ),
    tool(
        spec(
            "perspective_correct", "Straighten something seen at an angle.", "image", image=_IMAGE
        ),
        "perspective_correct",
        lambda arguments, bank: {"image": _image(arguments, bank)},
        _straighten_back,
    ),
    tool(
        spec(
            "super_resolution",
            "Enlarge a small image.",
            "image",
            image=_IMAGE,
            scale=told(INTEGER, "2, 3 or 4; 4 where left out"),
        ),
        "super_resolution",
        _scale,
        _scale_back,
    ),
    tool(
        spec(
            "sharpen",
            "Sharpen a blurred image.",
            "image",
            image=_IMAGE,
            amount=told(NUMBER, "How much; 1.5 where left out"),
        ),
        "sharpen",
        _sharpen,
        _sharpen_back,
    ),
    renamed(
        spec(
            "python_interpreter",
            "Run a Python program and see what it prints.",
            "code",
            code=told(TEXT, "The whole program"),
        ),
        "python_code",
        code="code",
    ),
)

OPENSEARCH_VL: Final = Dialect(
    name="opensearch_vl",
    tags=Tags(
        answer=("<response>", "</response>"),
        by_name=MappingProxyType(
            {
                "text_search": "q",
                "web_search": "q",
                "image_search": "url",
                "visit": "url",
                "layout_parsing": "image",
                "perspective_correct": "image",
                "super_resolution": "image",
                "sharpen": "image",
                "crop": "image",
                "python_interpreter": "code",
            }
        ),
    ),
    tools=MappingProxyType({each.spec.name: each for each in _TOOLS}),
    reference=reference,
    aliases=MappingProxyType({"web_search": "text_search"}),
)
