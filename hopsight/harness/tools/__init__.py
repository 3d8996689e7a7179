"""The tools of an episode, by name, and what a policy is told of them."""

from types import MappingProxyType
from typing import Final

from hopsight.harness.policy import ToolSpec
from hopsight.harness.tools.base import (
    NewPicture,
    Piece,
    Tool,
    ToolArgs,
    ToolResult,
    parse_args,
    spec,
)
from hopsight.harness.tools.fetch_image import FetchImage
from hopsight.harness.tools.flip import Flip
from hopsight.harness.tools.image_search import ImageSearch
from hopsight.harness.tools.layout_parsing import LayoutParsing
from hopsight.harness.tools.perspective_correct import PerspectiveCorrect
from hopsight.harness.tools.python_code import PythonCode
from hopsight.harness.tools.rotate import Rotate
from hopsight.harness.tools.scholar_search import ScholarSearch
from hopsight.harness.tools.sharpen import Sharpen
from hopsight.harness.tools.super_resolution import SuperResolution
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
    FetchImage(),
    ZoomIn(),
    Rotate(),
    Flip(),
    Sharpen(),
    SuperResolution(),
    PerspectiveCorrect(),
    LayoutParsing(),
    PythonCode(),
)

TOOLS: Final = MappingProxyType({tool.name: tool for tool in _ALL})
SPECS: Final[tuple[ToolSpec, ...]] = tuple(spec(tool) for tool in _ALL)

__all__ = ["SPECS", "TOOLS", "NewPicture", "Piece", "Tool", "ToolArgs", "ToolResult", "parse_args"]
