import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.steps import BUILD_LINK, VERIFY_HOP
from hopsight.steps.build_link import KnownEntity, LinkedEntities, LinkStep, Route
from hopsight.steps.verify_hop import HopClaim, HopFinding
from tests.hopsight.steps.samples import CLAIM, ROUTE, world, wrong


def linked(start, *entities, clue="a clue"):
    steps = (LinkStep(clue=clue, entity=entity) for entity in entities)
    return LinkedEntities(start=start, steps=tuple(steps))


def test_the_rules_link_known_entities_in_the_order_of_the_reasoning():
    assert BUILD_LINK.reference(ROUTE) == LinkedEntities(
        start="Boria",
        steps=(
            LinkStep(clue="Its capital is Boria City.", entity="Boria City"),
            LinkStep(clue="That city was founded in 1237.", entity="1237"),
        ),
    )


def test_an_entity_goes_by_the_name_that_the_reasoning_uses_and_the_answer_comes_once():
    known = (KnownEntity(title="Boria", names=("Land of Bor",)), KnownEntity(title="Mr. X"))
    route = Route(question="?", answer="X", reasoning="The Land of Bor has X.", known=known)
    assert BUILD_LINK.reference(route).entities == ("Land of Bor", "X")
    named = route.model_copy(update={"known": (known[0], KnownEntity(title="X"))})
    assert BUILD_LINK.reference(named).entities == ("Land of Bor", "X")


def test_a_longer_name_does_not_name_the_shorter_one_in_it():
    route = ROUTE.model_copy(update={"reasoning": "It is Boria City. It was founded in 1237."})
    assert BUILD_LINK.reference(route).entities == ("Boria City", "1237")


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (linked("1237"), "no step"),
        (linked("Boria", "Boria City"), "not the answer"),
        (linked("Boria", "BORIA", "1237"), "twice"),
        (linked("Alund", "1237"), "does not name 'Alund'"),
        (linked("Boria", "1237", clue=" "), "clue of step 1 is empty"),
    ],
)
def test_a_chain_that_the_reasoning_does_not_bear_out_is_refused(found, problem):
    assert problem in wrong(BUILD_LINK, ROUTE, found)
    assert not wrong(BUILD_LINK, ROUTE, linked("Boria", "1237"))


@given(
    st.text(max_size=80), st.text(min_size=1, max_size=8), st.lists(st.text(max_size=8), max_size=4)
)
def test_no_reasoning_makes_the_rules_crash(reasoning, answer, titles):
    known = tuple(KnownEntity(title=title) for title in titles)
    route = Route(question="?", answer=answer, reasoning=reasoning, known=known)
    found = BUILD_LINK.reference(route)
    assert found.entities[-1] == answer
    wrong(BUILD_LINK, route, found)


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("The capital of Boria is Boria City.", "supported"),
        ("Its capital is Boria City.", "supported"),
        ("From there it is ruled: the capital, Boria City.", "supported"),
        ("Boria has a capital.", "not_supported"),
        ("Alund has its capital near Boria City.", "unclear"),
        ("Boria trades with Boria City.", "unclear"),
    ],
)
def test_both_names_or_a_pronoun_and_a_word_for_the_relation_support_it(sentence, verdict):
    claim = CLAIM.model_copy(update={"sentence": sentence})
    assert VERIFY_HOP.reference(claim).verdict == verdict


def test_a_sentence_on_the_targets_page_is_about_the_target():
    claim = HopClaim(
        source="Ostby",
        target="Ada Stone",
        target_names=("Stone",),
        statement="Ada Stone was born in Ostby",
        attribute="birth_place",
        holder="target",
        sentence="She was born in Ostby.",
    )
    assert VERIFY_HOP.reference(claim).verdict == "supported"
    died = claim.model_copy(update={"sentence": "Stone died in Ostby."})
    assert VERIFY_HOP.reference(died).verdict == "not_supported"
    source = claim.model_copy(update={"holder": "source", "sentence": "Stone was born here."})
    assert VERIFY_HOP.reference(source).verdict == "unclear"


def test_the_rules_support_every_relation_that_the_atlas_states_between_pages():
    claims = [
        HopClaim(
            source=fact.evidence.title,
            statement=f"{fact.attribute} of it is {fact.value}",
            attribute=fact.attribute,
            target=fact.value,
            sentence=fact.evidence.sentence,
        )
        for page_id in world().ids()
        for fact in world().facts(page_id)
        if fact.value_page is not None and fact.evidence is not None
    ]
    assert len(claims) > 50
    assert {VERIFY_HOP.reference(claim).verdict for claim in claims} == {"supported"}


def test_a_model_cannot_call_a_hop_supported_whose_sentence_does_not_name_the_other_entity():
    claim = CLAIM.model_copy(update={"sentence": "It has a capital."})
    for verdict, is_fine in (("supported", False), ("unclear", True), ("not_supported", True)):
        found = HopFinding(reason="", verdict=verdict)
        assert (not wrong(VERIFY_HOP, claim, found)) == is_fine


def test_a_reader_is_told_what_a_name_means_that_is_no_title():
    claim = CLAIM.model_copy(
        update={"source_names": ("Boria", "Land of Bor"), "target_names": ("Boria City", "Bor")}
    )

    def names(sentence):
        return VERIFY_HOP.fill(claim.model_copy(update={"sentence": sentence}))["names"]

    assert names("The Land of Bor has its capital in Bor.") == (
        "Land of Bor is Boria; Bor is Boria City"
    )
    assert names("Boria has its capital in Boria City.") == "none"
    assert names("Boria, the Land of Bor, has its capital in Boria City, or Bor.") == "none"
    assert names("It has a capital.") == "none"
