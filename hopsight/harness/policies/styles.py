"""Three ways in which a model calls tools over a chat endpoint, by name.

native: the endpoint's own tool calls. text: `<think>`, `<tool_call>` and `<answer>` written in
the message, for servers without tool calls. action: one JSON object a turn, held to a schema by
the server, for small models that write neither reliably.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from hopsight.harness.dialects import (
    DIALECTS,
    write_observation,
)
from hopsight.harness.dialects.dialect import Dialect
from hopsight.harness.policies import action, native, text
from hopsight.harness.policies.listing import result
from hopsight.harness.policy import AssistantTurn, ToolSpec
from hopsight.llm.chat import ChatAnswer, ChatMessage
from hopsight.types import Observation, Turn


@dataclass(frozen=True, slots=True)
class Style:
    """How a style tells the rules, retells a turn, asks for an answer, and reads it.

    `asking` gives the fields of a ChatRequest that name tools or a schema. `by_call` tells
    whether an observation answers a call by id, or is told as a user's message, by `tell`. `show`
    writes handles and marks as the policy's dialect does.
    """

    rules: Callable[[tuple[ToolSpec, ...]], str]
    retell: Callable[[Turn], ChatMessage]
    asking: Callable[[tuple[ToolSpec, ...]], dict[str, Any]]
    read: Callable[[ChatAnswer], AssistantTurn]
    by_call: bool = False
    tell: Callable[[Observation], str] = result
    show: Callable[[str], str] = str


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        "native": Style(native.rules, native.retell, native.asking, native.read, by_call=True),
        "text": Style(text.rules, text.retell, text.asking, text.read),
        "action": Style(action.rules, action.retell, action.asking, action.read),
    }
)


def style_of_dialect(name: str) -> Style:
    """The text style of another system: its marks, its names of tools and pictures.

    Raises KeyError for a dialect that there is not; a Toolset has refused that before.
    """
    dialect = DIALECTS[name]
    return Style(
        rules=partial(text.rules, tags=dialect.tags),
        retell=partial(text.retell, tags=dialect.tags),
        asking=text.asking,
        read=partial(_read, dialect),
        tell=partial(_tell, dialect),
        show=partial(_show, dialect),
    )


def _read(dialect: Dialect, answer: ChatAnswer) -> AssistantTurn:
    return text.turn_of(answer.text, dialect.tags)


def _tell(dialect: Dialect, observation: Observation) -> str:
    return write_observation(observation.text, dialect.tags)


def _show(dialect: Dialect, said: str) -> str:
    opening, closing = dialect.tags.answer
    return dialect.show(said.replace("<answer>…</answer>", f"{opening}…{closing}"))
