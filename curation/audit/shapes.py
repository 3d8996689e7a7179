"""Rows of the published shapes: ShareGPT conversations, verl prompts, question–answer rows."""

import re
from collections.abc import Mapping
from typing import Final

from curation.audit.item import Item, Said, Shape
from refine.imported.cells import answers_of, is_empty, text_of
from refine.imported.columns import Columns
from refine.imported.references import Reference, references_of
from refine.imported.rows import Values
from refine.imported.seed import BadRow, ImportLimits

USER: Final = frozenset({"human", "user"})
ASSISTANT: Final = frozenset({"gpt", "assistant"})
CALL: Final = frozenset({"function_call"})
RESULT: Final = frozenset({"observation", "tool", "function"})
SYSTEM: Final = frozenset({"system"})

_CONVERSATIONS: Final = ("conversations", "messages")
_MARK: Final = "<image>"
_MARKS: Final = re.compile(r"<image(?::\d+)?>")
THOUGHT: Final = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)
_ANSWER: Final = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_MOST_MESSAGES: Final = 10_000


def item_of(row: int, values: Values, limits: ImportLimits) -> Item:
    """A row as an item. Raises BadRow where it has no known shape or a cell cannot be read."""
    columns = Columns(values)
    shape, messages = _said(values, columns)
    question = next((said.text for said in messages if said.role in USER), "")
    answers = _answers(values, columns)
    if shape == "sft" and not answers:
        answers = _told(messages)
    bare = " ".join(_MARKS.sub(" ", question).split())
    if not bare:
        raise BadRow("no_question", "nobody asks anything in it")
    return Item(
        row=row,
        shape=shape,
        question=bare[: limits.question_chars],
        answers=answers[: limits.answers],
        messages=messages,
        pictures=_pictures(values, columns),
        system=text_of(values.get("system"), "system") or "",
        tools=values.get("tools"),
    )


def _said(values: Values, columns: Columns) -> tuple[Shape, tuple[Said, ...]]:
    for name in _CONVERSATIONS:
        if not is_empty(values.get(name)):
            return "sft", _messages(values[name], name)
    names = columns.of("question")
    for name in names:
        cell = values.get(name)
        if is_empty(cell):
            continue
        if isinstance(cell, list):
            return "rl", _messages(cell, name)
        text = text_of(cell, name) or ""
        return "question", (Said("user", text, text.count(_MARK)),)
    if any(name in values for name in (*_CONVERSATIONS, *names)):
        raise BadRow("no_question", "nobody asks anything in it")
    raise BadRow("unknown_shape", f"its columns are {', '.join(map(repr, sorted(values)[:20]))}")


def _messages(cell: object, name: str) -> tuple[Said, ...]:
    if not isinstance(cell, list):
        raise BadRow(f"{name}_unreadable", f"it is of type {type(cell).__name__}, not a list")
    if len(cell) > _MOST_MESSAGES:
        raise BadRow(f"{name}_unreadable", f"it has {len(cell)} messages")
    return tuple(_message(each, name, place) for place, each in enumerate(cell, start=1))


def _message(value: object, name: str, place: int) -> Said:
    if not isinstance(value, Mapping):
        raise BadRow(f"{name}_unreadable", f"message {place} is of type {type(value).__name__}")
    role = value.get("from", value.get("role"))
    content = value.get("value", value.get("content"))
    if not isinstance(role, str):
        raise BadRow(f"{name}_unreadable", f"message {place} has no role")
    if isinstance(content, list):
        text, marks = _parts(content)
        return Said(role, text, marks + text.count(_MARK))
    if content is not None and not isinstance(content, str):
        raise BadRow(
            f"{name}_unreadable", f"message {place} holds a {type(content).__name__}, no text"
        )
    return Said(role, content or "", (content or "").count(_MARK))


def _parts(content: list[object]) -> tuple[str, int]:
    """The texts of a message in parts, and how many of the others are pictures."""
    parts = [part for part in content if isinstance(part, Mapping)]
    texts = [text for part in parts if isinstance(text := part.get("text"), str)]
    pictures = sum(str(part.get("type", "")).startswith("image") for part in parts)
    return "\n".join(texts), pictures


def _answers(values: Values, columns: Columns) -> tuple[str, ...]:
    names = (*columns.of("answer"), *columns.of("aliases"))
    found = [answer for name in names for answer in answers_of(values.get(name))]
    return tuple(dict.fromkeys(found))


def _told(messages: tuple[Said, ...]) -> tuple[str, ...]:
    """What the last message gives between its marks, or all that an assistant says there."""
    if not messages:
        return ()
    last = messages[-1]
    found = _ANSWER.findall(last.text)
    if not found and last.role in ASSISTANT:
        found = [THOUGHT.sub("", last.text)]
    return (found[-1].strip(),) if found and found[-1].strip() else ()


def _pictures(values: Values, columns: Columns) -> tuple[Reference, ...]:
    for name in columns.of("picture"):
        found = references_of(values.get(name))
        if found:
            return tuple(found)
    return tuple(each for name in columns.numbered for each in references_of(values.get(name)))
