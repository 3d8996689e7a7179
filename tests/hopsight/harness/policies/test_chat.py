import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from hopsight.harness import run_episode
from hopsight.harness.policies import STYLES, ChatPolicy, Sampling
from hopsight.harness.render import extract_answer
from hopsight.llm.chat import ChatAnswer, ChatRequest, Picture, TokenUse, ToolUse
from hopsight.types import StopReason, Trajectory
from tests.hopsight.harness import world as w

SEARCH = {"query": "Alda"}
LOOK = {"image": "<image:0>", "x0": 0.1, "y0": 0.1, "x1": 0.6, "y1": 0.6}


@dataclass
class Server:
    """The network's far side: gives scripted answers and keeps what it was asked."""

    answers: Sequence[ChatAnswer]
    asked: list[ChatRequest] = field(default_factory=list)

    async def __call__(self, request: ChatRequest, sample: int) -> ChatAnswer:
        self.asked.append(request)
        return self.answers[len(self.asked) - 1]


def said(text: str, *uses: ToolUse) -> ChatAnswer:
    return ChatAnswer(
        text=text,
        tool_calls=uses,
        finish="tool_calls" if uses else "stop",
        model="m-1",
        tokens=TokenUse(prompt=100, completion=7),
    )


def use(name: str, arguments: object, call_id: str = "c1") -> ToolUse:
    return ToolUse(call_id=call_id, name=name, arguments=json.dumps(arguments))


CALLED = {
    "native": [said("I look.", use("zoom_in", LOOK)), said("<answer>Grey Sea</answer>")],
    "text": [
        said(
            "<think>I look.</think><tool_call>"
            + json.dumps({"name": "zoom_in", "arguments": LOOK})
            + "</tool_call>"
        ),
        said("<answer>Grey Sea</answer>"),
    ],
    "action": [
        said(json.dumps({"thought": "I look.", "tool": "zoom_in", "arguments": LOOK})),
        said(json.dumps({"thought": "Seen.", "answer": "Grey Sea"})),
    ],
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def play(world: w.World, server: Server, style: str, *, sees: bool = True) -> Trajectory:
    policy = ChatPolicy("chat", lambda record: server, STYLES[style], sees, Sampling(max_tokens=50))
    return asyncio.run(run_episode(world.task(), policy, world.setting(), 7, "q_1", 0))


def texts(request: ChatRequest) -> str:
    return "\n".join(
        part for message in request.messages for part in message.content if isinstance(part, str)
    )


def pictures(request: ChatRequest) -> list[Picture]:
    return [
        part
        for message in request.messages
        for part in message.content
        if isinstance(part, Picture)
    ]


@pytest.mark.parametrize("style", STYLES)
def test_a_model_calls_a_tool_sees_its_picture_and_answers(world: w.World, style: str) -> None:
    server = Server(CALLED[style])
    done = play(world, server, style)
    assert (done.stop_reason, done.final_answer) == (StopReason.ANSWERED, "Grey Sea")
    assert [call.name for turn in done.turns for call in turn.calls] == ["zoom_in"]
    assert len(pictures(server.asked[0])) == 1
    assert len(pictures(server.asked[1])) == 2
    assert "<image:1>" in texts(server.asked[1])
    assert (done.usage.prompt_tokens, done.usage.completion_tokens) == (200, 14)
    assert done.turns[0].weights == "m-1"


@pytest.mark.parametrize("style", STYLES)
def test_pixels_stand_right_behind_their_handle(world: w.World, style: str) -> None:
    server = Server(CALLED[style])
    play(world, server, style)
    parts = [part for message in server.asked[1].messages for part in message.content]
    for place, part in enumerate(parts):
        if isinstance(part, Picture):
            before = parts[place - 1]
            assert isinstance(before, str)
            assert before.endswith(">")


@pytest.mark.parametrize("style", STYLES)
def test_a_model_that_reads_no_pictures_gets_handles_and_is_told(
    world: w.World, style: str
) -> None:
    server = Server(CALLED[style])
    play(world, server, style, sees=False)
    assert not any(pictures(request) for request in server.asked)
    assert "cannot see" in texts(server.asked[0])
    assert "<image:0>" in texts(server.asked[0])
    assert "<image:1>" in texts(server.asked[1])


@pytest.mark.parametrize("style", STYLES)
def test_a_later_request_begins_with_the_earlier_one(world: w.World, style: str) -> None:
    server = Server(CALLED[style])
    play(world, server, style)
    first, second = server.asked
    assert second.messages[: len(first.messages)] == first.messages
    assert second.messages[len(first.messages)].role == "assistant"


def test_every_turn_of_an_episode_has_a_seed_of_its_own(world: w.World) -> None:
    server = Server(CALLED["native"])
    play(world, server, "native")
    assert [request.seed for request in server.asked] == [7, 8]


def test_native_calls_are_answered_by_their_id_and_offer_every_tool(world: w.World) -> None:
    server = Server(CALLED["native"])
    play(world, server, "native")
    assert {tool.name for tool in server.asked[0].tools} >= {"web_search", "visit", "zoom_in"}
    answered = [message for message in server.asked[1].messages if message.role == "tool"]
    assert [message.tool_call_id for message in answered] == ["c1"]


def test_several_written_calls_run_in_order(world: w.World) -> None:
    calls = "".join(
        f'<tool_call>{{"name": "web_search", "arguments": {{"query": "{query}"}}}}</tool_call>'
        for query in ("Alda", "Bergen")
    )
    done = play(world, Server([said(calls), said("<answer>x</answer>")]), "text")
    queries = [json.loads(call.arguments)["query"] for call in done.turns[0].calls]
    assert queries == ["Alda", "Bergen"]
    assert done.turns[0].text == ""


@pytest.mark.parametrize("text", ["{", "[1]", '{"arguments": {}}', "null", "x" * 9000])
def test_a_written_call_that_is_none_is_answered_as_an_unknown_tool(
    world: w.World, text: str
) -> None:
    server = Server([said(f"<tool_call>{text}</tool_call>"), said("<answer>x</answer>")])
    done = play(world, server, "text")
    assert [each.outcome for each in done.turns[0].observations] == ["unknown_tool"]
    assert "Result (unknown_tool)" in texts(server.asked[1])


def test_a_call_inside_a_thought_is_not_run(world: w.World) -> None:
    thought = '<think>or <tool_call>{"name": "visit"}</tool_call>?</think><answer>Sea</answer>'
    done = play(world, Server([said(thought)]), "text")
    assert (done.final_answer, done.usage.tool_calls) == ("Sea", 0)


@pytest.mark.parametrize("text", ["no object", "[]", '{"thought": "x"}', '{"thought": "cut'])
def test_an_action_that_is_none_is_kept_and_told(world: w.World, text: str) -> None:
    server = Server([said(text), said(json.dumps({"thought": "", "answer": "Sea"}))])
    done = play(world, server, "action")
    assert done.turns[0].text == text
    assert "neither a tool call nor an answer" in texts(server.asked[1])
    assert done.final_answer == "Sea"


def test_the_schema_of_an_action_names_every_tool_and_the_answer(world: w.World) -> None:
    server = Server(CALLED["action"])
    play(world, server, "action")
    schema = server.asked[0].json_schema
    assert schema is not None
    names = [each["properties"].get("tool", {}).get("const") for each in schema["anyOf"]]
    assert names[0] is None
    assert {"web_search", "visual_search", "visit"} <= set(names)


def test_an_answer_of_markup_stays_data() -> None:
    turn = STYLES["action"].read(said(json.dumps({"thought": "", "answer": "<|im_end|> 4"})))
    assert extract_answer(turn.text) == "<\\|im_end|> 4"


@pytest.mark.parametrize("style", STYLES)
def test_a_model_without_tools_is_told_to_answer_from_what_it_knows(style: str) -> None:
    rules = STYLES[style].rules(())
    assert rules.startswith("Answer from what you know")
    assert "tool" not in rules.lower()
