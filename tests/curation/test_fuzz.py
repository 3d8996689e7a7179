from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.paths import enumerate_paths
from hopsight.chains import chain_fault
from hopsight.chains.framed import changed
from hopsight.chains.necessity import unneeded_hop
from hopsight.chains.walker import PathRules, Walker
from hopsight.leak import leaks
from hopsight.reference.generator.verbalise import clue_of
from hopsight.types import Constraint
from hopsight.unique import FactIndex
from tests.curation.made import canonical, fuzzed, walker
from tests.worlds import Entity, world


def test_everything_that_entered_is_a_fuzzed_question_or_a_rejection():
    _, framed = fuzzed()
    staged = framed.questions
    assert staged.entered == len(canonical().questions.kept)
    assert staged.entered == len(staged.kept) + len(staged.rejected)
    assert len(staged.kept) > 10


def test_each_clue_leaves_one_entity_given_its_predecessor_and_several_alone():
    snapshot, framed = fuzzed()
    index = FactIndex(snapshot)
    for chain in framed.chains:
        for before, node in zip(chain.nodes, chain.nodes[1:], strict=False):
            clue = clue_of(node)
            assert not clue.named
            assert index.fitting(before.page_id, clue) == {node.page_id}
            assert len(index.surely_described(clue.constraints)) >= 3


def test_no_name_but_the_anchors_is_left_and_the_answer_is_unchanged():
    snapshot, framed = fuzzed()
    by_id = {question.id: question for question in canonical().questions.kept}
    for question, chain in zip(framed.questions.kept, framed.chains, strict=True):
        names = [name for node in chain.nodes[1:] for name in snapshot.names(node.page_id)]
        text = question.text.replace(chain.nodes[0].title, "the anchor")
        assert leaks(text, names) == []
        assert question.answer == by_id[question.parent_id or ""].answer
        assert question.operator == "fuzz"
        assert question.chain_id == chain.id


def test_the_asked_attribute_describes_nothing():
    for chain in fuzzed()[1].chains:
        asked = {each.attribute for each in clue_of(chain.nodes[-1]).constraints}
        assert chain.attribute not in asked


def test_ids_are_those_of_the_changed_records():
    for question, chain in zip(fuzzed()[1].questions.kept, fuzzed()[1].chains, strict=True):
        assert question.id == changed(question).id
        assert chain.id == changed(chain).id == question.chain_id


def town_world(shared):
    """Two picture towns in two countries; with `shared` both lead to rivers of one length."""
    return world(
        Entity("A Town", "settlement", {"country": "A"}, picture=True),
        Entity("B Town", "settlement", {"country": "B"}, picture=True),
        Entity("C Town", "settlement", {"country": "C"}, picture=True),
        Entity("A", "country", mentions=("A Water",)),
        Entity("B", "country", mentions=("B Water",)),
        Entity("C", "country", mentions=("C Water",)),
        Entity("A Water", "river", {"source_country": "A", "length_km": 700}),
        Entity("B Water", "river", {"source_country": "B", "length_km": 700 if shared else 800}),
        Entity("C Water", "river", {"source_country": "C", "length_km": 700}),
    )


def fuzz_all(snapshot, **options):
    rules = PathRules(hops={2: 1.0}, paths=1, hop_necessity=False)
    walker = Walker(snapshot, rules)
    pages = [snapshot.page(i) for i in snapshot.ids() if snapshot.image(i) is not None]
    paths = list(enumerate_paths(walker, pages, (2,)))
    assert paths
    framed = canonical_questions(walker, paths, round="0001")
    return fuzzed_questions(walker, framed, seed=1, **options).questions


def test_an_answer_that_every_anchor_leads_to_needs_no_picture():
    assert fuzz_all(town_world(shared=True)).reasons() == {"hop_not_needed": 3}
    assert fuzz_all(town_world(shared=False)).reasons() == {}


def test_hop_necessity_can_be_switched_off_for_an_ablation():
    assert fuzz_all(town_world(shared=True), hop_necessity=False).reasons() == {}


def test_the_check_names_the_clue_that_fits_several():
    snapshot, framed = fuzzed()
    index = FactIndex(snapshot)
    chain, position = next(
        (chain, position)
        for chain in framed.chains
        for position in range(1, len(chain.nodes))
        if len(index.related(chain.nodes[position - 1].page_id, "borders", inverse=False)) > 1
        and clue_of(chain.nodes[position]).relation == "borders"
    )
    node = chain.nodes[position]
    loose = tuple(each for each in clue_of(node).constraints if each.attribute == "infobox")
    opened = changed(node, clue=changed(clue_of(node), constraints=loose))
    broken = changed(chain, nodes=(*chain.nodes[:position], opened, *chain.nodes[position + 1 :]))
    reason, detail = chain_fault(index, broken)
    assert reason == "not_unique"
    assert node.title in detail


def test_a_node_that_its_own_description_finds_makes_the_way_to_it_unneeded():
    snapshot, framed = fuzzed()
    index = FactIndex(snapshot)
    chain = framed.chains[0]
    last = chain.nodes[-1]
    number = next(fact for fact in snapshot.facts(last.page_id) if fact.number is not None)
    exact = Constraint(
        attribute=number.attribute,
        op="between",
        low=number.number,
        high=number.number,
        unit=number.unit,
    )
    clue = changed(clue_of(last), constraints=(*clue_of(last).constraints, exact))
    pinned = changed(chain, nodes=(*chain.nodes[:-1], changed(last, clue=clue)))
    clues = [clue_of(node) for node in pinned.nodes[1:]]
    assert unneeded_hop(index, pinned, clues) is not None


def test_the_seed_changes_descriptors_and_nothing_else():
    first = fuzzed_questions(walker(), canonical(), seed=1)
    second = fuzzed_questions(walker(), canonical(), seed=2)
    assert [q.id for q in first.questions.kept] == [q.id for q in fuzzed()[1].questions.kept]
    assert {q.text for q in first.questions.kept} != {q.text for q in second.questions.kept}
