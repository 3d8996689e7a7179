"""One real call for each thing that an endpoint may be able to do, before anything is spent.

What an endpoint declares is a claim; what it does is seen here. A probe that infrastructure kept
from being answered says nothing about the model: it is neither "can" nor "cannot".
"""

import io
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, get_args

from PIL import Image, ImageDraw, ImageFont

from hopsight.config.models import Capability, Endpoint
from hopsight.llm.chat import ChatAnswer, ChatMessage, ChatRequest, Picture, ToolDef
from hopsight.llm.client import ModelClient
from hopsight.llm.failures import ModelError, Reason

Ask = Callable[[ChatRequest], Awaitable[ChatAnswer]]
"""One call, past any cache. Raises ModelError."""

Seen = Literal["text", "json_schema", "tools", "logprobs", "pictures"]

EMBEDDER: Final = "embedder"
"""The role that is asked for vectors, not for text."""

TOKENS: Final = 512
"""Of one answer: room for a short thought."""

_TOLD_CHARS: Final = 60
_SIDE: Final = (360, 140)
_REFUSALS: Final = frozenset(
    {Reason.BAD_REQUEST, Reason.NOT_FOUND, Reason.TOO_LARGE, Reason.NO_LOGPROBS}
)
"""How servers say that they do not take something."""


@dataclass(frozen=True, slots=True)
class Probed:
    """What one probe saw. `able` is None where that cannot be told; `detail` says why.

    `seconds` is the time of the (last) call; `remedy` is empty unless a call failed.
    """

    capability: Seen | Literal["vectors"]
    able: bool | None
    seconds: float
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a role from being answered, and what to do about it."""

    cause: str
    remedy: str


@dataclass(frozen=True, slots=True)
class _Probe:
    capability: Seen
    request: ChatRequest
    seen: Callable[[ChatAnswer], bool]


async def check_endpoint(
    client: ModelClient, endpoint: Endpoint, role: str, seed: int
) -> tuple[Probed, ...]:
    """Try everything at an endpoint, at the cost of `role`, whatever it declares.

    An embedder is asked for a vector alone. Raises ConfigError (no key, unknown price) and
    BudgetExceeded, as the client does.
    """
    if role == EMBEDDER:
        return (await _vector(client, endpoint, role),)

    async def ask(request: ChatRequest) -> ChatAnswer:
        return await client.probe(request, endpoint=endpoint, role=role)

    return await preflight(ask, seed)


async def preflight(ask: Ask, seed: int) -> tuple[Probed, ...]:
    """Try everything in turn; if the plain call fails, the rest is not tried.

    `seed` draws the number that the picture shows.
    """
    plain, *others = _probes(seed)
    results = [(await _try(plain, ask))[0]]
    if results[0].able is True:
        results += [await _tried(probe, plain, ask) for probe in others]
    return tuple(results)


def problems(role: str, endpoint: Endpoint, results: tuple[Probed, ...]) -> tuple[Problem, ...]:
    """Why `role` cannot be answered by `endpoint` as it is declared; empty where it can."""
    first = results[0]
    if first.able is not True:
        other = Problem(f"no text: {first.detail}", "see what the server serves at this address")
        return (Problem(first.detail, first.remedy) if first.remedy else other,)
    told = [
        _missing(probed) for probed in results if probed.capability in declared(endpoint)
        and probed.able is not True
    ]  # fmt: skip
    if role == "captioner" and not endpoint.can("pictures"):
        remedy = "add pictures to its capabilities, or give the role to an endpoint that has them"
        told.append(Problem("a captioner must see pictures, which are not declared", remedy))
    return tuple(told)


def hints(endpoint: Endpoint, results: tuple[Probed, ...]) -> tuple[str, ...]:
    """What an endpoint can do and does not declare."""
    return tuple(
        each.capability
        for each in results
        if each.able is True and each.capability not in ("text", "vectors", *declared(endpoint))
    )


def declared(endpoint: Endpoint) -> tuple[Capability, ...]:
    """What the endpoint declares, in one order."""
    return tuple(each for each in get_args(Capability) if endpoint.can(each))


def _missing(probed: Probed) -> Problem:
    name = probed.capability
    if probed.able is None:
        remedy = probed.remedy or "check again"
        return Problem(f"{name} are declared and could not be tried: {probed.detail}", remedy)
    return Problem(
        f"{name} are declared and not there: {probed.detail}",
        f"take {name} out of its capabilities, or serve the model with them",
    )


async def _vector(client: ModelClient, endpoint: Endpoint, role: str) -> Probed:
    began = time.monotonic()
    try:
        vector = await client.probe_embedding("ready", endpoint=endpoint, role=role)
    except ModelError as error:
        able = False if error.reason in _REFUSALS else None
        return Probed("vectors", able, time.monotonic() - began, error.cause, error.remedy)
    detail = f"{len(vector)} dimensions"
    return Probed("vectors", able=True, seconds=time.monotonic() - began, detail=detail)


async def _tried(probe: _Probe, plain: _Probe, ask: Ask) -> Probed:
    """A server error may be how a server refuses: it is one if it comes again, and for this only.

    llama.cpp answers 500 to a picture that its model cannot read.
    """
    first, reason = await _try(probe, ask)
    if reason is not Reason.SERVER_ERROR:
        return first
    between, _ = await _try(plain, ask)
    again, reason = await _try(probe, ask)
    if between.able is True and reason is Reason.SERVER_ERROR:
        return Probed(probe.capability, able=False, seconds=again.seconds, detail=again.detail)
    return again


async def _try(probe: _Probe, ask: Ask) -> tuple[Probed, Reason | None]:
    began = time.monotonic()
    try:
        answer = await ask(probe.request)
    except ModelError as error:
        refused = probe.capability != "text" and error.reason in _REFUSALS
        able = False if refused else None
        seconds = time.monotonic() - began
        failed = Probed(probe.capability, able, seconds, error.cause, error.remedy)
        return failed, error.reason
    seconds = time.monotonic() - began
    if probe.seen(answer):
        return Probed(probe.capability, able=True, seconds=seconds, detail=answer.model), None
    if answer.finish == "length":
        detail = f"the answer was cut after {TOKENS} tokens"
        remedy = "serve the model with less thinking; extra_body can say so"
        return Probed(probe.capability, None, seconds, detail, remedy), None
    detail = f"it said: {' '.join(answer.text.split())[:_TOLD_CHARS] or 'nothing'}"
    return Probed(probe.capability, able=False, seconds=seconds, detail=detail), None


def _probes(seed: int) -> tuple[_Probe, ...]:
    number = str(Random(f"preflight|{seed}").randint(1_000, 9_999))
    # The words ask for something else than the schema: only a server that holds to it passes.
    worded = _request("How many days has a week? Reply with one English word.")
    picture = _request("Which number does the picture show? Reply with its digits alone.", number)
    called = _request("Call the tool report with the word ready.")
    spoken = _request("Say yes.").model_copy(update={"top_logprobs": 2})
    return (
        _Probe("text", _request("Reply with the word ready."), lambda a: bool(a.text.strip())),
        _Probe(
            "json_schema", worded.model_copy(update={"json_schema": _SCHEMA}), _holds_number
        ),
        _Probe("tools", called.model_copy(update={"tools": (_TOOL,)}), _calls_report),
        _Probe("logprobs", spoken, lambda a: bool(a.logprobs)),
        # No text names the number: a picture that is dropped on the way is noticed.
        _Probe("pictures", picture, lambda a: number in a.text),
    )  # fmt: skip


def _request(text: str, pictured: str | None = None) -> ChatRequest:
    content = (text,) if pictured is None else (text, Picture.of(_drawn(pictured)))
    return ChatRequest(messages=(ChatMessage(role="user", content=content),), max_tokens=TOKENS)


_SCHEMA: Final = {
    "type": "object",
    "properties": {"number": {"type": "integer"}},
    "required": ["number"],
    "additionalProperties": False,
}
_TOOL: Final = ToolDef(
    name="report",
    description="Reports a word.",
    parameters={
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
    },
)


def _holds_number(answer: ChatAnswer) -> bool:
    try:
        found = json.loads(answer.text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and type(found.get("number")) is int


def _calls_report(answer: ChatAnswer) -> bool:
    return any(use.name == "report" for use in answer.tool_calls)


def _drawn(number: str) -> bytes:
    """A PNG that shows the number."""
    image = Image.new("RGB", _SIDE, "white")
    font = ImageFont.load_default(size=96)
    ImageDraw.Draw(image).text((_SIDE[0] / 2, _SIDE[1] / 2), number, "black", font, anchor="mm")
    data = io.BytesIO()
    image.save(data, format="PNG")
    return data.getvalue()
