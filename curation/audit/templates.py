"""What a trainer's template would trip over: marks, tokens, roles, results, tools."""

import json
import re
from collections.abc import Iterator
from typing import Final

from curation.audit.item import Finding, Item, Said
from curation.audit.shapes import ASSISTANT, CALL, RESULT, SYSTEM, THOUGHT, USER

GATE: Final = "template"

_TOKENS: Final = re.compile(
    r"<\|[a-z_]{2,40}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>", re.IGNORECASE
)
_TOOL_TAGS: Final = re.compile(r"</?tool_(?:call|response)>", re.IGNORECASE)


def template_findings(item: Item) -> Iterator[Finding]:
    """Everything in a row that clashes with the templates of LLaMA-Factory and verl."""
    for reason, detail in (
        *_marks(item),
        *_tokens(item),
        *(_turns(item.messages) if item.shape == "sft" else ()),
        *_calls(item.messages),
        *_tools(item.tools),
    ):
        yield Finding(item.row, GATE, reason, detail)


def _marks(item: Item) -> Iterator[tuple[str, str]]:
    marks, pictures = sum(said.marks for said in item.messages), len(item.pictures)
    # A bare question is put into a prompt by its trainer, which may set the marks itself.
    if marks != pictures and not (item.shape == "question" and marks == 0):
        yield "image_marks", f"{marks} <image> for {pictures} pictures"


def _tokens(item: Item) -> Iterator[tuple[str, str]]:
    texts = [("system", item.system), *((said.role, said.text) for said in item.messages)]
    for place, (role, text) in enumerate(texts):
        found = set(_TOKENS.findall(text))
        if role not in ASSISTANT | CALL | SYSTEM:
            found |= set(_TOOL_TAGS.findall(text))
        if found:
            where = "the system prompt" if place == 0 else f"message {place} ({role[:20]})"
            yield "template_token", f"{', '.join(sorted(found)[:5])} in {where}"


def _turns(messages: tuple[Said, ...]) -> Iterator[tuple[str, str]]:
    """A user's or a tool's message stands at odd places, an assistant's at even ones."""
    said = messages[1:] if messages and messages[0].role in SYSTEM else messages
    known = USER | ASSISTANT | CALL | RESULT
    for place, each in enumerate(said):
        if each.role not in known:
            yield "unknown_role", f"message {place + 1} is of {each.role[:40]!r}"
            return
        before = said[place - 1].role if place else ""
        if each.role in RESULT and before in RESULT:
            yield "tool_results_in_a_row", f"messages {place} and {place + 1}"
            return
        if (each.role in USER | RESULT) != (place % 2 == 0):
            yield "role_out_of_turn", f"message {place + 1} is of {each.role}"
            return
        if each.role in RESULT and before not in CALL | ASSISTANT:
            yield "role_out_of_turn", f"message {place + 1} is a result of no call"
            return
    if not said or said[-1].role not in ASSISTANT:
        yield "no_final_answer", "the last message is not the assistant's"
    empty = next((place for place, each in enumerate(said, start=1) if not each.text.strip()), None)
    if empty is not None:
        yield "empty_message", f"message {empty}"


def _calls(messages: tuple[Said, ...]) -> Iterator[tuple[str, str]]:
    for place, each in enumerate(messages, start=1):
        if each.role in CALL and not _is_call(each.text):
            yield "call_unreadable", f"message {place} is no JSON with a name and arguments"
            return


def _is_call(text: str) -> bool:
    found = _json(THOUGHT.sub("", text, count=1))
    calls = found if isinstance(found, list) else [found]
    return bool(calls) and all(
        isinstance(call, dict) and isinstance(call.get("name"), str) and "arguments" in call
        for call in calls
    )


def _tools(cell: object) -> Iterator[tuple[str, str]]:
    """The tools must be a list, or a text that holds one as JSON."""
    if cell is None or cell == "":
        return
    listed = _json(cell) if isinstance(cell, str) else cell
    if not isinstance(listed, list):
        yield "tools_unreadable", f"they are no JSON list but a {type(listed).__name__}"


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
