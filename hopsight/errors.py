"""Errors, split by who is told: the person who runs Hopsight, or the model inside an episode.

A `HopsightError` names a cause and a remedy and is printed in one line, without a traceback. A
`ToolError` is part of an episode: its text is shown to the model as the observation of its call.
Neither is ever used for the other's purpose.
"""

from enum import StrEnum


class HopsightError(Exception):
    """Something the user can mend. `cause` says what is wrong, `remedy` what to do about it."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(f"{cause} — {remedy}")
        self.cause = cause
        self.remedy = remedy


class ConfigError(HopsightError):
    """The configuration cannot be used: unknown key, wrong type, value out of range."""


class StoreError(HopsightError):
    """Stored data cannot be read or written: missing, damaged, older schema, disk full."""


class LockedError(StoreError):
    """Another live run holds what this one needs."""


class SourceError(HopsightError):
    """A wiki source cannot be used: missing file, cut XML, empty world."""


class PictureError(HopsightError):
    """A picture cannot be used: unreadable, too large, of an unknown type."""


class ProviderError(HopsightError):
    """A model, search or page provider failed: infrastructure, never a wrong answer."""


class Outcome(StrEnum):
    """What became of a tool call; decided by status, never by words in the text."""

    OK = "ok"
    EMPTY = "empty"
    TRANSIENT = "transient"
    INVALID_ARGS = "invalid_args"
    UNKNOWN_TOOL = "unknown_tool"
    NO_OP = "no_op"
    BLOCKED = "blocked"

    @property
    def counts_as_error(self) -> bool:
        """Whether the call moves an episode toward the fatal rule (three in a row)."""
        return self in _ERRORS


_ERRORS = frozenset(
    {Outcome.TRANSIENT, Outcome.INVALID_ARGS, Outcome.UNKNOWN_TOOL, Outcome.BLOCKED}
)


class ToolError(Exception):
    """A tool call that failed in a way the model should read about."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.message = message
