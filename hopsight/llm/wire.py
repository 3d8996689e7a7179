"""A request as the JSON body of a call of the chat protocol."""

import base64
import json
from typing import Any

from hopsight.config.models import Endpoint
from hopsight.errors import ConfigError
from hopsight.llm.chat import ChatMessage, ChatRequest, Picture


def check_capabilities(request: ChatRequest, endpoint: Endpoint) -> None:
    """Raises ConfigError where a request needs what the endpoint does not declare."""
    pictures = any(isinstance(part, Picture) for each in request.messages for part in each.content)
    needed = {
        "pictures": pictures,
        "tools": bool(request.tools),
        "logprobs": request.top_logprobs is not None,
    }
    for capability, wanted in needed.items():
        if wanted and capability not in endpoint.capabilities:
            raise ConfigError(
                f"a request with {capability} is for {endpoint.address}, which does not declare "
                "that it takes them",
                f"add {capability} to its capabilities, or give the role to another endpoint",
            )


def request_body(request: ChatRequest, endpoint: Endpoint, sample: int) -> bytes:
    """The body to send, as JSON. Schema and seed are left out where the endpoint declares neither.

    Each sample has a seed of its own, else a server that honours seeds repeats one answer.
    """
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [_message(each) for each in request.messages],
        endpoint.max_tokens_key: request.max_tokens,
    }
    if "temperature" not in endpoint.omit:
        body["temperature"] = request.temperature
    if "top_p" not in endpoint.omit:
        body["top_p"] = request.top_p
    if request.seed is not None and endpoint.can("seed"):
        body["seed"] = request.seed + sample
    if request.stop:
        body["stop"] = list(request.stop)
    if request.tools:
        body["tools"] = [{"type": "function", "function": t.model_dump()} for t in request.tools]
    if request.json_schema is not None and endpoint.can("json_schema"):
        named = {"name": request.schema_name, "schema": request.json_schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    if request.top_logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    return json.dumps(body | endpoint.extra_body, ensure_ascii=False).encode()


def _message(message: ChatMessage) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": message.role, "content": _content(message)}
    if message.tool_calls:
        plain["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    return plain


def _content(message: ChatMessage) -> str | list[dict[str, Any]]:
    texts = [part for part in message.content if isinstance(part, str)]
    if len(texts) == len(message.content):
        return "\n".join(texts)
    return [_part(part) for part in message.content]


def _part(part: str | Picture) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    data = base64.b64encode(part.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{part.mime};base64,{data}"}}
