"""The endpoint's own tool calls."""

from typing import Any

from hopsight.harness.policy import AssistantTurn, ToolSpec
from hopsight.llm.chat import ChatAnswer, ChatMessage, ToolDef, ToolUse
from hopsight.types import ToolCall, Turn

ANSWER_ALONE = "Answer from what you know. Put the answer alone between <answer> and </answer>."
"""What a model without tools is told."""

RULES = (
    "Call tools to look, search and read. When you know the answer, reply without a tool call and "
    "put the answer alone between <answer> and </answer>."
)


def rules(tools: tuple[ToolSpec, ...]) -> str:
    """What the system message says of calling; the tools themselves go with the request."""
    return RULES if tools else ANSWER_ALONE


def retell(turn: Turn) -> ChatMessage:
    """An earlier turn as the assistant's message."""
    calls = tuple(
        ToolUse(call_id=call.call_id, name=call.name, arguments=call.arguments)
        for call in turn.calls
    )
    return ChatMessage(role="assistant", content=(turn.text,), tool_calls=calls)


def asking(tools: tuple[ToolSpec, ...]) -> dict[str, Any]:
    """The tools of the request."""
    return {
        "tools": tuple(
            ToolDef(name=tool.name, description=tool.description, parameters=tool.schema)
            for tool in tools
        )
    }


def read(answer: ChatAnswer) -> AssistantTurn:
    """Text and calls as they came; arguments stay unchecked."""
    calls = tuple(
        ToolCall(call_id=use.call_id, name=use.name, arguments=use.arguments)
        for use in answer.tool_calls
    )
    return AssistantTurn(answer.text, calls)
