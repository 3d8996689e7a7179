"""Three ways in which a model calls tools over a chat endpoint, by name.

native: the endpoint's own tool calls. text: `<think>`, `<tool_call>` and `<answer>` written in
the message, for servers without tool calls. action: one JSON object a turn, held to a schema by
the server, for small models that write neither reliably.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from hopsight.harness.policies import action, native, text
from hopsight.harness.policy import AssistantTurn, ToolSpec
from hopsight.llm.chat import ChatAnswer, ChatMessage
from hopsight.types import Turn


@dataclass(frozen=True, slots=True)
class Style:
    """How a style tells the rules, retells a turn, asks for an answer, and reads it.

    `asking` gives the fields of a ChatRequest that name tools or a schema. `by_call` tells
    whether an observation answers a call by id, or is told as a user's message.
    """

    rules: Callable[[tuple[ToolSpec, ...]], str]
    retell: Callable[[Turn], ChatMessage]
    asking: Callable[[tuple[ToolSpec, ...]], dict[str, Any]]
    read: Callable[[ChatAnswer], AssistantTurn]
    by_call: bool = False


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        "native": Style(native.rules, native.retell, native.asking, native.read, by_call=True),
        "text": Style(text.rules, text.retell, text.asking, text.read),
        "action": Style(action.rules, action.retell, action.asking, action.read),
    }
)
