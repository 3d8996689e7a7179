"""The tools of an episode, by name, and what a policy is told of them."""

from types import MappingProxyType
from typing import Final

from hopsight.harness.policy import ToolSpec
from hopsight.harness.tools.base import (
    NewPicture,
    Tool,
    ToolArgs,
    ToolResult,
    parse_args,
    spec,
)
from hopsight.harness.tools.flip import Flip
from hopsight.harness.tools.image_search import ImageSearch
from hopsight.harness.tools.rotate import Rotate
from hopsight.harness.tools.scholar_search import ScholarSearch
from hopsight.harness.tools.visit import Visit
from hopsight.harness.tools.visual_search import VisualSearch
from hopsight.harness.tools.web_search import WebSearch
from hopsight.harness.tools.zoom_in import ZoomIn

_ALL: Final[tuple[Tool, ...]] = (
    WebSearch(),
    ImageSearch(),
    VisualSearch(),
    ScholarSearch(),
    Visit(),
    ZoomIn(),
    Rotate(),
    Flip(),
)

TOOLS: Final = MappingProxyType({tool.name: tool for tool in _ALL})
SPECS: Final[tuple[ToolSpec, ...]] = tuple(spec(tool) for tool in _ALL)

__all__ = ["SPECS", "TOOLS", "NewPicture", "Tool", "ToolArgs", "ToolResult", "parse_args"]
