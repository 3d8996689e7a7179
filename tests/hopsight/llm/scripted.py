"""The far side of a model: answers by script, and keeps what it was asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hopsight.errors import ProviderError
from hopsight.llm.chat import ChatAnswer, ChatRequest, TokenUse

Say = str | ProviderError


@dataclass
class Scripted:
    """Says each line once, in order, and the last one for ever; or what `by` makes of the asked."""

    lines: Sequence[Say] = ()
    by: Callable[[ChatRequest, int], Say] | None = None
    asked: list[tuple[ChatRequest, int]] = field(default_factory=list)

    async def __call__(self, request: ChatRequest, sample: int) -> ChatAnswer:
        self.asked.append((request, sample))
        if self.by is not None:
            said = self.by(request, sample)
        else:
            said = self.lines[min(len(self.asked), len(self.lines)) - 1]
        if isinstance(said, ProviderError):
            raise said
        tokens = TokenUse(prompt=1, completion=1)
        return ChatAnswer(text=said, finish="stop", model="scripted", tokens=tokens)


def text_of(request: ChatRequest) -> str:
    """All that a request says in words."""
    parts = [part for message in request.messages for part in message.content]
    return "\n".join(part for part in parts if isinstance(part, str))


def down() -> ProviderError:
    """A server that cannot be reached."""
    return ProviderError("the server refused the connection", "start it")
