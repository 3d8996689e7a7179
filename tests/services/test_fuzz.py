"""Ten thousand and more cases of what a model may write: no crash, and every outcome is typed.

Slow tools (an engine that reads text, the sandbox) are fuzzed beside their own tests.
"""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hopsight.errors import Outcome, ToolError
from hopsight.harness import AssistantTurn, ImageBank, Limits, run_episode
from hopsight.harness.backends import SERVED
from hopsight.harness.execute import Executed, execute
from hopsight.harness.policies.action import read as read_action
from hopsight.harness.policies.text import turn_of
from hopsight.harness.render import neutralise, restore
from hopsight.harness.setting import Setting
from hopsight.harness.tools import SPECS, NewPicture
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.llm.chat import ChatAnswer, TokenUse
from hopsight.types import StopReason, ToolCall, Trajectory
from tests.hopsight.harness import world as w

SLOW = frozenset({"python_code", "layout_parsing", "super_resolution"})
ARGUMENTS, HANDLES, TURNS = 6_000, 2_000, 2_500
"""Cases of each kind; together more than ten thousand."""


def fuzzed(cases: int) -> settings:
    return settings(
        max_examples=cases,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[w.World]:
    yield w.make_world(tmp_path_factory.mktemp("world"))


def setting(world: w.World, **limits: Any) -> Setting:
    offered = world.backend.offers
    names = [s.name for s in SPECS if s.name not in SLOW]
    served = tuple(name for name in names if name not in SERVED or name in offered)
    return Setting(Workbench(world.backend), world.images, Limits(**limits), Toolset(served))


TEXT = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(
    ["<image:0>", "<|im_end|>", "</tool_call>", "\ud800", "Alda", w.HOST + "Alda", "http://[::1]/"]
)
NUMBER = (
    st.integers()
    | st.floats()
    | st.sampled_from([0, 0.5, 1, -1, 1e308, 2**63, float("nan"), 90, 180])
)
HANDLE = st.sampled_from(
    ["<image:0>", "image:1", "1", "0", "<image:9>", "-1", "", "00", "<image:01>"]
)
VALUE = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT | HANDLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=4,
)


def _argument(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Mostly what the schema asks for, often at or over its bounds, sometimes anything at all."""
    kind = schema["type"]
    fitting: st.SearchStrategy[Any] = NUMBER if kind in ("number", "integer") else TEXT | HANDLE
    if kind == "boolean":
        fitting = st.booleans()
    if "enum" in schema:
        fitting = st.sampled_from(schema["enum"])
    if kind == "number":
        fitting = fitting | st.floats(0, 1)
    return st.one_of(fitting, fitting, fitting, VALUE)


@st.composite
def calls(draw: st.DrawFn) -> ToolCall:
    spec = draw(st.sampled_from([each for each in SPECS if each.name not in SLOW]))
    known = {name: _argument(field) for name, field in spec.schema["properties"].items()}
    required = {name: known[name] for name in spec.schema["required"]}
    optional = {name: value for name, value in known.items() if name not in required}
    given = draw(st.fixed_dictionaries(required, optional=optional))
    if draw(st.integers(0, 9)) == 0:
        given |= draw(st.dictionaries(TEXT, VALUE, max_size=2))
    written = json.dumps(given)
    if draw(st.integers(0, 9)) == 0:
        written = written[: draw(st.integers(0, len(written)))] + draw(TEXT)
    name = draw(st.just(spec.name) | st.just(spec.name) | TEXT)
    return ToolCall.model_construct(call_id="c", name=name, arguments=written)


def checked(done: Executed) -> None:
    assert done.result.outcome in Outcome
    told = "".join(piece for piece in done.result.pieces if isinstance(piece, str))
    assert told or any(isinstance(piece, NewPicture) for piece in done.result.pieces)
    told.encode("utf-8")


@fuzzed(ARGUMENTS)
@given(call=calls())
def test_any_arguments_of_any_tool_have_a_typed_outcome(world: w.World, call: ToolCall) -> None:
    bank = ImageBank(world.shown, world.images, 50, 10**9)
    checked(asyncio.run(execute(call, setting(world), bank, 30)))


@fuzzed(HANDLES)
@given(text=TEXT | HANDLE | st.from_regex(r"\s*<?image:?[0-9]{0,8}>?\s*"))
def test_any_handle_is_a_picture_or_a_typed_error_that_lists_them(
    world: w.World, text: str
) -> None:
    bank = ImageBank(world.shown, world.images, 50, 10**9)
    try:
        entry = bank.resolve(text)
    except ToolError as error:
        assert error.outcome is Outcome.INVALID_ARGS
        assert "valid: <image:0>, <image:1>" in error.message
    else:
        assert str(entry.handle) in text
        assert bank.data(entry)


MARKS = st.sampled_from(
    [
        "<think>", "</think>", "<tool_call>", "</tool_call>", "<answer>", "</answer>", "{", "}",
        '{"name": "web_search", "arguments": {"query": "Alda"}}', '"name":', "<image:0>", "\\",
        "<|im_start|>system", "[INST]", '{"tool": "visit", "arguments": ', "null", "[" * 600,
    ]
)  # fmt: skip
WRITTEN = st.lists(MARKS | TEXT, max_size=8).map("".join)


def turns(text: str) -> list[AssistantTurn]:
    answer = ChatAnswer(
        text=text, finish="stop", model="m", tokens=TokenUse(prompt=None, completion=None)
    )
    return [turn_of(text), read_action(answer)]


@fuzzed(TURNS)
@given(said=st.lists(WRITTEN, min_size=1, max_size=3))
def test_whatever_a_model_writes_the_episode_ends_in_a_typed_way_and_can_be_stored(
    world: w.World, said: list[str]
) -> None:
    script = [turn for text in said for turn in turns(text)]
    policy = w.Scripted(script)
    played = asyncio.run(run_episode(world.task(), policy, setting(world, max_turns=6), 1, "q", 0))
    assert played.stop_reason in StopReason
    assert Trajectory.model_validate_json(played.model_dump_json()) == played
    for turn in played.turns:
        assert len(turn.calls) == len(turn.observations)
    for text in said:
        assert restore(neutralise(text)) == text
