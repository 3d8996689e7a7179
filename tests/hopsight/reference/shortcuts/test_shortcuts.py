"""Agents that take a short way: one search, or no picture."""

import asyncio

import pytest

from hopsight.errors import Outcome
from hopsight.harness.policy import EpisodeView, Remaining
from hopsight.harness.render import extract_answer
from hopsight.harness.toolset import Toolset
from hopsight.reference.shortcuts import TextOnly, one_image_search, one_text_search
from hopsight.types import ImageRef, Observation, Task, Turn

PICTURE = ImageRef(
    sha256="1" * 64,
    mime="image/png",
    width=9,
    height=9,
    source_url="",
    license="",
    author="",
)
RIVER = "The country in the image has a certain river. How long is that river?"
TASK = Task(text=RIVER, images=(PICTURE,))
HITS = (
    "1. Alund\n   https://w.org/alund\n   A country.\n"
    "2. Alund Water\n   https://w.org/water\n   A river."
)
PAGES = {
    "https://w.org/alund": "# Alund\n\n| attribute | value |\n| --- | --- |\n"
    "| river | [Alund Water](https://w.org/water) |\n",
    "https://w.org/water": "# Alund Water\n\n| attribute | value |\n| --- | --- |\n"
    "| length_km | 210 |\n",
}
MUTE = PAGES | {
    "https://w.org/alund": "# Alund\n\n| attribute | value |\n| --- | --- |\n| tld | .al |\n"
}
"""The first page has no row that goes with the question."""


def played(policy, task, hits=HITS, pages=PAGES, most=20):
    """Calls that a policy made of a web that knows these hits and pages, and its answer."""
    session = policy.begin(1)
    turns: tuple[Turn, ...] = ()
    calls: list[tuple[str, str]] = []
    for left in range(most, 0, -1):
        view = EpisodeView(task, turns, Toolset().specs, Remaining(left, left), None, lambda n: b"")
        turn = asyncio.run(session.act(view))
        if not turn.calls:
            return calls, extract_answer(turn.text)
        seen = tuple(_seen(call, hits, pages) for call in turn.calls)
        calls += [(call.name, call.arguments) for call in turn.calls]
        turns += (Turn(text=turn.text, calls=turn.calls, observations=seen),)
    raise AssertionError("it never ends")


def _seen(call, hits, pages):
    text = hits if call.name.endswith("_search") else ""
    text = text or next((page for url, page in pages.items() if url in call.arguments), "")
    outcome = Outcome.OK if text else Outcome.EMPTY
    return Observation(call_id=call.call_id, text=text, images=(), outcome=outcome)


@pytest.mark.parametrize(
    ("policy", "search"),
    [(one_text_search(), "web_search"), (one_image_search(), "visual_search")],
)
def test_one_search_reads_on_until_a_page_says_what_is_asked(policy, search):
    calls, answer = played(policy, TASK, pages=MUTE)
    assert [name for name, _ in calls] == [search, "visit", "visit"]
    assert answer == "210"


def test_one_search_reads_no_third_page():
    hits = HITS.replace("2. Alund", "2. Other\n   https://w.org/none\n3. Alund")
    calls, answer = played(one_text_search(), TASK, hits=hits, pages=MUTE)
    assert [name for name, _ in calls] == ["web_search", "visit", "visit"]
    assert answer is None


def test_one_search_stops_where_nothing_is_found():
    assert [name for name, _ in played(one_text_search(), TASK, hits="")[0]] == ["web_search"]


def test_without_a_picture_no_picture_is_searched_for():
    assert played(one_image_search(), Task(text=RIVER, images=())) == ([], None)


@pytest.mark.parametrize("policy", [one_image_search(), one_text_search(), TextOnly()])
def test_whoever_is_told_that_a_turn_was_neither_call_nor_answer_gives_up_again(policy):
    session, task = policy.begin(1), Task(text=RIVER, images=())
    silent = Turn(text="I could not find the answer.", calls=(), observations=())
    views = [
        EpisodeView(task, turns, (), Remaining(2, 2), warning, lambda n: b"")
        for turns, warning in (((), None), ((silent,), "neither"))
    ]
    asyncio.run(session.act(views[0]))
    turn = asyncio.run(session.act(views[1]))
    assert (turn.calls, extract_answer(turn.text)) == ((), None)


def test_the_whole_question_is_searched_for_as_far_as_the_tool_takes_it():
    ((_, query),) = played(one_text_search(), Task(text="a" * 3_000, images=()), hits="")[0]
    assert query == '{"query": "' + "a" * 1_000 + '"}'


def test_text_only_follows_the_statements_from_a_hit_and_never_looks():
    calls, answer = played(TextOnly(), Task(text=RIVER, images=()))
    assert answer == "210"
    assert {name for name, _ in calls} == {"web_search", "visit"}
    assert "<image" not in "".join(arguments for _, arguments in calls)


def test_text_only_begins_again_at_the_next_hit():
    hits = HITS.replace("1. Alund\n", "1. Nowhere\n   https://w.org/nowhere\n2. Alund\n")
    calls, answer = played(TextOnly(), Task(text=RIVER, images=()), hits=hits)
    assert any("nowhere" in arguments for _, arguments in calls)
    assert answer == "210"


def test_equal_seeds_act_equally():
    assert played(TextOnly(), TASK) == played(TextOnly(), TASK)
