"""What an episode may use. Every limit has a stop reason or an outcome of its own."""

from pydantic import Field

from hopsight.config import HarnessConfig
from hopsight.types import Part


class Limits(Part):
    """Bounds of one episode. Sizes in characters, pixels and seconds.

    `warn_turns` and `warn_calls`: the policy is told to answer when so few are left.
    `max_repeats`: calls in a row that were made before, with the same result to be had.
    `max_context_tokens` counts only where the policy reports its prompt's tokens.
    """

    max_turns: int = Field(default=50, ge=1)
    max_calls: int = Field(default=100, ge=1)
    max_calls_per_turn: int = Field(default=8, ge=1)
    max_images: int = Field(default=100, ge=0)
    max_pixels: int = Field(default=200_000_000, ge=0)
    wall_clock_s: float = Field(default=1800.0, gt=0)
    tool_timeout_s: float = Field(default=120.0, gt=0)
    fatal_after: int = Field(default=3, ge=1)
    max_repeats: int = Field(default=10, ge=1)
    max_context_tokens: int | None = Field(default=None, ge=1)
    warn_turns: int = Field(default=2, ge=1)
    warn_calls: int = Field(default=2, ge=1)
    max_turn_chars: int = Field(default=100_000, ge=1)


def limits_of(harness: HarnessConfig) -> Limits:
    """The limits that a round configures; the others keep their default."""
    return Limits.model_validate(harness.model_dump(include=set(Limits.model_fields)))
