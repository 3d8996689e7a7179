"""What a rollout came upon, or knew, is counted by kind and by rollout."""

import json

import pytest

from curation.search_leaks import SearchLeaks, search_leaks
from hopsight.errors import HopsightError, Outcome
from hopsight.types import Observation, ToolCall, Turn
from tests.curation.made import grounded, trajectory

QUESTION = grounded().questions.kept[0]
NONE = SearchLeaks(rollouts=1, metadata=0, question=0, answer=0)


def turn(seen="nothing of note", *, name="web_search", blocked=None, **arguments):
    call = ToolCall(call_id="c", name=name, arguments=json.dumps(arguments))
    outcome = Outcome.BLOCKED if blocked else Outcome.OK
    observation = Observation(call_id="c", text=seen, images=(), outcome=outcome, blocked=blocked)
    return Turn(text="", calls=(call,), observations=(observation,))


def leaks(*turns):
    rollout = trajectory(QUESTION, "x").model_copy(update={"turns": turns})
    return search_leaks([QUESTION], [rollout])


@pytest.mark.parametrize("rule", ["host:huggingface.co", "name:browsecomp"])
def test_going_for_a_benchmark_is_a_leak_of_metadata(rule):
    assert leaks(turn(blocked=rule)) == SearchLeaks(1, metadata=1, question=0, answer=0)


def test_an_address_of_this_machine_is_no_benchmark():
    assert leaks(turn(blocked="address")) == NONE


@pytest.mark.parametrize(
    "seen",
    [
        turn(f"1. A forum\n   https://example.org\n   Somebody asks: {QUESTION.text}"),
        turn(f"{'Other words. ' * 50}{QUESTION.text.upper()} {'And more. ' * 50}", name="visit"),
        turn("kept from it", blocked="holds_question_and_answer"),
    ],
)
def test_what_holds_the_question_is_a_leak_of_it_shown_or_not(seen):
    assert leaks(turn(), seen) == SearchLeaks(1, metadata=0, question=1, answer=0)


def test_a_query_that_states_the_answer_before_it_was_shown_is_a_leak():
    query = f"is it {QUESTION.answer}?"
    leaked = SearchLeaks(1, metadata=0, question=0, answer=1)
    assert leaks(turn(), turn(query=query)) == leaked
    assert leaks(turn(queries=["other", query])) == leaked
    # What comes back in the same turn was not there when the query was written.
    assert leaks(turn(f"It is {QUESTION.answer}.", query=query)) == leaked


def test_a_query_that_states_what_was_shown_is_none():
    shown = turn(f"It is {QUESTION.answer}.", query="what is it?")
    assert leaks(shown, turn(query=f"is it {QUESTION.answer}?")) == NONE


def test_an_address_states_nothing():
    assert leaks(turn(name="visit", url=f"https://example.org/{QUESTION.answer}")) == NONE


def test_arguments_that_cannot_be_read_state_nothing():
    call = ToolCall(call_id="c", name="web_search", arguments=f'{{"query": "{QUESTION.answer}')
    seen = Observation(call_id="c", text="", images=(), outcome=Outcome.INVALID_ARGS)
    assert leaks(Turn(text="", calls=(call,), observations=(seen,))) == NONE


def test_a_rollout_with_several_leaks_of_a_kind_counts_once():
    leak = turn(blocked="host:hf.co", query=QUESTION.answer)
    assert leaks(leak, leak) == SearchLeaks(1, metadata=1, question=0, answer=1)
    assert search_leaks([QUESTION], []) == SearchLeaks(0, 0, 0, 0)


def test_rollouts_of_an_unknown_question_are_refused():
    with pytest.raises(HopsightError, match="the question is not"):
        search_leaks([], [trajectory(QUESTION, "x")])


def test_the_figures_are_told_under_names_of_their_own():
    assert list(SearchLeaks(9, 1, 2, 3).told().values()) == [1, 2, 3]
