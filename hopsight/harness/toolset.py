"""Which tools an episode offers, and whether each has what it needs before anything is spent."""

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from hopsight.config import DEFAULT_TOOLS
from hopsight.errors import ConfigError, Outcome, ToolError
from hopsight.harness.backends import SERVED
from hopsight.harness.bank import ImageBank
from hopsight.harness.dialects import DIALECTS, Dialect, read_answer
from hopsight.harness.dialects.own import HOPSIGHT as OWN
from hopsight.harness.policy import ToolSpec
from hopsight.harness.render import extract_answer
from hopsight.harness.tools import TOOLS, Tool
from hopsight.harness.workbench import Workbench
from hopsight.types import ToolCall

ALIASES: Final = MappingProxyType({"crop": "zoom_in"})
"""Other names that models give to our tools."""

_NEEDED: Final = MappingProxyType(
    {
        "python_code": "a sandbox that holds on this machine",
        "layout_parsing": "an engine that reads text in pictures",
        "super_resolution": "an engine that enlarges pictures",
    }
)


@dataclass(frozen=True, slots=True)
class Toolset:
    """The tools of an episode by name, in the order in which a policy is told of them.

    `dialect` is whose names, arguments and marks the policy uses; what is called is always ours.
    """

    names: tuple[str, ...] = DEFAULT_TOOLS
    dialect: str = OWN.name

    def __post_init__(self) -> None:
        twice = sorted({name for name in self.names if self.names.count(name) > 1})
        if twice:
            raise ConfigError(f"tools stand twice: {', '.join(twice)}", "name each tool once")
        if self.dialect not in DIALECTS:
            raise ConfigError(
                f"there is no dialect {self.dialect!r}", f"dialects are {', '.join(DIALECTS)}"
            )
        unknown = [name for name in self.names if name not in TOOLS]
        if unknown:
            raise ConfigError(
                f"there is no tool {', '.join(unknown)}", f"tools are {', '.join(TOOLS)}"
            )

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What a policy is told of them; tools that its dialect does not know are left out."""
        return _specs(self.names, self.dialect)

    def calls(self, call: ToolCall, bank: ImageBank) -> tuple[tuple[Tool, str], ...]:
        """What a call asks for: our tools, each with its arguments as JSON text.

        Raises ToolError: a tool that the episode does not have, or arguments of the dialect that
        cannot be read.
        """
        if self.dialect == OWN.name:
            return ((self._known(call.name), call.arguments),)
        ours = self._dialect.expand(call, bank)
        return tuple((self._known(each.name), each.arguments) for each in ours)

    def answer_in(self, text: str) -> str | None:
        """The final answer that a turn holds, None where it holds none."""
        if self.dialect == OWN.name:
            return extract_answer(text)
        return read_answer(text, self._dialect.tags)

    @property
    def _dialect(self) -> Dialect:
        return DIALECTS[self.dialect]

    def _known(self, asked: str) -> Tool:
        name = ALIASES.get(asked, asked)
        if name not in self.names:
            known = ", ".join(spec.name for spec in self.specs)
            raise ToolError(
                Outcome.UNKNOWN_TOOL, f"there is no tool {asked[:60]!r}; tools: {known}"
            )
        return TOOLS[name]

    def check(self, bench: Workbench) -> None:
        """Raises ConfigError where a tool could only ever fail: no scores without search."""
        engines = {
            "python_code": bench.python,
            "layout_parsing": bench.layout,
            "super_resolution": bench.upscaler,
        }
        there = frozenset(name for name, engine in engines.items() if engine is not None)
        self.check_served(bench.backend.offers, there)

    def check_served(self, offers: frozenset[str], engines: frozenset[str]) -> None:
        """The same, of a backend that `offers` these tools and of tools whose engine is there."""
        for name in self.names:
            if name in SERVED and name not in offers:
                offered = ", ".join(sorted(offers)) or "none"
                raise ConfigError(
                    f"the tool {name} has no backend that serves it",
                    f"configure one, or take it out of harness.tools; served: {offered}",
                )
            if name in _NEEDED and name not in engines:
                raise ConfigError(
                    f"the tool {name} needs {_NEEDED[name]}",
                    "install it, or take the tool out of harness.tools",
                )


@cache
def _specs(names: tuple[str, ...], dialect: str) -> tuple[ToolSpec, ...]:
    told = DIALECTS[dialect].tools.values()
    return tuple(tool.spec for name in names for tool in told if tool.canonical == name)
