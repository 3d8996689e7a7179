"""Tool calls written in the message: `<think>`, `<tool_call>` and `<answer>`."""

import json
import re
from typing import Any

from hopsight.harness.policies.listing import listing
from hopsight.harness.policies.native import ANSWER_ALONE
from hopsight.harness.policy import AssistantTurn, ToolSpec
from hopsight.llm.chat import ChatAnswer, ChatMessage
from hopsight.types import ToolCall, Turn

RULES = """\
You may first think between <think> and </think>. Then either call a tool:
<tool_call>{{"name": "tool", "arguments": {{"argument": "value"}}}}</tool_call>
or, when you know the answer, write it alone between <answer> and </answer>. Tools:

{tools}"""

_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_THINK = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


def rules(tools: tuple[ToolSpec, ...]) -> str:
    """The form of a turn, and the tools with their arguments."""
    return RULES.format(tools=listing(tools)) if tools else ANSWER_ALONE


def retell(turn: Turn) -> ChatMessage:
    """An earlier turn with its calls written out, as the model wrote them."""
    calls = [f"<tool_call>{_written(call)}</tool_call>" for call in turn.calls]
    return ChatMessage(role="assistant", content=("\n".join([turn.text, *calls]).strip(),))


def asking(tools: tuple[ToolSpec, ...]) -> dict[str, Any]:
    """Nothing but the message is asked for."""
    return {}


def read(answer: ChatAnswer) -> AssistantTurn:
    """The turn that the answer's text is."""
    return turn_of(answer.text)


def turn_of(written: str) -> AssistantTurn:
    """The calls outside of thoughts, in order; the text without them.

    A call that is no JSON object becomes a call of no tool, so that the harness answers it.
    """
    spoken = _THINK.sub("", written)
    calls = tuple(_call(found) for found in _CALL.findall(spoken))
    if not calls:
        return AssistantTurn(written)
    return AssistantTurn(_outside(written), calls)


def _outside(text: str) -> str:
    """The text without its calls; a call inside a thought is part of the thought."""
    thought = "".join(_THINK.findall(text))
    return (thought + _CALL.sub("", _THINK.sub("", text))).strip()


def _call(text: str) -> ToolCall:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ToolCall(call_id="", name="", arguments=text.strip())
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return ToolCall(call_id="", name="", arguments=text.strip())
    arguments = found.get("arguments", {})
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(call_id="", name=found["name"], arguments=written)


def _written(call: ToolCall) -> str:
    """The call as one JSON object; arguments that are none stand as text."""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        arguments = call.arguments
    return json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)
