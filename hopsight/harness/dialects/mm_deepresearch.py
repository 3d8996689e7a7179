"""The dialect of MM-DeepResearch.

Every search takes a list of queries. The lens search and the zoom have no picture argument: both
look at the question's first picture. What the lens search is given in words besides has no
counterpart here, since ours looks at pixels alone.
"""

from types import MappingProxyType
from typing import Any, Final

from hopsight.harness.bank import ImageBank
from hopsight.harness.dialects.arguments import Arguments
from hopsight.harness.dialects.dialect import Canonical, Dialect, DialectTool
from hopsight.harness.dialects.parts import (
    BOX,
    TEXT,
    TEXTS,
    boxed,
    fractions,
    number_of,
    only,
    our_handle,
    pixels_of,
    spec,
    told,
    tool,
)
from hopsight.harness.dialects.tags import Tags
from hopsight.harness.render import handle

TOP_K: Final = 3
_QUERIES: Final = told(TEXTS, "What to search for, one or more")


def _queries(arguments: Arguments, bank: ImageBank) -> tuple[Canonical, ...]:
    queries = arguments.texts("query_list")
    return tuple({"query": query, "max_results": TOP_K} for query in queries)


def _queries_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "query", max_results=TOP_K)
    return {"query_list": [values["query"]]}


def _lens(arguments: Arguments, bank: ImageBank) -> Canonical:
    arguments.ignore("query_list")
    return {"image": our_handle("0", bank), "max_results": TOP_K}


def _lens_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    only(values, "image", max_results=TOP_K)
    _first_only(values, bank)
    return {"query_list": [""]}


def _zoom(arguments: Arguments, bank: ImageBank) -> Canonical:
    arguments.ignore("label")
    image = our_handle("0", bank)
    return boxed(image, fractions(arguments.numbers("bbox_2d", 4), bank, 0))


def _zoom_back(values: Canonical, bank: ImageBank) -> dict[str, Any]:
    _first_only(values, bank)
    return {"bbox_2d": list(pixels_of(values, bank))}


def _first_only(values: Canonical, bank: ImageBank) -> None:
    """Raises ToolError for any other picture: the dialect has no word for it."""
    only({"image": handle(number_of(values, bank))}, image=handle(0))


_TOOLS: Final[tuple[DialectTool, ...]] = (
    tool(
        spec(
            "image_search_by_text_query",
            "Search for pictures by words; gives pictures with the titles of their pages.",
            "query_list",
            query_list=_QUERIES,
        ),
        "image_search",
        _queries,
        _queries_back,
    ),
    tool(
        spec(
            "image_search_by_lens",
            "Search by the question's picture; gives pictures with the titles of their pages.",
            "query_list",
            query_list=told(TEXTS, "Words that go with the picture"),
        ),
        "visual_search",
        _lens,
        _lens_back,
    ),
    tool(
        spec("text_search", "Search the web by words.", "query_list", query_list=_QUERIES),
        "web_search",
        _queries,
        _queries_back,
    ),
    tool(
        spec(
            "image_zoom_in_tool",
            "Cut a region out of the question's picture.",
            "bbox_2d",
            bbox_2d=told(BOX, "Left, top, right and bottom edge in pixels"),
            label=told(TEXT, "What the region shows"),
        ),
        "zoom_in",
        _zoom,
        _zoom_back,
    ),
)

MM_DEEPRESEARCH: Final = Dialect(
    name="mm_deepresearch",
    tags=Tags(),
    tools=MappingProxyType({each.spec.name: each for each in _TOOLS}),
    reference=handle,
    missing=MappingProxyType({"model_search": "no expert model is asked here"}),
)
