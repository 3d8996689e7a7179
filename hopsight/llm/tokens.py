"""How many tokens a call can take at most, before it is sent.

A byte-level tokeniser never makes more tokens than there are bytes of UTF-8, so the bytes of the
body bound its text, tools and schema. What a chat template adds (role marks, a default system
prompt, the frame around tools) is bounded by constants, and a picture by the endpoint's
`picture_tokens`.
"""

from collections.abc import Sequence

from hopsight.config.models import Endpoint
from hopsight.llm.chat import ChatRequest, Picture

PER_REQUEST = 256
PER_MESSAGE = 16
PER_TOOLS = 512


def prompt_bound(request: ChatRequest, endpoint: Endpoint, body_bytes: int) -> int:
    """The most prompt tokens that `request` can become; its body has `body_bytes`."""
    total = PER_REQUEST + body_bytes + (PER_TOOLS if request.tools else 0)
    for message in request.messages:
        total += PER_MESSAGE * (1 + len(message.tool_calls))
        for part in message.content:
            if isinstance(part, Picture):
                total += endpoint.picture_tokens - _base64(len(part.data))
    return total


def text_bound(texts: Sequence[str]) -> int:
    """The most tokens that texts can become which are embedded together."""
    return PER_REQUEST + sum(PER_MESSAGE + len(text.encode()) for text in texts)


def _base64(size: int) -> int:
    """Characters that so many bytes take in a data URL."""
    return 4 * ((size + 2) // 3)
