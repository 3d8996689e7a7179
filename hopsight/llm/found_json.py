"""JSON objects in a text that may hold anything else beside them."""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

Reason = Literal[
    "no_json",
    "truncated",
    "several_values",
    "duplicate_key",
    "not_a_number",
    "too_deep",
    "too_long",
    "invalid",
    "check_failed",
]
"""Why a text holds no usable value."""

_THOUGHT = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
_THOUGHT_END = re.compile(r".*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_BRACE = re.compile(r"[{}]")
_OPENING = re.compile(r"\{(?=\s*[\"}])")
_MAX_STARTS = 500
_LONGEST_INTEGER = 40


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a text."""

    reason: Reason
    detail: str


class _UnusableError(ValueError):
    """JSON by its shape, with a content that has no one meaning."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.fault = Fault(reason, detail)


def find_values(text: str) -> tuple[list[dict[str, Any]], Fault | None]:
    """The JSON objects of `text` that lie in no other one, in order, and the last fault found.

    A text with an object that is cut off or cannot be used holds no value at all: where that
    object ends cannot be told, and what stands inside it or behind it may be text that was quoted.
    """
    position = _after_thought(text)
    values: list[dict[str, Any]] = []
    for _ in range(_MAX_STARTS):
        opening = _OPENING.search(text, position)
        if opening is None:
            return values, None
        try:
            value, position = _STRICT.raw_decode(text, opening.start())
            values.append(value)
            continue
        except _UnusableError as error:
            fault = error.fault
        except json.JSONDecodeError as error:
            fault = Fault("invalid", f"{error.msg} at character {error.pos}")
        except RecursionError:
            fault = Fault("too_deep", "the JSON object is nested too deeply")
        if fault.reason == "invalid" and not _closes(text, opening.start()):
            fault = Fault("truncated", "the JSON object ends before it is complete")
        return [], fault
    return values, Fault("too_long", f"more than {_MAX_STARTS} JSON objects begin in the text")


def text_of(value: object) -> str:
    """JSON text of a plain value, in ASCII."""
    return json.dumps(value, separators=(",", ":"))


def _after_thought(text: str) -> int:
    """Where the answer begins: a thought in front of it holds drafts. One without end is all."""
    if text.lstrip().startswith("{"):
        return 0
    end = _THOUGHT_END.match(text)
    if end:
        return end.end()
    return len(text) if _THOUGHT.match(text) else 0


def _closes(text: str, start: int) -> bool:
    """Whether the braces of a broken object balance anywhere, strings not told apart."""
    depth = 0
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return True
    return False


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise _UnusableError("duplicate_key", f"the key {twice[:80]!r} stands twice in one object")
    return value


def _no_constant(name: str) -> float:
    raise _UnusableError("not_a_number", f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _UnusableError("not_a_number", f"{digits[:40]} is too large a number")
    return number


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise _UnusableError("not_a_number", f"{digits[:40]}… is too long a number")
    return int(digits)


_STRICT = json.JSONDecoder(
    strict=False,
    object_pairs_hook=_once_each,
    parse_constant=_no_constant,
    parse_float=_finite,
    parse_int=_integer,
)
