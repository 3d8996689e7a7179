import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.harness.dialects import (
    DIALECTS,
    read_answer,
    read_calls,
    write_answer,
    write_call,
    write_observation,
)
from hopsight.types import ToolCall

CASES = settings(max_examples=100, deadline=None)
OSV, ODE = DIALECTS["opensearch_vl"].tags, DIALECTS["ode"].tags


def read(text: str, tags=OSV) -> list[tuple[str, object]]:
    return [(call.name, json.loads(call.arguments)) for call in read_calls(text, tags)]


def test_calls_are_read_in_order_and_not_out_of_thoughts() -> None:
    text = (
        "<think><tool_call>{}</tool_call></think>so:"
        '<tool_call>{"name": "visit", "arguments": {"url": "u"}}</tool_call> and '
        '<tool_call>\n{"name": "crop", "arguments": {}}\n</tool_call>'
    )
    assert read(text) == [("visit", {"url": "u"}), ("crop", {})]


def test_json_may_hold_braces_and_closing_tags_in_text() -> None:
    text = '<tool_call>{"name": "text_search", "arguments": {"q": "} </tool_call> {"}}</tool_call>'
    assert read(text) == [("text_search", {"q": "} </tool_call> {"})]


def test_a_tool_may_be_called_by_its_own_tag() -> None:
    text = '<text_search>old bridge</text_search><crop>{"image": "img_1", "x": 0}</crop>'
    assert read(text) == [
        ("text_search", {"q": "old bridge"}),
        ("crop", {"image": "img_1", "x": 0}),
    ]
    assert read(text, DIALECTS["mm_deepresearch"].tags) == []


def test_a_program_may_stand_beside_its_call() -> None:
    text = (
        '<tool_call>\n{"name": "python_code", "arguments": {}}\n<code>\nprint("<b>")\n</code>\n'
        "</tool_call>"
    )
    assert read(text, ODE) == [("python_code", {"code": 'print("<b>")'})]


@pytest.mark.parametrize("body", ["{no json", '["list"]', '{"arguments": {}}', "", "{" * 9000])
def test_what_is_no_call_becomes_a_call_of_no_tool(body: str) -> None:
    calls = read_calls(f"<tool_call>{body}</tool_call>", OSV)
    assert [(call.name, call.arguments) for call in calls] == [("", body)]


def test_an_unclosed_call_is_still_a_call_and_a_flood_is_bounded() -> None:
    assert read('<tool_call>{"name": "visit", "arguments": {}}') == [("visit", {})]
    assert len(read_calls("<tool_call>" * 500, OSV)) <= 50
    assert len(read_calls("<tool_call>{}</tool_call>" * 500, OSV)) == 50


def test_answers_are_read_by_the_tags_of_the_dialect() -> None:
    text = "<think><response>no</response></think><response> 1982 <image:0></response>"
    assert read_answer(text, OSV) == "1982 <\\image:0>"
    assert read_answer(text, ODE) is None
    assert read_answer("<answer>1982</answer>", ODE) == "1982"
    assert read_answer("<answer>  </answer>", ODE) is None
    assert read_answer("<answer>cut off", ODE) is None
    assert read_answer(write_answer("1982", OSV), OSV) == "1982"


def test_observations_stand_in_their_tags() -> None:
    assert write_observation("1. a page", OSV) == "<tool_response>\n1. a page\n</tool_response>"


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=20)),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
CALLS = st.builds(
    lambda name, values: ToolCall(call_id="", name=name, arguments=json.dumps(values)),
    st.sampled_from(["visit", "crop", "python_interpreter"]),
    st.dictionaries(st.sampled_from(["url", "q", "code"]), VALUES, max_size=3),
)
MARKS = st.sampled_from(
    ["<tool_call>", "</tool_call>", "<think>", "</think>", "<code>", "</code>", "<response>"]
)


@CASES
@given(
    dialect=st.sampled_from(sorted(DIALECTS)),
    calls=st.lists(CALLS, max_size=4),
    mark=MARKS,
)
def test_calls_that_were_written_are_read_back(
    dialect: str, calls: list[ToolCall], mark: str
) -> None:
    tags = DIALECTS[dialect].tags
    marked = ToolCall(call_id="", name="visit", arguments=json.dumps({"url": f"a {mark} b"}))
    made = [*calls, marked]
    written = "\n".join(write_call(call, tags) for call in made)
    found = read_calls(written, tags)
    assert [(call.name, json.loads(call.arguments)) for call in found] == [
        (call.name, json.loads(call.arguments)) for call in made
    ]


@CASES
@given(
    dialect=st.sampled_from(sorted(DIALECTS)),
    pieces=st.lists(
        st.one_of(
            MARKS, st.sampled_from(["<visit>", "</visit>", '{"name": ', "{", "}"]), st.text()
        ),
        max_size=12,
    ),
)
def test_any_text_is_read_without_failing(dialect: str, pieces: list[str]) -> None:
    tags = DIALECTS[dialect].tags
    text = "".join(pieces)
    for call in read_calls(text, tags):
        assert isinstance(call.arguments, str)
    answer = read_answer(text, tags)
    assert answer is None or answer.strip()
