"""Pass rates by operator and by difficulty, over what review and enhancement made of questions."""

import random

from curation.levels import Level, levels_of
from hopsight.chains import changed
from hopsight.types import Difficulty, PassRate
from tests.curation.made import grounded

A, B, C, *_ = grounded().questions.kept
BLURRED = changed(B, operator="blur")
REFINED = [A, BLURRED, C]
EDITED = changed(BLURRED, text="Which?", parent_id=BLURRED.id, operator="review")
WORSE = changed(EDITED, images=(), parent_id=EDITED.id)
GENERATIONS = [A, EDITED, C, WORSE]


def difficulty(question, total):
    return Difficulty(
        question_id=question.id, hops=2, expanded=0, blurred=0, visualized=0, total=total
    )


def rate(question, policy, graded, correct):
    return PassRate(question_id=question.id, policy=policy, n=4, graded=graded, correct=correct)


DIFFICULTIES = [difficulty(A, 2.0), difficulty(BLURRED, 10.0), difficulty(C, 2.0)]
RATES = [
    rate(A, "weak", 4, 3),
    rate(A, "strong", 2, 2),
    rate(C, "weak", 2, 0),
    rate(WORSE, "weak", 4, 1),
]


def test_rates_are_joined_through_every_id_that_a_question_went_on_under():
    assert levels_of(GENERATIONS, REFINED, DIFFICULTIES, RATES) == (
        Level("operator", "blur", 1, {"weak": (4, 1)}),
        Level("operator", "ground", 2, {"strong": (2, 2), "weak": (6, 3)}),
        Level("difficulty", "2", 2, {"strong": (2, 2), "weak": (6, 3)}),
        Level("difficulty", "10", 1, {"weak": (4, 1)}),
    )


def test_what_nothing_is_known_of_is_told_and_not_dropped():
    assert levels_of([], [], [], RATES[:1]) == (
        Level("operator", "unknown", 1, {"weak": (4, 3)}),
        Level("difficulty", "unknown", 1, {"weak": (4, 3)}),
    )


def test_the_order_of_the_records_is_no_matter():
    expected = levels_of(GENERATIONS, REFINED, DIFFICULTIES, RATES)
    rng = random.Random(1)
    lists = [list(each) for each in (GENERATIONS, REFINED, DIFFICULTIES, RATES)]
    for each in lists:
        rng.shuffle(each)
    assert levels_of(*lists) == expected
