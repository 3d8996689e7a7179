"""A dialect: the tools of another system, told and called as there, run by ours."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hopsight.errors import Outcome, ToolError
from hopsight.harness.bank import ImageBank
from hopsight.harness.dialects.arguments import Arguments
from hopsight.harness.dialects.tags import Tags
from hopsight.harness.policy import ToolSpec
from hopsight.harness.tools import TOOLS, parse_args
from hopsight.types import ToolCall

Canonical = dict[str, Any]
"""Arguments of one of our tools."""


@dataclass(frozen=True, slots=True)
class DialectTool:
    """A tool of a dialect, and ours behind it.

    `read` gives our arguments, several where one call asks several things; `write` gives the
    dialect's arguments back, or raises ToolError where it cannot say what ours say.
    """

    spec: ToolSpec
    canonical: str
    read: Callable[[Arguments, ImageBank], tuple[Canonical, ...]]
    write: Callable[[Canonical, ImageBank], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The tools of a system by name; `aliases` are further names of theirs.

    `reference` writes an image's handle. `missing` says what the dialect has and we have not.
    """

    name: str
    tags: Tags
    tools: Mapping[str, DialectTool]
    reference: Callable[[int], str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What a policy of this dialect is told."""
        return tuple(tool.spec for tool in self.tools.values())

    def expand(self, call: ToolCall, bank: ImageBank) -> tuple[ToolCall, ...]:
        """A call of the dialect as calls of our tools, under its own call id.

        Raises ToolError: unknown_tool, or invalid_args that says what is wrong.
        """
        tool = self.tools.get(self.aliases.get(call.name, call.name))
        if tool is None:
            raise ToolError(Outcome.UNKNOWN_TOOL, self._no_tool(call.name))
        arguments = Arguments(call)
        found = tool.read(arguments, bank)
        arguments.end()
        return tuple(_call(call.call_id, tool.canonical, each) for each in found)

    def translate(self, call: ToolCall, bank: ImageBank) -> ToolCall:
        """A call of the dialect as one call of our tools.

        Raises ToolError as `expand` does, and invalid_args where the call asks several things.
        """
        calls = self.expand(call, bank)
        if len(calls) != 1:
            raise ToolError(
                Outcome.INVALID_ARGS,
                f"{call.name[:60]}: {len(calls)} queries in one call; give one at a time",
            )
        return calls[0]

    def write(self, call: ToolCall, bank: ImageBank) -> ToolCall:
        """A call of our tools as the dialect calls it.

        Raises ToolError: unknown_tool where it has no such tool, invalid_args where the arguments
        are wrong or say what it cannot say.
        """
        name = next((name for name, tool in self.tools.items() if tool.canonical == call.name), "")
        ours = TOOLS.get(call.name)
        if not name or ours is None:
            raise ToolError(
                Outcome.UNKNOWN_TOOL, f"{self.name} has no counterpart of {call.name[:60]!r}"
            )
        values = parse_args(ours, call.arguments).model_dump(mode="json")
        return _call(call.call_id, name, self.tools[name].write(values, bank))

    def show(self, text: str) -> str:
        """`text` with our handles written as the dialect writes them."""
        return re.sub(
            r"<image:([0-9]{1,6})>", lambda found: self.reference(int(found.group(1))), text
        )

    def _no_tool(self, name: str) -> str:
        reason = self.missing.get(name)
        because = f" ({reason})" if reason else ""
        return f"there is no tool {name[:60]!r}{because}; tools: {', '.join(self.tools)}"


def _call(call_id: str, name: str, arguments: dict[str, Any]) -> ToolCall:
    return ToolCall(call_id=call_id, name=name, arguments=json.dumps(arguments, ensure_ascii=False))
