"""A policy behind a server of tokens: ids in, ids out, so that a trainer knows what was sampled.

Text that is encoded again need not give the ids that were sampled. So each prompt is the one
before it, the ids of the answer as they came, and the new observations: a prompt is only ever
extended, and which ids the policy wrote is known exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hopsight.errors import ProviderError
from hopsight.harness.policies.chat import Sampling
from hopsight.harness.policies.chatml import END, ChatMl
from hopsight.harness.policies.text import turn_of
from hopsight.harness.policy import AssistantTurn, EpisodeView

_SEED_BITS = 31


class Tokenizer(Protocol):
    """A model's tokenizer; marks such as `<|im_end|>` are single ids."""

    async def encode(self, text: str) -> tuple[int, ...]:
        """The ids of a text, with nothing added before or after it."""
        ...

    async def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, marks included."""
        ...


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """What to go on from. `session` is equal for all turns of an episode (for a prefix cache).

    `pictures` are those of the whole prompt, in order.
    """

    session: str
    prompt: tuple[int, ...]
    sampling: Sampling
    seed: int
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenAnswer:
    """Sampled ids, with the log-probability of each (none, or one each), by which weights."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    weights: str | None = None


class TokenServer(Protocol):
    """Generates from ids: a trainer's rollout engine, or a server of `token_servers`."""

    async def generate(self, request: TokenRequest) -> TokenAnswer:
        """Sample a turn. Raises ProviderError where that fails."""
        ...


@dataclass(frozen=True, slots=True)
class TokenPolicy:
    """Plays episodes over a token server, in the text style of calling tools."""

    name: str
    server: TokenServer = field(repr=False)
    tokenizer: Tokenizer = field(repr=False)
    template: ChatMl = field(default_factory=ChatMl)
    sampling: Sampling = field(default_factory=Sampling)

    def begin(self, seed: int) -> "TokenSession":
        """A fresh episode."""
        return TokenSession(self, seed)


@dataclass(slots=True)
class TokenSession:
    """One episode: the ids so far, and the pictures among them."""

    policy: TokenPolicy
    seed: int
    _ids: tuple[int, ...] = ()
    _pictures: tuple[bytes, ...] = ()

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The next turn, with its ids. Raises ProviderError where the server fails."""
        policy, template = self.policy, self.policy.template
        last = view.turns[-1] if view.turns else None
        new = template.begin(view) if last is None else template.after(last)
        prompt = self._ids + await policy.tokenizer.encode(new)
        shown = tuple(view.pixels(number) for number in template.pictures(last, view))
        answer = await policy.server.generate(
            TokenRequest(
                session=f"{view.task.id}-{self.seed}",
                prompt=prompt,
                sampling=policy.sampling,
                seed=(self.seed + len(view.turns)) % (1 << _SEED_BITS),
                pictures=self._pictures + shown,
            )
        )
        if answer.logprobs and len(answer.logprobs) != len(answer.ids):
            raise ProviderError(
                f"{len(answer.ids)} ids came with {len(answer.logprobs)} log-probabilities",
                "use a token server that gives one for each id, or none",
            )
        self._pictures += shown
        self._ids = prompt + await self._ended(answer.ids)
        written = await policy.tokenizer.decode(answer.ids)
        turn = turn_of(written.removesuffix(END))
        return AssistantTurn(
            turn.text,
            turn.calls,
            prompt_ids=prompt,
            response_ids=answer.ids,
            logprobs=answer.logprobs,
            weights=answer.weights,
        )

    async def _ended(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """The ids of a turn with its end, which is missing where the turn was cut."""
        end = await self.policy.tokenizer.encode(END)
        return ids if ids[-len(end) :] == end else ids + end
