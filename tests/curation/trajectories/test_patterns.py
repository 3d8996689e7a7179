import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.trajectories import Rollouts, pattern_of, spread, teacher_trajectories, variety
from curation.trajectories.patterns import entropy
from curation.verdicts import judge_all
from hopsight.types import ToolCall
from tests.curation.made import grounded, trajectory

QUESTIONS = grounded().questions.kept[:4]
TOOLS = ("web_search", "visit", "visual_search", "zoom_in")


def using(question, names, sample=0):
    """A correct trace that calls these tools."""
    trace = trajectory(question, question.answer, policy="strong", sample=sample, calls=len(names))
    turns = tuple(
        turn.model_copy(update={"calls": (ToolCall(call_id=f"c{n}", name=name, arguments="{}"),)})
        for n, (turn, name) in enumerate(zip(trace.turns, names, strict=True))
    )
    return trace.model_copy(update={"turns": turns})


def test_calls_of_one_tool_in_a_row_are_one_step_of_a_pattern():
    trace = using(QUESTIONS[0], ("visual_search", "visit", "visit", "web_search", "visit"))
    assert pattern_of(trace) == ("visual_search", "visit", "web_search", "visit")


def test_variety_counts_patterns_and_their_bits():
    same = [using(each, ("visit",)) for each in QUESTIONS]
    assert variety(same).pattern_bits == 0
    half = [*same[:2], *(using(each, ("web_search", "visit")) for each in QUESTIONS[2:])]
    found = variety(half)
    assert (found.traces, found.patterns, found.pattern_bits) == (4, 2, 1.0)
    # Begins: 2 visit, 2 web_search. Then visit after web_search twice, and visit is last always.
    assert found.gram_bits == pytest.approx(
        -(3 * 0.2 * math.log2(0.2) + 0.4 * math.log2(0.4)), abs=1e-12
    )
    assert variety([]).gram_bits == 0


def test_a_rarer_pattern_is_taken_where_it_costs_no_more():
    common, rare = ("visual_search", "visit"), ("web_search", "zoom_in")
    choices = [[using(each, common), using(each, rare, 1)] for each in QUESTIONS]
    taken = spread(choices)
    assert Counter(taken) == {0: 2, 1: 2}


def test_the_leanest_stays_where_nothing_is_gained():
    one = [using(QUESTIONS[0], TOOLS[:2]), using(QUESTIONS[0], TOOLS[:2], 1)]
    assert spread([one]) == [0]
    assert spread([]) == []


traces = st.lists(
    st.lists(
        st.lists(st.sampled_from(TOOLS), min_size=1, max_size=4).map(tuple),
        min_size=1,
        max_size=3,
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=30)
@given(traces)
def test_a_choice_is_never_less_varied_than_the_leanest_and_always_the_same(drawn):
    choices = [
        [using(QUESTIONS[0], names, sample) for sample, names in enumerate(each)] for each in drawn
    ]
    taken = spread(choices)
    assert taken == spread(choices)
    chosen = variety(choice[place] for choice, place in zip(choices, taken, strict=True))
    leanest = variety(choice[0] for choice in choices)
    assert chosen.gram_bits >= leanest.gram_bits - 1e-9


@settings(max_examples=30)
@given(st.dictionaries(st.text(max_size=3), st.integers(1, 50), min_size=1, max_size=8))
def test_entropy_lies_between_none_and_even(counts):
    assert -1e-9 <= entropy(counts) <= math.log2(len(counts)) + 1e-9


def chosen(questions, max_extra_calls, extra):
    runs = []
    for question in questions:
        runs.append(using(question, ("visual_search", "visit")))
        runs.append(using(question, ("web_search", "zoom_in", *["zoom_in"] * extra), 1))
    rollouts = Rollouts.of(runs, judge_all(questions, runs), teacher="strong")
    ids = [each.id for each in questions]
    return teacher_trajectories(ids, rollouts, max_extra_calls=max_extra_calls).kept


def test_a_rarer_pattern_may_cost_a_few_calls_and_no_more():
    assert {each.sample for each in chosen(QUESTIONS, 2, extra=2)} == {0, 1}
    assert {each.sample for each in chosen(QUESTIONS, 2, extra=3)} == {0}
    assert {each.sample for each in chosen(QUESTIONS, 0, extra=1)} == {0}


def test_the_order_of_questions_does_not_change_what_is_taken():
    kept = {each.id for each in chosen(QUESTIONS, 2, extra=1)}
    assert {each.id for each in chosen(QUESTIONS[::-1], 2, extra=1)} == kept


def test_a_rarer_pattern_that_repeats_calls_is_not_taken():
    lean = using(QUESTIONS[0], ("visual_search", "visit"))
    other = using(QUESTIONS[1], ("visual_search", "visit"))
    idle = using(QUESTIONS[0], ("web_search", "zoom_in"), 1)
    seen = idle.turns[1].observations[0].model_copy(update={"repeat": True})
    turn = idle.turns[1].model_copy(update={"observations": (seen,)})
    idle = idle.model_copy(update={"turns": (idle.turns[0], turn)})
    runs = [lean, idle, other]
    rollouts = Rollouts.of(runs, judge_all(QUESTIONS, runs), teacher="strong")
    ids = [each.id for each in QUESTIONS[:2]]
    assert teacher_trajectories(ids, rollouts, max_extra_calls=5).kept == (lean, other)
