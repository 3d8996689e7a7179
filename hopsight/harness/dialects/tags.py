"""How calls, observations and answers are written in a message, as data, with reader and writer."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hopsight.harness.render import neutralise
from hopsight.types import ToolCall

Pair = tuple[str, str]
"""What opens and what closes."""

MAX_CALLS: Final = 50
"""So many calls of one message are read; the limits of an episode are far below."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The marks of a dialect.

    `code`, inside a call and after its JSON, holds a program that becomes the argument `code`.
    `by_name` maps a tool to its main argument: such a tool may also be called by its own tag,
    `<text_search>words</text_search>`.
    """

    call: Pair = ("<tool_call>", "</tool_call>")
    observation: Pair = ("<tool_response>", "</tool_response>")
    answer: Pair = ("<answer>", "</answer>")
    think: Pair = ("<think>", "</think>")
    code: Pair | None = None
    by_name: Mapping[str, str] = field(default_factory=dict)


def read_calls(text: str, tags: Tags) -> tuple[ToolCall, ...]:
    """The calls outside of thoughts, in order, at most MAX_CALLS.

    What is no JSON object becomes a call of no tool, so that the harness answers it.
    """
    spoken = _outside(text, tags.think)
    return tuple(call for call, _ in zip(_calls(spoken, tags), range(MAX_CALLS), strict=False))


def without_calls(text: str, tags: Tags) -> str:
    """What a message says beside its calls; a call inside a thought is part of the thought."""
    opening, closing = (re.escape(mark) for mark in tags.think)
    thoughts = "".join(re.findall(rf"{opening}.*?(?:{closing}|\Z)", text, flags=re.DOTALL))
    spoken, said, position = _outside(text, tags.think), "", 0
    for start, end in _spans(spoken, tags):
        said += spoken[position:start]
        position = end
    return (thoughts + said + spoken[position:]).strip()


def write_call(call: ToolCall, tags: Tags) -> str:
    """The call in its tags. Marks inside an argument are escaped as JSON allows."""
    body = json.dumps({"name": call.name, "arguments": _loaded(call.arguments)}, ensure_ascii=False)
    for mark in _marks(tags):
        body = body.replace(mark, "\\u003c" + mark[1:])
    return f"{tags.call[0]}\n{body}\n{tags.call[1]}"


def write_observation(text: str, tags: Tags) -> str:
    """An observation in its tags; `text` must be neutralised already."""
    return f"{tags.observation[0]}\n{text}\n{tags.observation[1]}"


def read_answer(text: str, tags: Tags) -> str | None:
    """What the last answer outside of thoughts holds, marks neutralised; None if none or blank."""
    opening, closing = tags.answer
    spoken = _outside(text, tags.think)
    start = spoken.rfind(opening)
    end = spoken.find(closing, start)
    if start < 0 or end < 0:
        return None
    return neutralise(spoken[start + len(opening) : end].strip()) or None


def write_answer(answer: str, tags: Tags) -> str:
    """An answer in its tags."""
    return f"{tags.answer[0]}{answer}{tags.answer[1]}"


def _marks(tags: Tags) -> list[str]:
    pairs = [tags.call, tags.observation, tags.answer, tags.think]
    if tags.code is not None:
        pairs.append(tags.code)
    named = [mark for name in tags.by_name for mark in (f"<{name}>", f"</{name}>")]
    return [mark for pair in pairs for mark in pair] + named


def _outside(text: str, think: Pair) -> str:
    opening, closing = (re.escape(mark) for mark in think)
    return re.sub(rf"{opening}.*?(?:{closing}|\Z)", "", text, flags=re.DOTALL)


def _calls(text: str, tags: Tags) -> Iterator[ToolCall]:
    for name, body, _, _ in _written(text, tags):
        yield _named(name, body, tags) if name else _call(body, tags)


def _spans(text: str, tags: Tags) -> Iterator[tuple[int, int]]:
    for _, _, start, end in _written(text, tags):
        yield start, end


def _written(text: str, tags: Tags) -> Iterator[tuple[str, str, int, int]]:
    """Each call: the tool whose own tag it has ("" for none), its body, where it stands."""
    marks = {tags.call[0]: ""} | {f"<{name}>": name for name in tags.by_name}
    pattern = re.compile("|".join(re.escape(mark) for mark in marks))
    position = 0
    while found := pattern.search(text, position):
        name = marks[found.group()]
        closing = f"</{name}>" if name else tags.call[1]
        body, position = _body(text, found.end(), closing)
        yield name, body, found.start(), position


def _body(text: str, start: int, closing: str) -> tuple[str, int]:
    """What stands up to `closing`, and where reading goes on. JSON may hold `closing` in text."""
    space = len(text[start:]) - len(text[start:].lstrip())
    try:
        _, after = json.JSONDecoder().raw_decode(text, start + space)
    except (ValueError, RecursionError):
        after = start
    end = text.find(closing, after)
    if end < 0:
        return text[start:], len(text)
    return text[start:end], end + len(closing)


def _named(name: str, body: str, tags: Tags) -> ToolCall:
    found = _loaded(body)
    if not isinstance(found, dict):
        found = {tags.by_name[name]: body.strip()}
    return ToolCall(call_id="", name=name, arguments=json.dumps(found, ensure_ascii=False))


def _call(body: str, tags: Tags) -> ToolCall:
    found, code = _loaded(body), None
    if not isinstance(found, dict) and tags.code is not None:
        before, _, after = body.partition(tags.code[0])
        found, code = _loaded(before), after.partition(tags.code[1])[0].strip("\n")
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return ToolCall(call_id="", name="", arguments=body.strip())
    arguments = found.get("arguments", {})
    if code and isinstance(arguments, dict):
        arguments = arguments | {"code": code}
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(call_id="", name=found["name"], arguments=written)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
