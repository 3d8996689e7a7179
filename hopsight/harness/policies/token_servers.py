"""Token servers over HTTP: llama.cpp, SGLang, vLLM. Each takes prompt ids and gives sampled ids.

The form of llama.cpp is tried against a real server; those of SGLang (`/generate`) and vLLM
(`/v1/completions` with `return_token_ids`) are from their documentation.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from hopsight.errors import ProviderError
from hopsight.harness.policies.tokens import TokenAnswer, TokenRequest
from hopsight.net import Fetcher

MAX_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Wire:
    """How one kind of server is asked: its path, the body of a request, what an answer holds."""

    path: str
    body: Callable[[TokenRequest, str], Mapping[str, Any]]
    read: Callable[[bytes], TokenAnswer]


@dataclass(frozen=True, slots=True)
class HttpTokenServer:
    """A server at an address. `model` is the name that it is asked by, where it serves several."""

    base_url: str
    wire: Wire
    fetcher: Fetcher = field(repr=False)
    model: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    async def generate(self, request: TokenRequest) -> TokenAnswer:
        """Sample a turn. Raises ProviderError."""
        body = self.wire.body(request, self.model)
        url = f"{self.base_url}{self.wire.path}"
        answer = await _post(self.fetcher, url, body, self.headers)
        try:
            return self.wire.read(answer)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise ProviderError(
                f"the token server's answer is malformed: {place}: {first['msg']}",
                "see that the server is of the kind that was named, and new enough",
            ) from error


@dataclass(frozen=True, slots=True)
class LlamaCppTokenizer:
    """The tokenizer that a llama.cpp server serves beside its model."""

    base_url: str
    fetcher: Fetcher = field(repr=False)

    async def encode(self, text: str) -> tuple[int, ...]:
        """The ids of a text; marks of the template are single ids."""
        body = {"content": text, "add_special": False, "parse_special": True}
        answer = await _post(self.fetcher, f"{self.base_url}/tokenize", body, {})
        return _Tokens.model_validate_json(answer).tokens

    async def decode(self, ids: Sequence[int]) -> str:
        """The text of ids."""
        answer = await _post(self.fetcher, f"{self.base_url}/detokenize", {"tokens": list(ids)}, {})
        return _Content.model_validate_json(answer).content


async def _post(
    fetcher: Fetcher, url: str, body: Mapping[str, Any], headers: Mapping[str, str]
) -> bytes:
    answer = await fetcher.send(
        "POST",
        url,
        headers={"content-type": "application/json", **headers},
        content=json.dumps(body).encode(),
        max_bytes=MAX_BYTES,
    )
    if not answer.ok:
        raise ProviderError(
            f"the token server answered with status {answer.status}",
            "see the server's log, and that prompt and model fit it",
        )
    return answer.body


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Tokens(_Answer):
    tokens: tuple[int, ...]


class _Content(_Answer):
    content: str


class _LlamaProb(_Answer):
    logprob: float


class _LlamaAnswer(_Answer):
    tokens: tuple[int, ...]
    completion_probabilities: tuple[_LlamaProb, ...] = ()
    model: str | None = None


def _llama_body(request: TokenRequest, model: str) -> dict[str, Any]:
    if request.pictures:
        raise ProviderError(
            "llama.cpp takes no pictures beside token ids", "use a template without pictures"
        )
    return {
        "prompt": list(request.prompt),
        "n_predict": request.sampling.max_tokens,
        "temperature": request.sampling.temperature,
        "top_p": request.sampling.top_p,
        "top_k": 0,
        "min_p": 0.0,
        "seed": request.seed,
        "return_tokens": True,
        "n_probs": 1,
        "cache_prompt": True,
    }


def _read_llama(answer: bytes) -> TokenAnswer:
    found = _LlamaAnswer.model_validate_json(answer)
    logprobs = tuple(each.logprob for each in found.completion_probabilities)
    return TokenAnswer(found.tokens, logprobs[: len(found.tokens)], found.model)


class _SglangMeta(_Answer):
    output_token_logprobs: tuple[tuple[float, int, str | None], ...]
    weight_version: str | None = None


class _SglangAnswer(_Answer):
    meta_info: _SglangMeta


def _sglang_body(request: TokenRequest, model: str) -> dict[str, Any]:
    pictures = [base64.b64encode(each).decode() for each in request.pictures]
    return {
        "input_ids": list(request.prompt),
        "sampling_params": {
            "max_new_tokens": request.sampling.max_tokens,
            "temperature": request.sampling.temperature,
            "top_p": request.sampling.top_p,
            "sampling_seed": request.seed,
        },
        "return_logprob": True,
        **({"image_data": pictures} if pictures else {}),
    }


def _read_sglang(answer: bytes) -> TokenAnswer:
    found = _SglangAnswer.model_validate_json(answer).meta_info
    ids = tuple(number for _, number, _ in found.output_token_logprobs)
    logprobs = tuple(value for value, _, _ in found.output_token_logprobs)
    return TokenAnswer(ids, logprobs, found.weight_version)


class _VllmLogprobs(_Answer):
    token_logprobs: tuple[float, ...]


class _VllmChoice(_Answer):
    token_ids: tuple[int, ...]
    logprobs: _VllmLogprobs


class _VllmAnswer(_Answer):
    choices: tuple[_VllmChoice, ...]
    model: str | None = None


def _vllm_body(request: TokenRequest, model: str) -> dict[str, Any]:
    if request.pictures:
        raise ProviderError(
            "vLLM's completions take no pictures beside token ids", "use SGLang for pictures"
        )
    return {
        "model": model,
        "prompt": list(request.prompt),
        "max_tokens": request.sampling.max_tokens,
        "temperature": request.sampling.temperature,
        "top_p": request.sampling.top_p,
        "seed": request.seed,
        "logprobs": 0,
        "return_token_ids": True,
        "add_special_tokens": False,
    }


def _read_vllm(answer: bytes) -> TokenAnswer:
    found = _VllmAnswer.model_validate_json(answer)
    choice = found.choices[0]
    return TokenAnswer(choice.token_ids, choice.logprobs.token_logprobs, found.model)


LLAMA_CPP = Wire("/completion", _llama_body, _read_llama)
SGLANG = Wire("/generate", _sglang_body, _read_sglang)
VLLM = Wire("/v1/completions", _vllm_body, _read_vllm)
