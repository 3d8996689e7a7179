"""Checkpoints of other systems play here: their names, their boxes, their marks; our tools."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from hopsight.config import DEFAULT_TOOLS
from hopsight.errors import Outcome
from hopsight.harness import Limits, run_episode
from hopsight.harness.policies import ChatPolicy, style_of_dialect
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.llm.chat import ChatAnswer, ChatRequest, TokenUse
from hopsight.types import StopReason, Trajectory
from tests.hopsight.harness import world as w


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


@dataclass
class Model:
    """Says what a script says, and keeps what it was asked."""

    script: Sequence[str]
    asked: list[ChatRequest] = field(default_factory=list)

    async def __call__(self, request: ChatRequest, sample: int) -> ChatAnswer:
        self.asked.append(request)
        said = self.script[len(self.asked) - 1]
        tokens = TokenUse(prompt=1, completion=1)
        return ChatAnswer(text=said, finish="stop", model="m", tokens=tokens)

    def text(self, number: int) -> str:
        """All that it was told before an answer."""
        parts = (part for message in self.asked[number].messages for part in message.content)
        return "\n".join(part for part in parts if isinstance(part, str))


def play(world: w.World, dialect: str, model: Model) -> Trajectory:
    policy = ChatPolicy("m", lambda _: model, style_of_dialect(dialect), sees=False)
    tools = Toolset(DEFAULT_TOOLS, dialect)
    setting = Setting(Workbench(world.backend), world.images, Limits(max_turns=6), tools)
    return asyncio.run(run_episode(world.task(), policy, setting, 1, "q", 0))


def call(name: str, **arguments: object) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


def test_a_checkpoint_of_opensearch_vl_plays_with_its_pixels_and_marks(world: w.World) -> None:
    image = world.shown[0]
    whole = {"image": "img_1", "x": 0, "y": 0, "width": image.width // 2, "height": image.height}
    model = Model(
        [
            "I look. " + call("image_search", url="img_1"),
            call("crop", **whole),
            call("text_search", q="Alda river"),
            "<response>Grey Sea</response>",
        ]
    )
    done = play(world, "opensearch_vl", model)
    assert (done.stop_reason, done.final_answer) == (StopReason.ANSWERED, "Grey Sea")
    seen = [each for turn in done.turns for each in turn.observations]
    assert [each.outcome for each in seen] == [Outcome.OK] * 3
    assert [turn.calls[0].name for turn in done.turns[:3]] == [
        "image_search", "crop", "text_search",
    ]  # fmt: skip
    assert done.bank[2].box == (0.0, 0.0, 0.5, 1.0)
    assert done.turns[0].text == "I look."


def test_it_is_told_of_its_own_tools_and_pictures_and_never_of_ours(world: w.World) -> None:
    model = Model([call("image_search", url="img_1"), "<response>x</response>"])
    play(world, "opensearch_vl", model)
    first, second = model.text(0), model.text(1)
    assert "text_search:" in first
    assert "web_search:" not in first
    assert "img_1" in first
    assert "<image:" not in second
    assert "<tool_response>" in second
    assert "img_2" in second
    assert "<response>" in first
    assert "<answer>" not in second


def test_several_queries_in_one_call_are_all_answered_in_one_observation(world: w.World) -> None:
    model = Model([call("web_search", query=["Alda", "Bergen"]), "<answer>x</answer>"])
    done = play(world, "ode", model)
    observation = done.turns[0].observations[0]
    assert observation.outcome is Outcome.OK, observation.text
    assert f"{w.HOST}Alda" in observation.text
    assert f"{w.HOST}Bergen" in observation.text


def test_a_name_of_ours_is_unknown_in_another_dialect(world: w.World) -> None:
    model = Model([call("zoom_in", image="img_1"), "<response>x</response>"])
    done = play(world, "opensearch_vl", model)
    assert done.turns[0].observations[0].outcome is Outcome.UNKNOWN_TOOL
    assert "crop" in done.turns[0].observations[0].text
