import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.harness.render import neutralise
from hopsight.types import Task, ToolCall, Turn
from tests.training.export.made import FINAL, call, seen, store_with, trajectory, turn
from training.export.messages import PLACEHOLDER, UnexportableError, trajectory_messages

WORDS = st.text(max_size=60)
MARKS = st.sampled_from(
    [
        "<image>",
        "<image:0>",
        "<image:7>",
        "<|im_end|>",
        "</think>",
        "<tool_call>",
        "<IMAGE>",
        "{",
        '"',
    ]
)
OPEN_TEXT = st.lists(WORDS | MARKS, max_size=4).map("".join)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Five pictures."""
    return store_with(tmp_path_factory.mktemp("pictures"), 5)[1]


@pytest.fixture(scope="module")
def task(pictures):
    """A question over one picture."""
    return Task(text="What is shown?", images=pictures[:1])


def refusal(*turns, task, bank=()):
    with pytest.raises(UnexportableError) as caught:
        trajectory_messages(trajectory(*turns, task=task, bank=bank))
    return caught.value


def test_roles_alternate_from_the_question_to_the_answer(task):
    messages = trajectory_messages(trajectory(turn(call()), turn(call()), FINAL, task=task))
    assert [message.role for message in messages] == [
        "human",
        "function_call",
        "observation",
        "function_call",
        "observation",
        "gpt",
    ]


def test_the_question_stands_behind_its_pictures(pictures):
    task = Task(text="What is shown?", images=pictures[:2])
    first = trajectory_messages(trajectory(FINAL, task=task))[0]
    assert first.text == "<image:0><image> <image:1><image>\nWhat is shown?"
    assert first.images == pictures[:2]


def test_thoughts_and_the_final_text_are_kept_word_for_word(task):
    thought = "First the flag.\n\nThen “its” capital — 100 %."
    messages = trajectory_messages(trajectory(turn(call(), text=thought), FINAL, task=task))
    assert messages[1].text.startswith(f"<think>\n{thought}\n</think>\n\n")
    assert messages[-1].text == FINAL.text


def test_one_call_is_an_object_and_several_are_a_list(task):
    one = trajectory_messages(trajectory(turn(call(query="é")), FINAL, task=task))[1]
    assert json.loads(one.text.split("</think>\n\n")[1]) == {
        "name": "web_search",
        "arguments": {"query": "é"},
    }
    two = turn(
        call(query="a"), call("visit", url="u"), observations=[seen("first"), seen("second")]
    )
    messages = trajectory_messages(trajectory(two, FINAL, task=task))
    said = json.loads(messages[1].text.split("</think>\n\n")[1])
    assert [each["name"] for each in said] == ["web_search", "visit"]
    assert [message.role for message in messages[1:3]] == ["function_call", "observation"]
    assert messages[2].text == "first\n\nsecond"


def test_pictures_of_several_calls_keep_their_order(task, pictures):
    two = turn(
        call(),
        call("visit"),
        observations=[seen("see <image:2>", 2), seen("<image:1> and more", 1, 3)],
    )
    observed = trajectory_messages(trajectory(two, FINAL, task=task, bank=pictures[1:]))[2]
    assert observed.text == "see <image:2><image>\n\n<image:1><image> and more<image:3><image>"
    assert observed.images == (pictures[2], pictures[1], pictures[3])


def test_a_handle_that_brings_no_pixels_gets_no_placeholder(task):
    told = turn(call(), observations=[seen("like <image:0>, which you have")])
    observed = trajectory_messages(trajectory(told, FINAL, task=task))[2]
    assert PLACEHOLDER not in observed.text
    assert observed.images == ()


def test_what_the_harness_told_the_policy_is_part_of_the_observation(task):
    warned = turn(call(), notice="Two turns are left.")
    observed = trajectory_messages(trajectory(warned, FINAL, task=task))[2]
    assert observed.text == "found\n\nTwo turns are left."


@pytest.mark.parametrize("mark", ["<image>", "<IMAGE>", "<|im_end|>", "</think>", "<tool_call>"])
@pytest.mark.parametrize("place", ["text", "argument", "observation", "final"])
def test_a_template_mark_is_refused_and_the_turn_is_named(task, mark, place):
    said = f"so {mark} it"
    turns = {
        "text": turn(call(), text=said),
        "argument": turn(call(query=said)),
        "observation": turn(call(), observations=[seen(said)]),
        "final": turn(call()),
    }
    last = Turn(text=said, calls=(), observations=()) if place == "final" else FINAL
    refused = refusal(turn(call()), turns[place], last, task=task)
    assert refused.reason == "template_mark"
    assert f"turn {2 if place == 'final' else 1}" in refused.detail
    assert mark in refused.detail


@pytest.mark.parametrize(
    "arguments", ["", "{", "[1]", '"text"', "null", '{"x": NaN}', '{"x": "\\ud800"}', "[" * 100_000]
)
def test_arguments_that_are_no_json_object_are_refused(task, arguments):
    bad = ToolCall(call_id="c", name="visit", arguments=arguments)
    refused = refusal(turn(call()), turn(bad), FINAL, task=task)
    assert refused.reason == "malformed_call"
    assert refused.detail.startswith("turn 1: arguments of visit")


def test_a_picture_that_the_bank_lacks_is_refused(task):
    refused = refusal(turn(call(), observations=[seen("<image:9>", 9)]), FINAL, task=task)
    assert (refused.reason, refused.detail) == ("unknown_picture", "turn 0: no <image:9>")


def test_a_call_without_an_observation_is_refused(task):
    refused = refusal(turn(call(), call(), observations=[seen()]), FINAL, task=task)
    assert refused.reason == "observation_missing"
    assert "turn 0" in refused.detail


def test_a_trajectory_that_does_not_end_with_an_answer_is_refused(task):
    assert refusal(turn(call()), task=task).detail == "turn 0 is not final"
    assert refusal(task=task).reason == "no_final_turn"
    silent = Turn(text="Hm.", calls=(), observations=())
    refused = refusal(silent, turn(call()), FINAL, task=task)
    assert (refused.reason, refused.detail) == (
        "turn_without_call",
        "turn 0 neither calls nor ends",
    )


@st.composite
def any_turns(draw):
    """Turns as a model and a page might give them: any text, any arguments, any handles."""
    turns = []
    for _ in range(draw(st.integers(0, 3))):
        calls, answers = [], []
        for _ in range(draw(st.integers(1, 3))):
            arguments = draw(
                st.dictionaries(WORDS, OPEN_TEXT | st.integers() | st.none(), max_size=2).map(
                    json.dumps
                )
                | OPEN_TEXT
            )
            calls.append(ToolCall(call_id="c", name="visit", arguments=arguments))
            text = draw(OPEN_TEXT)
            handles = draw(st.lists(st.integers(0, 5), max_size=3, unique=True))
            answers.append(seen(neutralise(text) if draw(st.booleans()) else text, *handles))
        turns.append(turn(*calls, text=draw(OPEN_TEXT), observations=answers))
    if draw(st.booleans()):
        turns.append(Turn(text=draw(OPEN_TEXT), calls=(), observations=()))
    return turns


@given(turns=any_turns())
def test_any_trajectory_is_a_sound_row_or_a_named_refusal(pictures, task, turns):
    rollout = trajectory(*turns, task=task, bank=pictures[1:])
    try:
        messages = trajectory_messages(rollout)
    except UnexportableError as refused:
        assert refused.reason in {
            "template_mark",
            "malformed_call",
            "unknown_picture",
            "placeholder_mismatch",
            "no_final_turn",
        }
        assert "turn" in refused.detail
        return
    roles = [message.role for message in messages]
    assert roles == ["human", *["function_call", "observation"] * (len(turns) - 1), "gpt"]
    for message in messages:
        assert message.text.count(PLACEHOLDER) == len(message.images)
        assert len(re.findall("<image>", message.text, re.IGNORECASE)) == len(message.images)
        assert not re.search(r"<\|[a-z_]+\|>|</?tool_call>", message.text)
    shown = [image for message in messages for image in message.images]
    entries = {entry.handle: entry.image for entry in rollout.bank}
    brought = [h for each in turns for answer in each.observations for h in answer.images]
    assert sorted(i.sha256 for i in shown) == sorted(
        entries[handle].sha256 for handle in [0, *brought]
    )
    json.dumps([message.text for message in messages], ensure_ascii=False).encode()
