import asyncio

import pytest

from curation.trajectories import Process, Rollouts, process_verdicts, teacher_trajectories
from curation.verdicts import judge_all
from hopsight.errors import Outcome, ProviderError
from hopsight.llm.chat import ChatAnswer, TokenUse
from hopsight.types import ToolCall
from tests.curation.made import grounded, trajectory

QUESTION, OTHER = grounded().questions.kept[:2]
IDS = [QUESTION.id, OTHER.id]


def right(question=QUESTION, *, said=None, **changes):
    """A correct trace whose first observation holds the answer, or what is `said` instead."""
    trace = trajectory(question, question.answer, policy="strong", **changes)
    return told(trace, 0, text=f"It is {question.answer}." if said is None else said)


def told(trace, number, **changes):
    """The trace with one observation changed."""
    turns = list(trace.turns)
    seen = turns[number].observations[0].model_copy(update=changes)
    turns[number] = turns[number].model_copy(update={"observations": (seen,)})
    return trace.model_copy(update={"turns": tuple(turns)})


def choose(*runs, ask_for=lambda _: None, most=0.25):
    rollouts = Rollouts.of(runs, judge_all([QUESTION, OTHER], runs), teacher="strong")
    verdicts = asyncio.run(process_verdicts(rollouts.sound(IDS), ask_for))
    return teacher_trajectories(IDS, rollouts, Process.of(verdicts, most)), verdicts


def reasons(*runs, **how):
    staged, _ = choose(*runs, **how)
    return {each.record_id: each.reason for each in staged.rejected}


def test_a_way_that_led_on_is_kept():
    sound = right(calls=3)
    staged, verdicts = choose(sound)
    assert staged.kept == (sound,)
    assert [(each.outcome, each.useful, each.trajectory_id) for each in verdicts] == [
        ("keep", 3, sound.id)
    ]


def test_an_answer_that_nothing_shown_holds_is_inconsistent():
    guess = right(said="Nothing of the kind.", calls=3)
    assert reasons(guess)[QUESTION.id] == "inconsistent_process"
    sound = right(sample=1, calls=9)
    assert choose(guess, sound)[0].kept == (sound,)


def test_a_trace_that_repeats_itself_is_rejected_though_it_is_right():
    assert reasons(right(calls=8, repeats=2)).get(QUESTION.id) is None
    assert reasons(right(calls=8, repeats=3))[QUESTION.id] == "ineffective_process"
    assert reasons(right(calls=8, repeats=3), most=0.4).get(QUESTION.id) is None


def test_turns_that_bring_nothing_count_as_much():
    empty = right(calls=3)
    for number in (1, 2):
        empty = told(empty, number, outcome=Outcome.EMPTY)
    assert reasons(empty)[QUESTION.id] == "ineffective_process"


def test_only_what_nothing_else_rules_out_is_judged():
    runs = (right(calls=1), told(right(sample=1, calls=2), 1, outcome=Outcome.TRANSIENT))
    _, verdicts = choose(*runs)
    assert [each.trajectory_id for each in verdicts] == [runs[0].id]


def marks(turns, mark="useful", verdict="keep"):
    found = ", ".join(f'{{"turn": {n}, "mark": "{mark}"}}' for n in range(1, turns + 1))
    return f'{{"marks": [{found}], "reason": "as seen", "verdict": "{verdict}"}}'


def asked(answers):
    """Answers for the traces by id: a text, or an error."""

    def ask_for(trajectory_id):
        async def complete(request, sample):
            answer = answers[trajectory_id]
            if isinstance(answer, Exception):
                raise answer
            tokens = TokenUse(prompt=1, completion=1)
            return ChatAnswer(text=answer, finish="stop", model="m", tokens=tokens)

        return complete

    return ask_for


def test_the_analyzer_s_verdict_decides_where_a_model_analyzes():
    first, second = right(calls=2), right(OTHER, calls=2)
    ask_for = asked({first.id: marks(2), second.id: marks(2, verdict="reject")})
    staged, verdicts = choose(first, second, ask_for=ask_for)
    assert staged.kept == (first,)
    assert reasons(first, second, ask_for=ask_for) == {OTHER.id: "ineffective_process"}
    assert [each.reason for each in verdicts] == ["as seen", "as seen"]


def test_an_outage_of_the_analyzer_is_no_bad_process():
    first, second = right(calls=2), right(OTHER, calls=2)
    down = ProviderError("the analyzer is down", "start it")
    ask_for = asked({first.id: marks(2), second.id: down})
    assert reasons(first, second, ask_for=ask_for) == {OTHER.id: "analyzer_failed"}
    with pytest.raises(ProviderError, match="down"):
        choose(first, second, ask_for=asked({first.id: down, second.id: down}))


def test_an_answer_that_cannot_be_used_is_told_as_refused():
    first, second = right(calls=2), right(OTHER, calls=2)
    ask_for = asked({first.id: marks(2), second.id: "I would rather not."})
    staged, verdicts = choose(first, second, ask_for=ask_for)
    assert staged.kept == (first,)
    assert [each.reason for each in staged.rejected] == ["analyzer_refused"]
    assert verdicts[1].outcome == "refused"


def test_of_several_faults_infrastructure_is_told_first():
    down = ProviderError("the analyzer is down", "start it")
    runs = right(calls=2), right(sample=1, calls=3), right(OTHER, calls=2)
    idle = marks(3, verdict="reject")
    ask_for = asked({runs[0].id: down, runs[1].id: idle, runs[2].id: marks(2)})
    assert reasons(*runs, ask_for=ask_for) == {QUESTION.id: "analyzer_failed"}


def test_a_turn_may_call_several_tools():
    trace = right(calls=2)
    extra = ToolCall(call_id="d", name="visit", arguments="{}")
    first = trace.turns[0]
    both = first.model_copy(
        update={
            "calls": (*first.calls, extra),
            "observations": (
                *first.observations,
                first.observations[0].model_copy(update={"call_id": "d"}),
            ),
        }
    )
    trace = trace.model_copy(update={"turns": (both, *trace.turns[1:])})
    assert choose(trace)[0].kept == (trace,)
