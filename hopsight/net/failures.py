"""Why something was not fetched: the address may not be asked, nothing came, or it is unusable."""

from hopsight.errors import HopsightError, ProviderError


class BlockedAddress(HopsightError):  # noqa: N818 -- the plain name of what happened
    """An address that may not be asked: malformed, not public, or on a blocklist.

    `rule` is the blocklist's rule; None where the address itself is at fault.
    """

    def __init__(self, cause: str, remedy: str, rule: str | None = None) -> None:
        super().__init__(cause, remedy)
        self.rule = rule


class FetchFailed(ProviderError):  # noqa: N818 -- the plain name of what happened
    """Nothing whole came: unreachable, too slow, cut off. Asking again may help."""


class BodyRefused(ProviderError):  # noqa: N818 -- the plain name of what happened
    """What came passes a limit or is of an unwanted kind. Asking again does not help."""
