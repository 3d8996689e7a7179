import pytest

from tests.checker.grammar import Reading, UnreadableError, read_question
from tests.checker.solve import Condition, Step
from tests.checker.words import contains, same

KINDS = {"lake": {"body of water"}, "print": {"artwork", "book"}}
RIVER = "The river whose board is shown in the image"


def read(text: str) -> Reading:
    (reading,) = read_question(text, KINDS)
    return reading


def step(relation: str, *conditions: Condition, inverse: bool = False) -> Step:
    return Step(relation, inverse, frozenset(conditions))


def test_a_question_is_read_hop_by_hop():
    reading = read(
        f"{RIVER} flows into a lake that covers between 1,200 and 2,000.5 square kilometres and "
        "whose greatest depth is between 10 and 20 metres. "
        "On the shore of that lake lies a certain city. In what year was that city founded?"
    )
    area = Condition("area_km2", low=1200, high=2000.5, unit="km2")
    depth = Condition("max_depth_m", low=10, high=20, unit="m")
    lake = (Condition("infobox", "body of water"), Condition("kind", "lake"))
    assert reading == Reading(
        "river",
        (
            step("mouth", *lake, area, depth),
            step("water", Condition("infobox", "settlement"), inverse=True),
        ),
        "founded",
    )


def test_years_before_our_era_are_negative():
    reading = read(
        f"On the banks of {RIVER[0].lower()}{RIVER[1:]} lies a city that was founded between "
        "350 BC and 300 BC. In which country does that city lie?"
    )
    founded = Condition("founded", low=-350, high=-300, unit="year")
    assert founded in reading.steps[0].conditions


def test_two_of_a_kind_in_a_row_have_to_be_told_apart():
    told = f"{RIVER} feeds another river. Into what does that other river flow?"
    assert read(told).steps == (step("tributary_of", Condition("infobox", "river")),)
    for mixed in (told.replace("another", "a"), told.replace("other river flow", "river flow")):
        with pytest.raises(UnreadableError):
            read_question(mixed, KINDS)


def test_a_noun_of_two_kinds_gives_two_readings_unless_the_relation_decides():
    start = "The person commemorated on the plaque in the image"
    assert len(read_question(f"{start} is known for a print. Who created that print?", KINDS)) == 1
    asked = f"{start} is known for a print. What is the date of that print, as a year?"
    assert len(read_question(asked, KINDS)) == 2
    made = f"{start} created a print. What is the date of that print, as a year?"
    assert read(made).steps[0].relation == "creator"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is the capital of France?",
        f"{RIVER} flows.",
        f"{RIVER} flows into a lake. What is the area of that lake in square kilometres.",
        f"{RIVER} flows into the lake. What is the area of that lake in square kilometres?",
        f"{RIVER} composed a lake. What is the area of that lake in square kilometres?",
        f"{RIVER} flows into a lake that is nice. What is the area of that lake in square "
        "kilometres?",
        f"{RIVER} flows into a lake. How long is that lake in kilometres?",
    ],
)
def test_what_no_pattern_reads_is_said(text: str):
    with pytest.raises(UnreadableError):
        read_question(text, KINDS)


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("the city of ÓSTBY lies", "Ostby", True),
        ("the Ostbyer lies", "Ostby", False),
        ("near Saint-Denis (France)", "saint denis", True),
        ("between 12,500 and 13,000", "12500", True),
        ("between 12,500 and 13,000", "500", False),
        ("between 33 and 40", "+33", False),
        ("code +33", "+33", True),
        ("a range of 1.5", "5", False),
        ("anything", "", False),
    ],
)
def test_names_are_found_as_whole_words(text: str, name: str, found: bool):
    assert contains(text, name) is found


def test_case_accents_and_separators_do_not_tell_answers_apart_but_signs_do():
    assert same("Łódź", "lodz")
    assert same("1,381", "1381")
    assert not same("-3", "3")
    assert not same("+33", "33")
