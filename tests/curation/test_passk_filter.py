import pytest

from curation.passk_filter import band, banded_questions, pass_rates
from curation.verdicts import judge_all
from hopsight.errors import HopsightError
from hopsight.types import PassRate, StopReason
from tests.curation.made import grounded, trajectory

QUESTIONS = grounded().questions.kept[:4]
FIRST, SECOND, THIRD, FOURTH = QUESTIONS
LOST = StopReason.INFRA_FATAL


def rollouts(question, answers):
    """One rollout for each answer; "!" is one that infrastructure ended."""
    return [
        trajectory(question, None if answer == "!" else answer, sample=sample, stop=LOST)
        if answer == "!"
        else trajectory(question, answer, sample=sample)
        for sample, answer in enumerate(answers)
    ]


def rates(*groups):
    runs = [run for question, answers in groups for run in rollouts(question, answers)]
    return pass_rates(runs, judge_all(QUESTIONS, runs))


def test_infrastructure_losses_leave_the_denominator_and_are_counted_apart():
    (rate,) = rates((FIRST, [FIRST.answer, "no", "!", "!"]))
    assert (rate.n, rate.graded, rate.correct) == (4, 2, 1)


def test_failed_episodes_stay_in_the_denominator():
    runs = [
        trajectory(FIRST, FIRST.answer),
        trajectory(FIRST, None, sample=1, stop=StopReason.TURN_LIMIT),
        trajectory(FIRST, None, sample=2, stop=StopReason.FATAL),
    ]
    (rate,) = pass_rates(runs, judge_all(QUESTIONS, runs))
    assert (rate.graded, rate.correct) == (3, 1)


def test_a_trajectory_that_was_not_judged_is_not_wrong():
    runs = rollouts(FIRST, [FIRST.answer, "no"])
    (rate,) = pass_rates(runs, judge_all(QUESTIONS, runs[:1]))
    assert (rate.n, rate.graded, rate.correct) == (2, 1, 1)


@pytest.mark.parametrize(
    ("graded", "correct", "expected"),
    [(4, 0, "none"), (4, 1, "some"), (4, 3, "some"), (4, 4, "all"), (1, 1, "all"), (0, 0, None)],
)
def test_bands_follow_the_graded_rollouts(graded, correct, expected):
    rate = PassRate(question_id="q", policy="p", n=4, graded=graded, correct=correct)
    assert band(rate) == expected


def test_every_question_gets_a_band_or_a_reason():
    found = rates((FIRST, [FIRST.answer, "no"]), (SECOND, ["no", "no"]), (THIRD, ["!", "!"]))
    staged, bands = banded_questions(QUESTIONS, found, policy="weak")
    assert bands == {FIRST.id: "some", SECOND.id: "none"}
    assert [question.id for question in staged.kept] == [FIRST.id, SECOND.id]
    assert {rejection.record_id: rejection.reason for rejection in staged.rejected} == {
        THIRD.id: "infrastructure",
        FOURTH.id: "not_rolled_out",
    }


def test_another_policys_rates_say_nothing():
    staged, bands = banded_questions([FIRST], rates((FIRST, ["no"])), policy="strong")
    assert (bands, staged.reasons()) == ({}, {"not_rolled_out": 1})


def test_a_rollout_of_an_unknown_question_is_refused():
    with pytest.raises(HopsightError, match="unknown"):
        judge_all([SECOND], rollouts(FIRST, ["no"]))
