"""Judging by a panel: rules first, and an outage is no verdict."""

import asyncio
import json

import pytest

from curation.passk_filter import pass_rates
from curation.verdicts import judge_all, judge_by
from hopsight.errors import HopsightError, ProviderError
from hopsight.judge import JudgeModel, Panel
from hopsight.llm.chat import ChatAnswer, TokenUse
from tests.curation import made

FIRST, SECOND = made.grounded().questions.kept[:2]


def says(verdict: str) -> JudgeModel:
    async def complete(request, sample):
        text = json.dumps({"reason": "because", "verdict": verdict})
        return ChatAnswer(
            text=text, finish="stop", model="m", tokens=TokenUse(prompt=1, completion=1)
        )

    return JudgeModel("m", complete)


def down() -> JudgeModel:
    async def complete(request, sample):
        raise ProviderError("the judge is away", "try later")

    return JudgeModel("m", complete)


def judged(judges, answers):
    """What is judged on one question for each judge, in order."""
    runs = [made.trajectory(q, a) for q, a in zip((FIRST, SECOND), answers, strict=True)]
    panels = dict(zip((FIRST.id, SECOND.id), judges, strict=True))

    def panel_for(question_id):
        judge = panels[question_id]
        return None if judge is None else Panel((judge,))

    return runs, asyncio.run(judge_by([FIRST, SECOND], runs, panel_for))


def test_without_a_panel_rules_judge():
    runs, found = judged((None, None), (FIRST.answer, "something else"))
    assert found.verdicts == judge_all([FIRST, SECOND], runs)
    assert found.unjudged == ()


def test_a_panel_is_asked_only_where_rules_do_not_decide():
    _, found = judged((down(), says("correct")), (FIRST.answer, "the very same thing, in words"))
    assert [each.outcome for each in found.verdicts] == ["correct", "correct"]
    assert found.verdicts[0].judge != found.verdicts[1].judge


def test_an_outage_of_the_judge_leaves_the_answer_unjudged_and_in_no_rate():
    runs, found = judged((down(), None), ("the very same thing, in words", SECOND.answer))
    assert [each.question_id for each in found.verdicts] == [SECOND.id]
    (lost,) = found.unjudged
    assert (lost.record_id, lost.reason) == (runs[0].id, "judge_failed")
    rates = {each.question_id: each for each in pass_rates(runs, found.verdicts)}
    assert (rates[FIRST.id].n, rates[FIRST.id].graded) == (1, 0)


def test_a_trajectory_of_an_unknown_question_is_an_error():
    run = made.trajectory(FIRST, "x")
    with pytest.raises(HopsightError, match="unknown"):
        asyncio.run(judge_by([SECOND], [run], lambda _: None))
