"""Which entities a reader has to rule out: those that neither numbers nor grammar decide about."""

import pytest

from curation.wording import rivals
from hopsight.chains.framed import changed
from hopsight.types import Constraint
from hopsight.unique import INFOBOX, FactIndex
from tests.curation import made

WORLD = made.fuzzed()[0]
ALUND = WORLD.by_title("Alund") or 0
COUNTRY = Constraint(attribute=INFOBOX, op="is", value="country")


def area(low, high, unit="km2"):
    return Constraint(attribute="area_km2", op="between", low=low, high=high, unit=unit)


class Knowing:
    """The atlas with more facts about some pages, and nothing about those that are silent."""

    def __init__(self, *more, silent=()):
        self.more, self.silent = more, silent

    def __getattr__(self, name):
        return getattr(WORLD, name)

    def facts(self, page_id):
        if page_id in self.silent:
            return ()
        return (*WORLD.facts(page_id), *(fact for fact in self.more if fact.page_id == page_id))


def to_cestan(*constraints):
    """A chain from Boria to its neighbour Cestan, told with these constraints."""
    chain = next(
        chain
        for chain in made.grounded().chains
        if [node.title for node in chain.nodes[:2]] == ["Boria", "Cestan"]
    )
    node = chain.nodes[1]
    assert node.clue is not None
    clue = changed(node.clue, constraints=(COUNTRY, *constraints))
    return changed(chain, nodes=(chain.nodes[0], changed(node, clue=clue)))


def titles(chain, world=WORLD, kinds=None):
    index = FactIndex(world)
    index.kinds.update(kinds or {})
    return [each.candidate.title for each in rivals(world, index, chain)]


@pytest.mark.parametrize(
    ("constraints", "left"),
    [
        ((), ["Alund", "Dunmark"]),
        ((area(3500, 4500),), []),
        ((area(1900, 4500),), ["Alund"]),
        ((area(None, 4500),), ["Alund"]),
        ((area(3500, None),), ["Dunmark"]),
        ((area(3500, 4500, unit="m"),), ["Alund", "Dunmark"]),
        ((Constraint(attribute="driving_side", op="is", value="right"),), ["Alund", "Dunmark"]),
    ],
)
def test_a_known_number_outside_of_a_range_needs_no_reader_and_words_do(constraints, left):
    assert titles(to_cestan(*constraints)) == left


def test_an_entity_with_two_values_or_none_is_read():
    (known,) = (fact for fact in WORLD.facts(ALUND) if fact.attribute == "area_km2")
    other = changed(known, value="9000", number=9000.0)
    assert titles(to_cestan(area(3500, 4500)), Knowing(other)) == ["Alund"]
    assert titles(to_cestan(area(3500, 4500)), Knowing(silent={ALUND})) == ["Alund"]


def test_a_thing_where_a_person_is_described_needs_no_reader_but_an_unknown_kind_does():
    assert titles(to_cestan(), kinds={ALUND: "person"}) == ["Dunmark"]
    for kind in ("river", "scientist", None):
        assert titles(to_cestan(), kinds={ALUND: kind}) == ["Alund", "Dunmark"]


def test_an_unknown_kind_may_be_a_person_as_well():
    chain = to_cestan()
    person = changed(chain, nodes=(chain.nodes[0], changed(chain.nodes[1], infobox="person")))
    for kind in ("person", "scientist", None):
        assert titles(person, kinds={ALUND: kind}) == ["Alund"]
    assert titles(person) == []


def test_what_a_reader_is_shown_is_the_words_of_the_question_and_what_is_known():
    chain = to_cestan(Constraint(attribute="driving_side", op="is", value="right"))
    first, _ = rivals(WORLD, FactIndex(WORLD), chain)
    assert first.description in {
        "a country that drives on the right",
        "a country whose traffic keeps to the right",
    }
    assert first.candidate.kind == "country"
    assert first.candidate.facts == WORLD.facts(ALUND)


def test_where_more_are_left_than_a_reader_should_read_the_facts_decide(monkeypatch):
    monkeypatch.setattr("curation.wording.candidates.MAX_RIVALS", 2)
    assert titles(to_cestan()) == ["Alund", "Dunmark"]
    monkeypatch.setattr("curation.wording.candidates.MAX_RIVALS", 1)
    assert titles(to_cestan()) == []
