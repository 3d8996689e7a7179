from curation.canonical import canonical_questions
from hopsight.chains.framed import changed
from tests.curation.made import canonical, paths, walker


def test_a_canonical_question_names_every_entity_of_its_path():
    framed = canonical()
    assert len(framed.questions.kept) == len(framed.chains) == len(paths())
    for question, chain, path in zip(framed.questions.kept, framed.chains, paths(), strict=True):
        assert all(title in question.text for title in path.titles)
        assert question.answer == chain.answer
        assert (question.operator, question.parent_id, question.images) == ("canonical", None, ())
        assert question.chain_id == chain.id
        assert chain.path_id == path.id
        assert chain.nodes[0].clue is None
        assert all(node.clue and node.clue.named for node in chain.nodes[1:])


def test_a_number_may_be_answered_with_its_unit():
    chains = [chain for chain in canonical().chains if chain.attribute == "length_km"]
    assert chains
    assert f"{chains[0].answer} km" in chains[0].answer_aliases


def test_a_path_whose_answer_is_gone_is_rejected():
    path = changed(paths()[0], attribute="nickname")
    framed = canonical_questions(walker(), [path], round="0001")
    assert framed.questions.kept == ()
    assert framed.questions.reasons() == {"no_answer": 1}
