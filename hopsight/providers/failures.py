"""Why a call of a search, page or image-host service failed, told without its key."""

from hopsight.errors import ProviderError
from hopsight.llm.failures import Reason, of_status, shown

_LATER = "run again later; what was recorded is kept and not paid again"
_REMEDIES = {
    Reason.UNAUTHORISED: "see that the environment variable of its key holds a valid one",
    Reason.QUOTA_EXHAUSTED: "buy more calls at the provider, or name another one in providers.yaml",
    Reason.RATE_LIMITED: "lower its concurrency in providers.yaml",
    Reason.TIMEOUT: "raise its timeout_s in providers.yaml, or see why it is slow",
    Reason.UNREACHABLE: "see that its address in providers.yaml is right and can be reached",
    Reason.BAD_REQUEST: "see what the provider says",
    Reason.NOT_FOUND: "correct its address in providers.yaml",
    Reason.REDIRECTED: "give the final address in providers.yaml",
    Reason.TOO_LARGE: "send a smaller picture",
}


class ServiceError(ProviderError):
    """A service gave no usable answer: infrastructure, never "nothing was found".

    `retry_after` is how many seconds it asked to wait. `upstream`: the page that it was to read
    failed, not the service itself. `left_alone`: it was not asked, as it failed again and again.
    """

    def __init__(
        self,
        service: str,
        reason: Reason,
        detail: str,
        *,
        retry_after: float | None = None,
        remedy: str | None = None,
        upstream: bool = False,
        left_alone: bool = False,
    ) -> None:
        super().__init__(f"{service}: {reason}: {detail}", remedy or _REMEDIES.get(reason, _LATER))
        self.service = service
        self.reason = reason
        self.retry_after = retry_after
        self.upstream = upstream
        self.left_alone = left_alone


def refused(
    service: str,
    status: int,
    said: str,
    *,
    reason: Reason | None = None,
    retry_after: float | None = None,
) -> ServiceError:
    """The error of an answer with an error status; `said` is what its body tells."""
    detail = f"status {status}, {shown(said, None) or 'nothing said'}"
    return ServiceError(service, reason or of_status(status, ""), detail, retry_after=retry_after)


def empty_success(service: str, what: str) -> ServiceError:
    """A success without content. It says nothing about the question, so it is tried again."""
    return ServiceError(service, Reason.MALFORMED, f"a success that holds {what}")
