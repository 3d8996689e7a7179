"""A model's answer as a checked value: the schema is asked for, found in the text, and validated.

What a model writes is text until it validates. A text that holds no usable value is shown back to
the model with what is wrong, a bounded number of times; then the step is refused with a reason.
Failures of infrastructure are no answers: they pass through as they are raised.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from hopsight.llm.chat import ChatAnswer, ChatMessage, ChatRequest
from hopsight.llm.found_json import Fault, Reason, find_values, text_of

O = TypeVar("O", bound=BaseModel)  # noqa: E741

Complete = Callable[[ChatRequest, int], Awaitable[ChatAnswer]]
"""Asks a model: a request and the number of the sample. Raises only for infrastructure."""

MAX_TEXT = 200_000
"""Characters of an answer that are looked at; more than any schema here needs."""

_SHOWN = 2_000
_ISSUES = 8


@dataclass(frozen=True, slots=True)
class Refused:
    """The model gave no usable value. `raw` is the beginning of its last text."""

    reason: Reason
    detail: str
    raw: str
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class _Parsed(Generic[O]):
    value: O | None
    fault: Fault | None


async def ask(
    complete: Complete,
    request: ChatRequest,
    output: type[O],
    *,
    repairs: int = 2,
    sample: int = 0,
) -> O | Refused:
    """The model's answer to `request` as an `output`, after at most `repairs` corrections.

    Raises:
        ProviderError: as `complete` raises it.
    """
    asked = with_schema(request, output)
    for attempt in range(repairs + 1):
        answer = await complete(asked, sample)
        parsed = parse(answer.text, output)
        if not isinstance(parsed, Refused):
            return parsed
        refused = Refused(parsed.reason, parsed.detail, parsed.raw, attempt + 1)
        asked = _with_correction(asked, answer.text, refused)
    return refused


def with_schema(request: ChatRequest, output: type[BaseModel]) -> ChatRequest:
    """`request`, asking for an answer of the shape of `output`."""
    schema = {"json_schema": output.model_json_schema(), "schema_name": output.__name__}
    return request.model_copy(update=schema)


def parse(text: str, output: type[O]) -> O | Refused:
    """The one value of type `output` in `text`; equal values count as one.

    Prose and code fences around it are passed over, and so is a thought in front of it.
    """
    if len(text) > MAX_TEXT:
        return _refused("too_long", f"{len(text)} characters, at most {MAX_TEXT}", text)
    values, fault = find_values(text)
    checked = [_validated(value, output) for value in values]
    fitting = [parsed.value for parsed in checked if parsed.value is not None]
    if fitting and all(value == fitting[0] for value in fitting):
        return fitting[0]
    if fitting:
        detail = f"{len(fitting)} different values fit; exactly one is wanted"
        return _refused("several_values", detail, text)
    fault = fault or next((parsed.fault for parsed in reversed(checked)), None)
    if fault is None:
        return _refused("no_json", "no JSON object in the text", text)
    return _refused(fault.reason, fault.detail, text)


def _validated(value: object, output: type[O]) -> _Parsed[O]:
    try:
        return _Parsed(output.model_validate_json(text_of(value)), None)
    except ValidationError as error:
        issues = error.errors(include_url=False, include_input=False, include_context=False)
        told = "; ".join(
            f"{'.'.join(map(str, issue['loc'])) or 'value'}: {issue['msg']}"
            for issue in issues[:_ISSUES]
        )
        return _Parsed(None, Fault("invalid", told[:_SHOWN]))


def _refused(reason: Reason, detail: str, text: str) -> Refused:
    return Refused(reason, detail, text[:_SHOWN])


def _with_correction(request: ChatRequest, text: str, refused: Refused) -> ChatRequest:
    """`request` with the refused text and what is wrong with it."""
    wrong = (
        f"That answer cannot be used ({refused.reason}): {refused.detail}. Answer again with one "
        f"JSON object and nothing else. Its schema: {text_of(request.json_schema)}"
    )
    messages = (
        *request.messages,
        ChatMessage(role="assistant", content=(text[:_SHOWN] or "(nothing)",)),
        ChatMessage(role="user", content=(wrong,)),
    )
    return request.model_copy(update={"messages": messages})
