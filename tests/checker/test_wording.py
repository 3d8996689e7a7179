import pytest

from tests.checker.solve import Condition, Riddle, Step
from tests.checker.wording import wording_problems

RIDDLE = Riddle(
    picture="00",
    steps=(
        Step(
            "country", inverse=False, conditions=frozenset({Condition("infobox", value="country")})
        ),
        Step(
            "mouth",
            inverse=True,
            conditions=frozenset(
                {
                    Condition("length", low=12_500, high=None, unit="km"),
                    Condition("kind", value="tidal river"),
                    Condition("founded", low=-300, high=-200, unit="year"),
                }
            ),
        ),
    ),
    ask="population",
)
GOOD = (
    "The city in this photograph lies in a state where a tidal river, longer than 12,500 km and "
    "named between 300 and 200 BC, ends. How many people live there?"
)


def test_a_free_wording_that_keeps_figures_and_words_passes():
    assert wording_problems(GOOD, RIDDLE) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("12,500", "12,600", "no longer says 12500"),
        ("tidal river", "river", "no longer says tidal river"),
        ("300 and", "long ago and", "no longer says 300"),
        ("photograph", "question", "points at no picture"),
        ("there?", "there.", "does not ask one thing"),
        ("ends.", "ends, where?", "does not ask one thing"),
    ],
)
def test_what_a_wording_lost_is_told(old, new, told):
    (problem,) = wording_problems(GOOD.replace(old, new), RIDDLE)
    assert told in problem
