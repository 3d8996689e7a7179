"""Tools as text, for models that are told of them in words."""

import json

from hopsight.harness.policy import ToolSpec


def listing(tools: tuple[ToolSpec, ...]) -> str:
    """One paragraph a tool: name, what it does, and the JSON schema of its arguments."""
    return "\n\n".join(
        f"{tool.name}: {tool.description}\n"
        f"arguments: {json.dumps(tool.schema['properties'], ensure_ascii=False)}"
        for tool in tools
    )
