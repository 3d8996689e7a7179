"""What is asked of a chat model and what it answered: plain values, no client.

A request is canonical: equal requests have equal `key`s, whatever process makes them, and the key
holds everything that may change the answer. Pictures stand in it by the hash of their bytes.
"""

import hashlib
from typing import Any, Final, Literal, Self

from pydantic import Field

from hopsight.errors import PictureError
from hopsight.types import Part, content_hash

_STARTS: Final[tuple[tuple[Literal["image/png", "image/jpeg", "image/webp"], bytes], ...]] = (
    ("image/png", b"\x89PNG\r\n"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("image/webp", b"RIFF"),
)

Role = Literal["system", "user", "assistant", "tool"]


class Picture(Part):
    """A picture in a message: its bytes and their type."""

    mime: Literal["image/png", "image/jpeg", "image/webp"]
    data: bytes = Field(repr=False)

    @classmethod
    def of(cls, data: bytes) -> Self:
        """A picture whose type its first bytes tell. Raises PictureError for another type."""
        for mime, start in _STARTS:
            if data.startswith(start):
                return cls(mime=mime, data=data)
        raise PictureError("a picture is no PNG, JPEG or WebP", "convert it before it is shown")

    @property
    def sha256(self) -> str:
        """Sha-256 (hex) of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


class ToolUse(Part):
    """A tool call as a model wrote it. `arguments` is its JSON text, unchecked."""

    call_id: str
    name: str
    arguments: str


class ChatMessage(Part):
    """One message: text and pictures in order. `tool_call_id` answers a call of an assistant."""

    role: Role
    content: tuple[str | Picture, ...]
    tool_calls: tuple[ToolUse, ...] = ()
    tool_call_id: str | None = None


class ToolDef(Part):
    """A tool the model may call. `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class ChatRequest(Part):
    """Everything that decides an answer, except the model and the number of the sample.

    `json_schema` asks for an answer of that shape, under `schema_name`. `top_logprobs` of None
    asks for no log-probabilities.
    """

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolDef, ...] = ()
    json_schema: dict[str, Any] | None = None
    schema_name: str = "answer"
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = Field(1024, ge=1)
    seed: int | None = None
    stop: tuple[str, ...] = ()
    top_logprobs: int | None = Field(None, ge=0, le=20)

    @property
    def key(self) -> str:
        """Sha-256 (hex) of the canonical request."""
        plain = dict(self)
        plain["messages"] = [_plain(message) for message in self.messages]
        plain["tools"] = [tool.model_dump() for tool in self.tools]
        return content_hash(plain)


class TokenUse(Part):
    """Tokens of one call as the server counted them; None where it did not say."""

    prompt: int | None
    completion: int | None
    cached_prompt: int = 0


class TokenLogprob(Part):
    """A generated token, its log-probability, and those of the alternatives asked for."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class ChatAnswer(Part):
    """A whole answer. `model` is the name the server gave, which may differ from the one asked."""

    text: str
    tool_calls: tuple[ToolUse, ...] = ()
    finish: Literal["stop", "length", "tool_calls"]
    model: str
    tokens: TokenUse
    logprobs: tuple[TokenLogprob, ...] | None = None


def _plain(message: ChatMessage) -> dict[str, Any]:
    """A message as JSON, by hand: every call of a model passes here."""
    plain: dict[str, Any] = dict(message)
    plain["tool_calls"] = [use.model_dump() for use in message.tool_calls]
    plain["content"] = [
        {"picture": part.sha256, "mime": part.mime} if isinstance(part, Picture) else part
        for part in message.content
    ]
    return plain
