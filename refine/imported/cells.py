"""What stands in the cells of a row: texts, answers and reasoning in the shapes that exports have.

Each function gives None (or nothing) for a cell that is empty and raises BadRow for one that is of
no known shape.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Final

from refine.imported.seed import BadRow

IMAGE_MARK: Final = "<image>"
_MARKS_AROUND: Final = re.compile(rf"^(?:\s*{IMAGE_MARK})+|(?:{IMAGE_MARK}\s*)+$")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TEXTS: Final = ("text", "content", "sentence", "fact", "snippet", "value")
_ANSWERS: Final = ("ground_truth", "answer", "value", "text", "target")
_MORE_ANSWERS: Final = ("candidate_answers", "aliases", "answer_aliases")


def is_empty(value: object) -> bool:
    """Whether a cell holds nothing: null, not a number, blank text, or nothing inside."""
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, bytes | list | Mapping) and not value)


def text_of(value: object, name: str) -> str | None:
    """A text, a number or a date as text. `name` tells which cell it is, for the rejection."""
    if is_empty(value):
        return None
    if isinstance(value, str):
        return _sound(value.strip(), name)
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return _digits(value, name)
    if isinstance(value, date | time):
        return value.isoformat()
    raise BadRow(f"{name}_unreadable", f"it is of type {type(value).__name__}")


def question_of(value: object) -> tuple[str | None, int]:
    """The question, and how many image marks stood before or after it.

    Of a conversation it is what the user says last.
    """
    if isinstance(value, list):
        value = _said(value)
    elif isinstance(value, Mapping):
        value = _joined(value.get("content", value.get("text")))
    text = text_of(value, "question")
    if text is None:
        return None, 0
    bare = _MARKS_AROUND.sub("", _MARKS_AROUND.sub("", text)).strip()
    if IMAGE_MARK in bare:
        raise BadRow("image_mark_in_question", bare[:200])
    return bare or None, text.count(IMAGE_MARK)


def answers_of(value: object) -> list[str]:
    """The answer and after it other forms of it; none for an empty cell."""
    if isinstance(value, str):
        value = _json_list(value)
    if isinstance(value, Mapping):
        first = next((value[name] for name in _ANSWERS if not is_empty(value.get(name))), None)
        return [*answers_of(first), *_all(value.get(name) for name in _MORE_ANSWERS)]
    if isinstance(value, list):
        return _all(value)
    text = text_of(value, "answer")
    return [] if text is None else [text]


def reasoning_of(value: object) -> str | None:
    """The reasoning; a list of steps or of pieces of evidence by line."""
    if isinstance(value, list):
        lines = [reasoning_of(each) for each in value]
        return "\n".join(line for line in lines if line) or None
    if isinstance(value, Mapping):
        return next((text for name in _TEXTS if (text := reasoning_of(value.get(name)))), None)
    return text_of(value, "reasoning")


def notes_of(value: object) -> tuple[str, ...]:
    """The texts in a cell that only accompanies pictures: licences, authors, addresses.

    Whatever else it holds is nothing.
    """
    if isinstance(value, list):
        return tuple(note for each in value for note in notes_of(each))
    if not isinstance(value, str) or not value.isprintable() or not value.strip():
        return ()
    return (value.strip()[:2_000],)


def _all(values: Iterable[object]) -> list[str]:
    return [text for value in values for text in answers_of(value)]


def _json_list(text: str) -> object:
    """The list of texts that some exports write as JSON into a text, else the text itself."""
    if not (text.startswith("[") and text.endswith("]")):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    is_texts = isinstance(value, list) and value and all(isinstance(each, str) for each in value)
    return value if is_texts else text


def _said(messages: list[object]) -> object:
    """What the user says last in a conversation."""
    said = [
        each.get("content", each.get("value"))
        for each in messages
        if isinstance(each, Mapping) and each.get("role", each.get("from")) in ("user", "human")
    ]
    return _joined(said[-1]) if said else messages


def _joined(content: object) -> object:
    """A message's texts one after the other; its pictures stand in columns of their own."""
    if not isinstance(content, list):
        return content
    texts = [each.get("text") for each in content if isinstance(each, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _sound(text: str, name: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadRow("bad_encoding", f"the {name} holds half a character") from error
    if _CONTROL.search(text):
        raise BadRow("control_characters", f"the {name} holds some")
    return text


def _digits(value: int | Decimal, name: str) -> str:
    try:
        return str(value)
    except ValueError as error:
        raise BadRow(f"{name}_unreadable", "it is a number of thousands of digits") from error
