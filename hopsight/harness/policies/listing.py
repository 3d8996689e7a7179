"""Tools and their results as text, for models that are told of them in words."""

import json

from hopsight.harness.policy import ToolSpec
from hopsight.types import Observation


def listing(tools: tuple[ToolSpec, ...]) -> str:
    """One paragraph a tool: name, what it does, and the JSON schema of its arguments."""
    return "\n\n".join(
        f"{tool.name}: {tool.description}\n"
        f"arguments: {json.dumps(tool.schema['properties'], ensure_ascii=False)}"
        for tool in tools
    )


def result(observation: Observation) -> str:
    """What a call gave back, with its outcome."""
    return f"Result ({observation.outcome}):\n{observation.text}"
