"""A policy that is a chat model behind an endpoint."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hopsight.harness.policies.conversation import conversation
from hopsight.harness.policies.styles import Style
from hopsight.harness.policy import AssistantTurn, EpisodeView
from hopsight.llm.chat import ChatRequest
from hopsight.llm.service import Complete

AskFor = Callable[[str], Complete]
"""Gives, for the id of a task, what asks the model at that task's cost."""

_SEED_BITS = 31
"""Servers take seeds of 32 bits with a sign."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model's answers are drawn; the published evaluation setting [ODE]."""

    temperature: float = 0.6
    top_p: float = 0.95
    max_tokens: int = 8_192


@dataclass(frozen=True, slots=True)
class ChatPolicy:
    """Plays episodes by asking a chat model. `sees` is False for a model that reads no pictures."""

    name: str
    ask_for: AskFor = field(repr=False)
    style: Style
    sees: bool
    sampling: Sampling = field(default_factory=Sampling)

    def begin(self, seed: int) -> "ChatSession":
        """A fresh episode; the seed goes to the server, with the number of the turn."""
        return ChatSession(self, seed)


@dataclass(frozen=True, slots=True)
class ChatSession:
    """One episode. It remembers nothing: the whole view is told again in every turn."""

    policy: ChatPolicy
    seed: int

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The model's next turn. Raises ProviderError where the endpoint fails."""
        policy = self.policy
        request = ChatRequest(
            messages=conversation(view, policy.style, sees=policy.sees),
            temperature=policy.sampling.temperature,
            top_p=policy.sampling.top_p,
            max_tokens=policy.sampling.max_tokens,
            seed=(self.seed + len(view.turns)) % (1 << _SEED_BITS),
            **policy.style.asking(view.tools),
        )
        answer = await policy.ask_for(view.task.id)(request, 0)
        turn = policy.style.read(answer)
        return AssistantTurn(
            turn.text,
            turn.calls,
            weights=answer.model,
            prompt_tokens=answer.tokens.prompt or 0,
            completion_tokens=answer.tokens.completion or 0,
        )
