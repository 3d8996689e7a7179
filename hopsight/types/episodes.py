"""Records of an episode: what a policy is told, does and is shown."""

from enum import StrEnum
from typing import ClassVar

from typing_extensions import override

from hopsight.errors import Outcome
from hopsight.types.base import Part, Record
from hopsight.types.wiki import ImageRef


class Task(Record):
    """All that a policy is told."""

    kind: ClassVar[str] = "task"
    text: str
    images: tuple[ImageRef, ...]


class ToolCall(Part):
    """A call as the policy wrote it. `arguments` is JSON text, kept even if it is malformed."""

    call_id: str
    name: str
    arguments: str


class BankImage(Part):
    """An entry of an episode's image bank; `handle` n is written `<image:n>`.

    `box` holds fractions x0, y0, x1, y1 of the parent. `same_as` is an earlier handle with equal
    bytes. `call_id` is the tool call that brought it, None for a task image.
    """

    handle: int
    image: ImageRef
    parent: int | None = None
    box: tuple[float, float, float, float] | None = None
    call_id: str | None = None
    same_as: int | None = None


class Observation(Part):
    """What one call gave back: text for the model and the handles of the pictures it brought.

    `blocked` is the rule that forbade it: a benchmark's host, or a page that held the question with
    its answer.
    """

    call_id: str
    text: str
    images: tuple[int, ...]
    outcome: Outcome
    repeat: bool = False
    blocked: str | None = None


class Turn(Part):
    """One assistant turn: its text, its calls in order, and one observation for each call.

    `notice` is what the harness told the policy after it, apart from observations: a limit that
    is near, or that the turn held neither a call nor an answer.
    """

    text: str
    calls: tuple[ToolCall, ...]
    observations: tuple[Observation, ...]
    notice: str | None = None
    prompt_ids: tuple[int, ...] = ()
    response_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    weights: str | None = None


class StopReason(StrEnum):
    """Why an episode ended; every end has a reason of its own."""

    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    TURN_LIMIT = "turn_limit"
    CALL_LIMIT = "call_limit"
    TIME_LIMIT = "time_limit"
    CONTEXT_LIMIT = "context_limit"
    REPETITION = "repetition"
    FATAL = "fatal"
    INFRA_FATAL = "infra_fatal"
    POLICY_FAILED = "policy_failed"
    CANCELLED = "cancelled"

    @property
    def is_infrastructure(self) -> bool:
        """Whether the episode says nothing about the policy and leaves every rate."""
        return self in {StopReason.INFRA_FATAL, StopReason.POLICY_FAILED, StopReason.CANCELLED}


class Usage(Part):
    """Sums over an episode. Tokens are 0 where the policy does not count them."""

    model_calls: int
    tool_calls: int
    images: int
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Trajectory(Record):
    """One rollout of one policy on one task."""

    kind: ClassVar[str] = "traj"
    schema_version: ClassVar[int] = 2
    question_id: str
    policy: str
    sample: int
    seed: int
    task: Task
    turns: tuple[Turn, ...]
    bank: tuple[BankImage, ...]
    final_answer: str | None
    stop_reason: StopReason
    fatal_step: int | None
    usage: Usage

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)

    @property
    def blocked(self) -> tuple[str, ...]:
        """The rules that it ran into, each once: an episode that went for what is forbidden."""
        found = (each.blocked for turn in self.turns for each in turn.observations)
        return tuple(sorted({rule for rule in found if rule is not None}))
