"""The body of an answer of the chat protocol, checked.

What a server sends is untrusted: it becomes a whole ChatAnswer or a ModelError.
"""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hopsight.config.models import Endpoint
from hopsight.llm.chat import ChatAnswer, ChatRequest, TokenLogprob, TokenUse, ToolUse
from hopsight.llm.failures import ModelError, Reason, of_status, shown, without

UNKNOWN_USE = TokenUse(prompt=None, completion=None)


@dataclass(frozen=True, slots=True)
class Received:
    """What became of an answer: exactly one of `answer` and `error`, and the tokens either way."""

    answer: ChatAnswer | None
    error: ModelError | None
    used: TokenUse


class _Sent(BaseModel):
    """A part of an answer; what else a server adds is ignored."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, allow_inf_nan=False)


_Tokens = Annotated[int, Field(ge=0, le=1_000_000_000)]


class _Details(_Sent):
    cached_tokens: _Tokens | None = None


class _Usage(_Sent):
    prompt_tokens: _Tokens
    completion_tokens: _Tokens = 0
    prompt_tokens_details: _Details | None = None


class _Function(_Sent):
    name: str
    arguments: str = ""


class _ToolCall(_Sent):
    id: str
    function: _Function


class _Message(_Sent):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Alternative(_Sent):
    token: str
    logprob: float


class _Token(_Alternative):
    top_logprobs: list[_Alternative] = Field(default_factory=list)


class _Logprobs(_Sent):
    content: list[_Token] | None = None


class _Choice(_Sent):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _ErrorBody(_Sent):
    message: str = ""
    code: str | int | None = None
    type: str | None = None


class _Completion(_Sent):
    model: str | None = None
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: _ErrorBody | str | None = None


class _ErrorAnswer(_Sent):
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


def received(body: bytes, request: ChatRequest, endpoint: Endpoint, secret: str | None) -> Received:
    """Check the body of an answer with status 200."""
    try:
        sent = _Completion.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            what = "an HTML page" if _is_html(body) else "no whole JSON"
            return Received(None, ModelError(Reason.NOT_JSON, f"got {what}"), UNKNOWN_USE)
        where = ".".join(str(part) for part in first["loc"])
        failed = ModelError(Reason.MALFORMED, shown(f"{where}: {first['msg']}", secret))
        return Received(None, failed, UNKNOWN_USE)
    used = _used(sent.usage)
    try:
        return Received(_answer(sent, request, endpoint, used, secret), None, used)
    except ModelError as error:
        return Received(None, error, used)


def _answer(
    sent: _Completion, request: ChatRequest, endpoint: Endpoint, used: TokenUse, secret: str | None
) -> ChatAnswer:
    if sent.error is not None:
        told = _ErrorBody(message=sent.error) if isinstance(sent.error, str) else sent.error
        status = told.code if isinstance(told.code, int) else 500
        raise ModelError(of_status(status, _code(told)), shown(told.message, secret))
    if not sent.model or not _is_the_model(sent.model, endpoint):
        name = shown(sent.model or "a model without a name", secret)
        raise ModelError(Reason.WRONG_MODEL, f"{name} answered instead of {endpoint.model}")
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
        model=without(sent.model, secret),
        tokens=used,
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


def _used(usage: _Usage | None) -> TokenUse:
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
