"""One JSON object a turn, held to a schema by the server: a thought, and a tool or an answer."""

import json
from typing import Any

from hopsight.harness.policies.listing import listing
from hopsight.harness.policy import AssistantTurn, ToolSpec
from hopsight.llm.chat import ChatAnswer, ChatMessage
from hopsight.types import ToolCall, Turn

ANSWER_ALONE = """\
Answer from what you know. Reply with one JSON object:
{"thought": "why", "answer": "the answer alone"}"""
"""What a model without tools is told."""

RULES = """\
Reply with one JSON object. To call a tool:
{{"thought": "why", "tool": "name", "arguments": {{"argument": "value"}}}}
When you know the answer:
{{"thought": "why", "answer": "the answer alone"}}
Tools:

{tools}"""

THOUGHT_CHARS = 400
ANSWER_CHARS = 200


def rules(tools: tuple[ToolSpec, ...]) -> str:
    """The form of a turn, and the tools with their arguments."""
    return RULES.format(tools=listing(tools)) if tools else ANSWER_ALONE


def retell(turn: Turn) -> ChatMessage:
    """An earlier turn as the object that it was; a turn that was none stands as its text."""
    if not turn.calls:
        return ChatMessage(role="assistant", content=(turn.text,))
    call = turn.calls[0]
    said = {"thought": turn.text, "tool": call.name, "arguments": _loaded(call.arguments)}
    return ChatMessage(role="assistant", content=(json.dumps(said, ensure_ascii=False),))


def asking(tools: tuple[ToolSpec, ...]) -> dict[str, Any]:
    """A schema with one alternative for each tool, and one for the answer."""
    thought = {"type": "string", "maxLength": THOUGHT_CHARS}
    calls = [
        _object({"thought": thought, "tool": {"const": tool.name}, "arguments": tool.schema})
        for tool in tools
    ]
    answer = _object({"thought": thought, "answer": {"type": "string", "maxLength": ANSWER_CHARS}})
    return {"json_schema": {"anyOf": [answer, *calls]}, "schema_name": "action"}


def read(answer: ChatAnswer) -> AssistantTurn:
    """A call or an answer; anything else is kept as text, which the harness answers."""
    found = _loaded(answer.text)
    if not isinstance(found, dict):
        return AssistantTurn(answer.text)
    thought = str(found.get("thought", ""))
    if "tool" in found:
        arguments = json.dumps(found.get("arguments", {}), ensure_ascii=False)
        call = ToolCall(call_id="", name=str(found["tool"]), arguments=arguments)
        return AssistantTurn(thought, (call,))
    if "answer" in found:
        return AssistantTurn(f"{thought}\n<answer>{found['answer']}</answer>".strip())
    return AssistantTurn(answer.text)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    required = list(properties)
    fields = {"type": "object", "properties": properties, "required": required}
    return fields | {"additionalProperties": False}


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
