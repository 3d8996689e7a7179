"""Which tools an episode offers, and whether each has what it needs before anything is spent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hopsight.errors import ConfigError
from hopsight.harness.policy import ToolSpec
from hopsight.harness.tools import SPECS, TOOLS, Tool
from hopsight.harness.workbench import Workbench

DEFAULT: Final = (
    "web_search",
    "image_search",
    "visual_search",
    "visit",
    "zoom_in",
    "rotate",
    "flip",
)
"""The tools that every snapshot can serve, with no engine installed."""

BY_BACKEND: Final = frozenset(
    "web_search image_search visual_search scholar_search visit fetch_image".split()
)

_ENGINES: Final[Mapping[str, tuple[Callable[[Workbench], object], str]]] = MappingProxyType(
    {
        "python_code": (lambda bench: bench.python, "a sandbox that holds on this machine"),
        "layout_parsing": (lambda bench: bench.layout, "an engine that reads text in pictures"),
        "super_resolution": (lambda bench: bench.upscaler, "an engine that enlarges pictures"),
    }
)


@dataclass(frozen=True, slots=True)
class Toolset:
    """The tools of an episode by name, in the order in which a policy is told of them."""

    names: tuple[str, ...] = DEFAULT

    def __post_init__(self) -> None:
        twice = sorted({name for name in self.names if self.names.count(name) > 1})
        if twice:
            raise ConfigError(f"tools stand twice: {', '.join(twice)}", "name each tool once")
        unknown = [name for name in self.names if name not in TOOLS]
        if unknown:
            raise ConfigError(
                f"there is no tool {', '.join(unknown)}", f"tools are {', '.join(TOOLS)}"
            )

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What a policy is told of them."""
        by_name = {spec.name: spec for spec in SPECS}
        return tuple(by_name[name] for name in self.names)

    def get(self, name: str) -> Tool | None:
        """A tool of the episode; None where it has none of that name."""
        return TOOLS[name] if name in self.names else None

    def check(self, bench: Workbench) -> None:
        """Raises ConfigError where a tool could only ever fail: no scores without search."""
        for name in self.names:
            if name in BY_BACKEND and name not in bench.backend.offers:
                offered = ", ".join(sorted(bench.backend.offers)) or "none"
                raise ConfigError(
                    f"the tool {name} has no backend that serves it",
                    f"configure one, or take it out of harness.tools; served: {offered}",
                )
            engine, needed = _ENGINES.get(name, (None, ""))
            if engine is not None and engine(bench) is None:
                raise ConfigError(
                    f"the tool {name} needs {needed}",
                    "install it, or take the tool out of harness.tools",
                )
