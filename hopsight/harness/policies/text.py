"""Tool calls written in the message: `<think>`, `<tool_call>` and `<answer>`."""

from typing import Any, Final

from hopsight.harness.dialects import Tags, read_calls, without_calls, write_call
from hopsight.harness.policies.listing import listing
from hopsight.harness.policies.native import ANSWER_ALONE
from hopsight.harness.policy import AssistantTurn, ToolSpec
from hopsight.llm.chat import ChatAnswer, ChatMessage
from hopsight.types import Turn

TAGS: Final = Tags()
FORM: Final = '{"name": "tool", "arguments": {"argument": "value"}}'


def rules(tools: tuple[ToolSpec, ...], tags: Tags = TAGS) -> str:
    """The form of a turn in the marks of `tags`, and the tools with their arguments."""
    opening, closing = tags.answer
    form = f"{tags.call[0]}\n{FORM}\n{tags.call[1]}"
    if not tools:
        return ANSWER_ALONE.replace("<answer>", opening).replace("</answer>", closing)
    return (
        f"You may first think between {tags.think[0]} and {tags.think[1]}. Then either call a "
        f"tool:\n{form}\nor, when you know the answer, write it alone "
        f"between {opening} and {closing}. Tools:\n\n{listing(tools)}"
    )


def retell(turn: Turn, tags: Tags = TAGS) -> ChatMessage:
    """An earlier turn with its calls written out, as the model wrote them."""
    calls = [write_call(call, tags) for call in turn.calls]
    return ChatMessage(role="assistant", content=("\n".join([turn.text, *calls]).strip(),))


def asking(tools: tuple[ToolSpec, ...]) -> dict[str, Any]:
    """Nothing but the message is asked for."""
    return {}


def read(answer: ChatAnswer) -> AssistantTurn:
    """The turn that the answer's text is."""
    return turn_of(answer.text)


def turn_of(written: str, tags: Tags = TAGS) -> AssistantTurn:
    """The calls outside of thoughts, in order; the text without them.

    A call that is no JSON object becomes a call of no tool, so that the harness answers it.
    """
    calls = read_calls(written, tags)
    return AssistantTurn(without_calls(written, tags) if calls else written, calls)
