"""Turns of a policy by rule: one call, or the answer."""

import json
from typing import Literal

from hopsight.harness.policy import AssistantTurn
from hopsight.types import Task, ToolCall

Search = Literal["web_search", "visual_search"]

_QUERY_CHARS = 1_000
"""The longest query that web_search takes."""


def searching(search: Search, task: Task) -> AssistantTurn:
    """The turn that searches for the whole question, or for its picture; else that gives up."""
    if search == "web_search":
        return calling(0, search, query=task.text[:_QUERY_CHARS])
    if not task.images:
        return answering(None)
    return calling(0, search, image="<image:0>")


def calling(number: int, name: str, **arguments: object) -> AssistantTurn:
    """A turn that calls one tool; `number` tells the call from the others of its episode."""
    call = ToolCall(
        call_id=f"call_{number}", name=name, arguments=json.dumps(arguments, sort_keys=True)
    )
    return AssistantTurn(text="", calls=(call,))


def answering(answer: str | None) -> AssistantTurn:
    """The last turn."""
    said = "I could not find the answer." if answer is None else f"<answer>{answer}</answer>"
    return AssistantTurn(text=said)
