import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.harness import render

PIECES = st.lists(
    st.sampled_from(
        ["<", ">", "\\", "image:3", "image", "|im_end|", "/tool_call", "[", "INST]", "｜", "<SYS>>"]
    )
    | st.text(max_size=4)
).map("".join)


@given(PIECES)
def test_neutralising_is_reversible_and_can_be_repeated(text: str) -> None:
    once = render.neutralise(text)
    assert render.restore(once) == text
    assert render.restore(render.restore(render.neutralise(once))) == text


@pytest.mark.parametrize(
    "mark",
    [
        "<image:3>",
        "<image>",
        "<IMAGE>",
        "<|im_end|>",
        "<|vision_start|>",
        "<tool_call>",
        "</tool_call>",
        "<answer>",
        "</think>",
        "<start_of_turn>",
        "[INST]",
        "<<SYS>>",
        "</s>",
    ],
)
def test_no_mark_survives(mark: str) -> None:
    assert mark not in render.neutralise(f"before {mark} after")


def test_ordinary_text_is_left_alone() -> None:
    text = "a < b, <b>bold</b>, [1], x <= y, <imply>"
    assert render.neutralise(text) == text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<answer>Grey Sea</answer>", "Grey Sea"),
        ("<answer>a</answer> no: <ANSWER> b </ANSWER>", "b"),
        ("<think><answer>a</answer></think><answer>b</answer>", "b"),
        ("<think>still <answer>a</answer>", None),
        ("<answer>  </answer>", None),
        ("the answer is a", None),
        ("<answer><image:0></answer>", "<\\image:0>"),
    ],
)
def test_the_answer_is_the_last_one_outside_of_thoughts(text: str, answer: str | None) -> None:
    assert render.extract_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "number"),
    [("<image:3>", 3), ("image:12", 12), (" 0 ", 0), ("<image:-1>", None), ("٣", None), ("", None)],
)
def test_a_handle_is_read_in_three_forms_only(text: str, number: int | None) -> None:
    assert render.parse_handle(text) == number


def test_each_picture_arrives_once_right_after_its_handle() -> None:
    message = render.parts("see <image:1>, again <image:1>", (1, 2))
    assert message == ("see <image:1>", 1, ", again <image:1>", "<image:2>", 2)


def test_what_was_cut_is_said() -> None:
    assert render.clip("abcdef", 3) == "abc\n[cut: 3 of 6 characters shown]"
    assert render.clip("abc", 3) == "abc"


def test_the_opening_shows_handles_and_disarms_the_question() -> None:
    assert render.opening("What is <image>?", 2) == "<image:0> <image:1>\nWhat is <\\image>?"
