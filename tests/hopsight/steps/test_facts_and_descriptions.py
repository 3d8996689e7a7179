import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.steps import DESCRIBE_ENTITY, EXTRACT_FACTS, JUDGE_UNIQUENESS
from hopsight.steps.describe_entity import Description
from hopsight.steps.extract_facts import PageText, StatedFact, StatedFacts
from hopsight.steps.judge_uniqueness import Candidate, Fitting
from hopsight.types import Constraint
from tests.hopsight.steps.samples import DESCRIBED, candidates, entity, page_text, wrong


def stated(*facts):
    return StatedFacts(
        facts=tuple(StatedFact(attribute=a, value=v, sentence=n) for a, v, n in facts)
    )


def test_the_rules_extract_every_fact_that_a_sentence_states():
    page = page_text("Boria City")
    found = EXTRACT_FACTS.reference(page).facts
    assert {(fact.attribute, fact.value) for fact in found} == {
        ("country", "Boria"),
        ("river", "Boria Water"),
        ("founded", "1237"),
    }
    assert all(fact.value in page.sentences[fact.sentence - 1] for fact in found)


def test_the_rules_extract_the_wanted_attributes_only_and_nothing_without_evidence():
    found = EXTRACT_FACTS.reference(page_text("Boria City", attributes=("founded",))).facts
    assert [fact.attribute for fact in found] == ["founded"]
    assert EXTRACT_FACTS.reference(page_text("Boria City", known=False)).facts == ()


def test_a_number_is_given_as_its_sentence_writes_it():
    known = next(fact for fact in page_text("Cestan").known if fact.attribute == "area_km2")
    sentence = "It covers 4,000.5 km²."
    evidence = known.evidence.model_copy(update={"sentence": sentence})
    fact = known.model_copy(update={"value": "4000.50", "number": 4000.5, "evidence": evidence})
    page = PageText(title="Cestan", sentences=(sentence,), known=(fact,))
    assert EXTRACT_FACTS.reference(page) == stated(("area_km2", "4000.5", 1))
    assert not wrong(EXTRACT_FACTS, page, stated(("area_km2", "4000.5", 1)))


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ([("founded", "1237", 9)], "no sentence 9"),
        ([("founded", "1237", 0)], "no sentence 0"),
        ([("founded", "237", 3)], "does not stand"),
        ([("area", "1237", 3)], "not one of those asked for"),
        ([("founded", "1237", 3), ("founded", "1237", 3)], "twice"),
    ],
)
def test_a_fact_that_its_sentence_does_not_bear_out_is_refused(facts, problem):
    page = page_text("Boria City", attributes=("founded",))
    assert problem in wrong(EXTRACT_FACTS, page, stated(*facts))
    assert not wrong(EXTRACT_FACTS, page, stated(("Founded", "1237", 3)))


@given(st.text(max_size=20), st.text(min_size=1, max_size=20), st.integers(-2, 9))
def test_no_fact_makes_its_check_crash(attribute, value, sentence):
    page = page_text("Boria City")
    wrong(EXTRACT_FACTS, page, stated((f"a{attribute}", value, sentence)))


def test_the_rules_describe_by_the_phrases_of_the_generator_and_name_nothing():
    said = DESCRIBE_ENTITY.reference(entity("Boria"))
    fact = entity("Boria").facts[said.used[0] - 1]
    assert fact.attribute == "area_km2"
    assert said.text.startswith("a country ")
    assert "3,000" in said.text
    two = DESCRIBE_ENTITY.reference(entity("Boria", use=2))
    assert len(two.used) == 2
    assert " and " in two.text


def test_the_rules_pass_over_a_fact_whose_phrase_would_give_a_name_away():
    said = DESCRIBE_ENTITY.reference(entity("Boria", avoid=("Boria", "4,000")))
    assert entity("Boria").facts[said.used[0] - 1].attribute == "driving_side"


def test_a_description_that_cannot_have_enough_facts_fails_its_check():
    asked = entity("Boria", use=8)
    assert "8 are wanted" in wrong(DESCRIBE_ENTITY, asked, DESCRIBE_ENTITY.reference(asked))


def described(text, *used):
    return Description(text=text, used=used)


def number_of(attribute):
    facts = entity("Boria").facts
    return next(n for n, fact in enumerate(facts, start=1) if fact.attribute == attribute)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a country of 3,000 square kilometres", None),
        ("a country of between 2,500 and 3,500 square kilometres", None),
        ("a country of 3,000–3,500 square kilometres", None),
        ("a country of 2,900 square kilometres", "does not state"),
        ("a country of between 3,100 and 3,500 square kilometres", "does not state"),
        ("a country of 3,000 square kilometres with 4 rivers", "no fact used says 4"),
        ("a large country", "does not state"),
        ("the Borian country of 3,000 square kilometres", "gives away"),
    ],
)
def test_numbers_of_a_description_are_those_of_its_facts(text, problem):
    found = wrong(DESCRIBE_ENTITY, entity("Boria"), described(text, number_of("area_km2")))
    assert found == "" if problem is None else problem in found


def test_facts_that_do_not_exist_or_stand_twice_are_refused():
    asked = entity("Boria", use=2)
    assert "not one of" in wrong(DESCRIBE_ENTITY, asked, described("a country", 1, 99))
    assert "twice" in wrong(DESCRIBE_ENTITY, asked, described("a country", 1, 1))


@given(st.text(min_size=1, max_size=60), st.lists(st.integers(-1, 12), max_size=4))
def test_no_description_makes_its_check_crash(text, used):
    wrong(DESCRIBE_ENTITY, entity("Boria"), described(f"a{text}", *used))


def judged(candidate, *constraints):
    changes = {"candidate": candidate, "constraints": constraints or DESCRIBED.constraints}
    return JUDGE_UNIQUENESS.reference(DESCRIBED.model_copy(update=changes))


def test_what_is_known_to_differ_does_not_fit_and_what_is_unknown_may():
    left, right, also = (judged(each) for each in candidates("Alund", "Boria", "Dunmark"))
    assert [left.verdict, right.verdict, also.verdict] == ["fits", "differs", "fits"]
    silent = judged(candidates("Boria")[0].model_copy(update={"facts": ()}))
    assert silent.verdict == "unknown"
    assert [left.may_fit, right.may_fit, silent.may_fit] == [True, False, True]


def between(low, high, unit):
    return Constraint(attribute="area_km2", op="between", low=low, high=high, unit=unit)


@pytest.mark.parametrize(
    ("constraint", "verdicts"),
    [
        (between(2500, 3500, "km2"), ["fits", "differs"]),
        (between(2500, 3500, "m"), ["unknown", "unknown"]),
        (Constraint(attribute="infobox", op="is", value="river"), ["differs", "differs"]),
        (Constraint(attribute="depth_m", op="between", low=1, unit="m"), ["unknown", "unknown"]),
    ],
)
def test_ranges_kinds_and_units_are_held_against_the_facts(constraint, verdicts):
    found = [judged(each, constraint).verdict for each in candidates("Boria", "Cestan")]
    assert found == verdicts


def test_one_false_constraint_decides_whatever_else_is_unknown():
    unknown = Constraint(attribute="depth_m", op="between", low=1, unit="m")
    false = Constraint(attribute="driving_side", op="is", value="nowhere")
    assert judged(candidates("Boria")[0], unknown, false).verdict == "differs"


def test_a_reader_is_shown_first_what_the_description_speaks_of():
    """And nothing else where the facts tell all of it."""

    def known(*attributes):
        constraints = tuple(Constraint(attribute=name, op="is", value="x") for name in attributes)
        asked = DESCRIBED.model_copy(
            update={"candidate": candidates("Boria")[0], "constraints": constraints}
        )
        return JUDGE_UNIQUENESS.fill(asked)["known"]

    assert known("driving_side") == "Boria (country): driving side: right"
    silent = known("driving_side", "depth_m")
    assert silent.startswith("Boria (country): driving side: right; ")
    assert "capital: Boria City" in silent


def test_nothing_differs_where_nothing_is_known():
    silent = DESCRIBED.model_copy(update={"candidate": Candidate(title="Boria")})
    assert "nothing is known of Boria" in wrong(
        JUDGE_UNIQUENESS, silent, Fitting(reason="", verdict="differs")
    )
    assert not wrong(JUDGE_UNIQUENESS, silent, Fitting(reason="", verdict="unknown"))
    assert not wrong(JUDGE_UNIQUENESS, DESCRIBED, Fitting(reason="", verdict="differs"))
