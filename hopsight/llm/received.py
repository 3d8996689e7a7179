"""The body of an answer, checked: of the chat protocol here, of others by the same parts.

What a server sends is untrusted: it becomes a whole answer or a ModelError.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hopsight.config.models import Endpoint
from hopsight.llm.chat import ChatAnswer, ChatRequest, TokenLogprob, TokenUse, ToolUse
from hopsight.llm.failures import ModelError, Reason, of_status, shown, without

UNKNOWN_USE = TokenUse(prompt=None, completion=None)


A = TypeVar("A")
B = TypeVar("B", bound="SentBody")


@dataclass(frozen=True, slots=True)
class Received(Generic[A]):
    """What became of an answer: exactly one of `answer` and `error`, and the tokens either way."""

    answer: A | None
    error: ModelError | None
    used: TokenUse


class Sent(BaseModel):
    """A part of an answer; what else a server adds is ignored."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, allow_inf_nan=False)


_Tokens = Annotated[int, Field(ge=0, le=1_000_000_000)]


class _Details(Sent):
    cached_tokens: _Tokens | None = None


class _Usage(Sent):
    prompt_tokens: _Tokens
    completion_tokens: _Tokens = 0
    prompt_tokens_details: _Details | None = None


class _Function(Sent):
    name: str
    arguments: str = ""


class _ToolCall(Sent):
    id: str
    function: _Function


class _Message(Sent):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Alternative(Sent):
    token: str
    logprob: float


class _Token(_Alternative):
    top_logprobs: list[_Alternative] = Field(default_factory=list)


class _Logprobs(Sent):
    content: list[_Token] | None = None


class _Choice(Sent):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _ErrorBody(Sent):
    message: str = ""
    code: str | int | None = None
    type: str | None = None


class SentBody(Sent):
    """What every answer with status 200 may hold."""

    model: str | None = None
    usage: _Usage | None = None
    error: _ErrorBody | str | None = None


class _Completion(SentBody):
    choices: list[_Choice] | None = None


class _ErrorAnswer(Sent):
    error: _ErrorBody | str


def error_of_status(
    status: int, body: bytes, secret: str | None, retry_after: float | None
) -> ModelError:
    """The error that an answer with an error status tells of. Such an answer is not billed."""
    try:
        told = _ErrorAnswer.model_validate_json(body).error
    except ValidationError:
        said = "an HTML page" if _is_html(body) else body[:2000].decode("utf-8", "replace")
        told = _ErrorBody(message=said)
    told = _ErrorBody(message=told) if isinstance(told, str) else told
    reason = of_status(status, _code(told))
    detail = f"status {status}, {shown(told.message, secret) or 'nothing said'}"
    return ModelError(reason, detail, billed=False, retry_after=retry_after)


def received(
    request: ChatRequest, endpoint: Endpoint, body: bytes, secret: str | None
) -> Received[ChatAnswer]:
    """Check the body of an answer with status 200."""
    return read_body(body, _Completion, partial(_answer, request, endpoint, secret), secret)


def read_body(
    body: bytes, shape: type[B], answer_of: Callable[[B], A], secret: str | None
) -> Received[A]:
    """Check a body of that shape; `answer_of` makes the answer of it or raises ModelError."""
    try:
        sent = shape.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            what = "an HTML page" if _is_html(body) else "no whole JSON"
            return Received(None, ModelError(Reason.NOT_JSON, f"got {what}"), UNKNOWN_USE)
        where = ".".join(str(part) for part in first["loc"])
        failed = ModelError(Reason.MALFORMED, shown(f"{where}: {first['msg']}", secret))
        return Received(None, failed, UNKNOWN_USE)
    used = used_of(sent)
    try:
        return Received(answer_of(sent), None, used)
    except ModelError as error:
        return Received(None, error, used)


def check_sent(sent: SentBody, endpoint: Endpoint, secret: str | None) -> str:
    """The name of the model that answered. Raises ModelError for a told error or another model."""
    if sent.error is not None:
        told = _ErrorBody(message=sent.error) if isinstance(sent.error, str) else sent.error
        status = told.code if isinstance(told.code, int) else 500
        raise ModelError(of_status(status, _code(told)), shown(told.message, secret))
    if not sent.model or not _is_the_model(sent.model, endpoint):
        name = shown(sent.model or "a model without a name", secret)
        raise ModelError(Reason.WRONG_MODEL, f"{name} answered instead of {endpoint.model}")
    return without(sent.model, secret)


def _answer(
    request: ChatRequest, endpoint: Endpoint, secret: str | None, sent: _Completion
) -> ChatAnswer:
    model = check_sent(sent, endpoint, secret)
    if not sent.choices:
        raise ModelError(Reason.EMPTY_CHOICES, "the answer holds no choice")
    choice = sent.choices[0]
    calls = tuple(
        ToolUse(
            call_id=without(call.id, secret),
            name=without(call.function.name, secret),
            arguments=without(call.function.arguments, secret),
        )
        for call in choice.message.tool_calls or ()
    )
    finish = "tool_calls" if calls and choice.finish_reason == "stop" else choice.finish_reason
    if finish == "content_filter":
        raise ModelError(Reason.CONTENT_FILTER, "the provider's filter withheld the answer")
    if finish not in ("stop", "length", "tool_calls"):
        raise ModelError(Reason.MALFORMED, shown(f"it ended with {finish}", secret))
    return ChatAnswer(
        text=without(choice.message.content or choice.message.refusal or "", secret),
        tool_calls=calls,
        finish=finish,
        model=model,
        tokens=used_of(sent),
        logprobs=_logprobs(choice, request, secret),
    )


def _is_the_model(name: str, endpoint: Endpoint) -> bool:
    """The name asked for, a dated version of it, or one that the endpoint lists."""
    asked = endpoint.model
    rest = name.removeprefix(f"{asked}-")
    dated = rest != name and rest.replace("-", "").isdigit()
    return name == asked or dated or name in endpoint.answers_as


def _logprobs(
    choice: _Choice, request: ChatRequest, secret: str | None
) -> tuple[TokenLogprob, ...] | None:
    if request.top_logprobs is None:
        return None
    if choice.logprobs is None or choice.logprobs.content is None:
        raise ModelError(Reason.NO_LOGPROBS, "the answer holds no log-probabilities")
    return tuple(
        TokenLogprob(
            token=without(each.token, secret),
            logprob=each.logprob,
            top=tuple((without(t.token, secret), t.logprob) for t in each.top_logprobs),
        )
        for each in choice.logprobs.content
    )


def used_of(sent: SentBody) -> TokenUse:
    """The tokens that the server counted."""
    usage = sent.usage
    if usage is None:
        return UNKNOWN_USE
    details = usage.prompt_tokens_details
    cached = 0 if details is None else details.cached_tokens or 0
    return TokenUse(
        prompt=usage.prompt_tokens,
        completion=usage.completion_tokens,
        cached_prompt=min(cached, usage.prompt_tokens),
    )


def _code(told: _ErrorBody) -> str:
    return told.code if isinstance(told.code, str) else told.type or ""


def _is_html(body: bytes) -> bool:
    return body.lstrip()[:1] == b"<"
