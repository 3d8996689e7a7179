"""The dialect of ODE.

Names of tools and the handles `<image:0>` are as published. Its argument names are not, so what
its family of agents writes is accepted: a text or a list of texts for queries and addresses, a
list of four numbers or four single ones for a box. Boxes above 1 count in thousandths of the
picture, as the models it was trained from give them. Unverified until traces of it are at hand.
"""

from types import MappingProxyType
from typing import Any, Final

from hopsight.harness.bank import ImageBank
from hopsight.harness.dialects.arguments import Arguments
from hopsight.harness.dialects.dialect import Canonical, Dialect, DialectTool
from hopsight.harness.dialects.parts import (
    BOX,
    NUMBER,
    TEXT,
    TEXTS,
    boxed,
    number_of,
    only,
    our_handle,
    renamed,
    results,
    spec,
    told,
    tool,
)
from hopsight.harness.dialects.tags import Tags
from hopsight.harness.render import handle

GRID: Final = 1000.0
_IMAGE: Final = told(TEXT, "Handle of the image, e.g. <image:0>")
_QUERY: Final = told(TEXTS, "What to search for, one or more")
_BOX_NAMES: Final = ("bbox", "bbox_2d", "box")
_EDGES: Final = ("x0", "y0", "x1", "y1")


def _image(arguments: Arguments, bank: ImageBank) -> str:
    name = "image" if arguments.has("image") or not arguments.has("image_id") else "image_id"
    return our_handle(arguments.text(name), bank)


def _search(default: int) -> Any:
    def read(arguments: Arguments, bank: ImageBank) -> tuple[Canonical, ...]:
        most = results(arguments, "max_results", default)
        return tuple({"query": query, "max_results": most} for query in arguments.texts("query"))

    return read


def _search_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "query", "max_results")
    return {**values, "query": [values["query"]]}


def _by_picture(arguments: Arguments, bank: ImageBank) -> Canonical:
    most = results(arguments, "max_results", 3)
    return {"image": _image(arguments, bank), "max_results": most}


def _same_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    return {**values, "image": handle(number_of(values, bank))}


def _visit(arguments: Arguments, bank: ImageBank) -> tuple[Canonical, ...]:
    goal = arguments.optional_text("goal")
    return tuple({"url": url, "goal": goal} for url in arguments.texts("url"))


def _visit_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "url", "goal", part=1)
    return {"url": [values["url"]], "goal": values["goal"]}


def _zoom(arguments: Arguments, bank: ImageBank) -> Canonical:
    arguments.ignore("label")
    image = _image(arguments, bank)
    named = [name for name in _BOX_NAMES if arguments.has(name)]
    if named:
        box = arguments.numbers(named[0], 4)
    else:
        box = tuple(arguments.number(edge) for edge in _EDGES)
    if max(box) > 1:
        box = tuple(edge / GRID for edge in box)
    x0, y0, x1, y1 = (min(max(edge, 0.0), 1.0) for edge in box)
    return boxed(image, (x0, y0, x1, y1))


def _zoom_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    return {"image": handle(number_of(values, bank)), "bbox": [values[edge] for edge in _EDGES]}


def _rotation(arguments: Arguments, bank: ImageBank) -> Canonical:
    named = "angle" if arguments.has("angle") or not arguments.has("degrees") else "degrees"
    degrees = arguments.number(named)
    if abs(degrees) > 360:
        raise arguments.fault(f"{named}: give −360 to 360")
    return {"image": _image(arguments, bank), "degrees": degrees}


def _rotation_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    return {"image": handle(number_of(values, bank)), "angle": values["degrees"]}


def _flip(arguments: Arguments, bank: ImageBank) -> Canonical:
    return {"image": _image(arguments, bank), "direction": arguments.text("direction")}


def _search_spec(name: str, what: str) -> Any:
    return spec(name, f"Search for {what} by words.", "query", query=_QUERY)


_TOOLS: Final[tuple[DialectTool, ...]] = (
    tool(_search_spec("web_search", "pages"), "web_search", _search(5), _search_back),
    tool(_search_spec("image_search", "pictures"), "image_search", _search(3), _search_back),
    tool(_search_spec("scholar_search", "papers"), "scholar_search", _search(5), _search_back),
    tool(
        spec("visual_search", "Search by an image.", "image", image=_IMAGE),
        "visual_search",
        _by_picture,
        _same_back,
    ),
    tool(
        spec(
            "visit",
            "Read pages for a goal.",
            "url",
            url=told(TEXTS, "Addresses of pages"),
            goal=told(TEXT, "What you want to know"),
        ),
        "visit",
        _visit,
        _visit_back,
    ),
    tool(
        spec(
            "zoom_in",
            "Cut a region out of an image.",
            "image bbox",
            image=_IMAGE,
            bbox=told(BOX, "Left, top, right and bottom edge, as fractions or in thousandths"),
        ),
        "zoom_in",
        _zoom,
        _zoom_back,
    ),
    tool(
        spec(
            "rotation",
            "Turn an image clockwise.",
            "image angle",
            image=_IMAGE,
            angle=told(NUMBER, "Degrees"),
        ),
        "rotate",
        _rotation,
        _rotation_back,
    ),
    tool(
        spec(
            "flip",
            "Mirror an image.",
            "image direction",
            image=_IMAGE,
            direction=told(TEXT, "horizontal or vertical"),
        ),
        "flip",
        _flip,
        _same_back,
    ),
    renamed(
        spec("python_code", "Run a Python program.", "code", code=told(TEXT, "The program")),
        "python_code",
        code="code",
    ),
)

ODE: Final = Dialect(
    name="ode",
    tags=Tags(code=("<code>", "</code>")),
    tools=MappingProxyType({each.spec.name: each for each in _TOOLS}),
    reference=handle,
)
