"""Why a call of a model failed, whether to try again, and whether it may have been paid for."""

import re
from enum import StrEnum

from hopsight.errors import ProviderError

MAX_SHOWN = 300
HIDDEN = "[secret]"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class Reason(StrEnum):
    """Every way in which a call fails."""

    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    DISCONNECTED = "disconnected"
    TOO_MANY_BYTES = "too_many_bytes"
    NOT_JSON = "not_json"
    MALFORMED = "malformed"
    EMPTY_CHOICES = "empty_choices"
    CONTENT_FILTER = "content_filter"
    WRONG_MODEL = "wrong_model"
    NO_LOGPROBS = "no_logprobs"
    REDIRECTED = "redirected"
    UNAUTHORISED = "unauthorised"
    NOT_FOUND = "not_found"
    TOO_LARGE = "too_large"
    BAD_REQUEST = "bad_request"

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self in _RETRYABLE

    @property
    def crowded(self) -> bool:
        """Whether the server says that it gets too much at once."""
        return self in (Reason.RATE_LIMITED, Reason.OVERLOADED)


_RETRYABLE = frozenset(
    {
        Reason.RATE_LIMITED,
        Reason.OVERLOADED,
        Reason.SERVER_ERROR,
        Reason.TIMEOUT,
        Reason.UNREACHABLE,
        Reason.DISCONNECTED,
        Reason.NOT_JSON,
        Reason.MALFORMED,
        Reason.EMPTY_CHOICES,
    }
)

OUTAGES = frozenset(
    {
        Reason.RATE_LIMITED,
        Reason.OVERLOADED,
        Reason.SERVER_ERROR,
        Reason.TIMEOUT,
        Reason.UNREACHABLE,
        Reason.DISCONNECTED,
    }
)
"""What tells of the server and not of the request: the others that it is sent may fail as well."""

_REMEDIES = {
    Reason.RATE_LIMITED: "lower requests_per_minute or tokens_per_minute of the endpoint",
    Reason.QUOTA_EXHAUSTED: "raise the quota at the provider; what is done is kept",
    Reason.TIMEOUT: "raise timeout_s of the endpoint, or see why the server is slow",
    Reason.UNREACHABLE: "see that the server runs, and that base_url and proxy are right",
    Reason.TOO_MANY_BYTES: "lower max_tokens, or see what base_url points at",
    Reason.NOT_JSON: "see that base_url is the address of the API, with its /v1",
    Reason.CONTENT_FILTER: "leave the record out, or use another model for it",
    Reason.WRONG_MODEL: "correct model, or list the other name under answers_as",
    Reason.NO_LOGPROBS: "use a server that returns log-probabilities, or take them out of "
    "capabilities",
    Reason.REDIRECTED: "give the final address as base_url",
    Reason.UNAUTHORISED: "see that the variable named by key_env holds a valid key",
    Reason.NOT_FOUND: "correct base_url and model",
    Reason.TOO_LARGE: "shorten the request, or use a model with a longer context",
    Reason.BAD_REQUEST: "see what the server says; declare in capabilities only what it has",
}
_LATER = "run again later; what is done is kept and not paid again"


class ModelError(ProviderError):
    """A model gave no usable answer: infrastructure, never a wrong answer.

    `retry_after` is how many seconds the server asked to wait. `billed` is False only where it is
    certain that nothing was paid: the request never arrived, or the answer was an error status.
    """

    def __init__(
        self,
        reason: Reason,
        detail: str,
        *,
        billed: bool = True,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}", _REMEDIES.get(reason, _LATER))
        self.reason = reason
        self.detail = detail
        self.billed = billed
        self.retry_after = retry_after


def of_status(status: int, code: str) -> Reason:
    """The reason behind an HTTP status and the `code` or `type` of the error in its body."""
    if status == 429:
        exhausted = code in ("insufficient_quota", "billing_hard_limit_reached")
        return Reason.QUOTA_EXHAUSTED if exhausted else Reason.RATE_LIMITED
    if code in ("content_filter", "content_policy_violation"):
        return Reason.CONTENT_FILTER
    if code in ("context_length_exceeded", "exceed_context_size_error"):
        return Reason.TOO_LARGE
    if status in (503, 529):
        return Reason.OVERLOADED
    if status in (408, 504):
        return Reason.TIMEOUT
    if status >= 500:
        return Reason.SERVER_ERROR
    if 300 <= status < 400:
        return Reason.REDIRECTED
    return _REFUSALS.get(status, Reason.BAD_REQUEST)


_REFUSALS = {
    401: Reason.UNAUTHORISED,
    402: Reason.QUOTA_EXHAUSTED,
    403: Reason.UNAUTHORISED,
    404: Reason.NOT_FOUND,
    413: Reason.TOO_LARGE,
}


def shown(text: str, secret: str | None) -> str:
    """Text from outside as it may stand in one line of an error: short, and without the secret."""
    plain = _CONTROL.sub(" ", without(text, secret)).strip()
    return plain if len(plain) <= MAX_SHOWN else f"{plain[: MAX_SHOWN - 3]}..."


def without(text: str, secret: str | None) -> str:
    """`text` with every copy of the secret replaced: some servers repeat the key they were sent."""
    return text.replace(secret, HIDDEN) if secret else text
