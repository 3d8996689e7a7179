"""What plays an episode: a policy is shown a view and gives the next assistant turn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from hopsight.types import Task, ToolCall, Turn


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """One turn as the policy gives it. Without calls and with `<answer>…</answer>` it is final.

    Token ids, log-probs and the weights' version are kept where the policy knows them; where an
    endpoint only counts tokens, `prompt_tokens` and `completion_tokens` are its counts.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    prompt_ids: tuple[int, ...] = ()
    response_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    weights: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the policy is told of it. `schema` is a JSON schema with scalar arguments only."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of the episode."""

    turns: int
    calls: int


@dataclass(frozen=True, slots=True)
class EpisodeView:
    """All that a policy sees. `pixels(n)` gives the bytes of `<image:n>`, a task image included.

    `warning` is set where the policy was just told something: to answer, because a limit is near,
    or that its last turn held neither a call nor an answer. `pixels` raises ToolError where the
    handle is unknown.
    """

    task: Task
    turns: tuple[Turn, ...]
    tools: tuple[ToolSpec, ...]
    remaining: Remaining
    warning: str | None
    pixels: Callable[[int], bytes]


class PolicySession(Protocol):
    """A policy in one episode; it may remember."""

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The next turn. Raises ProviderError where the model behind it fails."""
        ...


class Policy(Protocol):
    """A policy by name. Given one seed and equal views it gives equal turns."""

    @property
    def name(self) -> str:
        """The name that trajectories carry."""
        ...

    def begin(self, seed: int) -> PolicySession:
        """Start an episode."""
        ...
