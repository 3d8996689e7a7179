import pytest

from hopsight.chains.framed import changed
from hopsight.reference.generator import problems
from tests.curation.made import fuzzed

WORLD, FRAMED = fuzzed()


def test_a_fuzzed_chain_is_borne_out_by_the_snapshot():
    assert FRAMED.chains
    for chain in FRAMED.chains:
        assert problems(WORLD, chain) == []


def broken_answer(chain):
    return changed(chain, answer="something else")


def broken_span(chain):
    evidence = changed(chain.answer_evidence, start=chain.answer_evidence.start + 1)
    return changed(chain, answer_evidence=evidence)


def broken_revision(chain):
    return changed(chain, answer_evidence=changed(chain.answer_evidence, revision=1))


def broken_relation(chain):
    node = changed(chain.nodes[1], clue=changed(chain.nodes[1].clue, relation="nonsense"))
    return changed(chain, nodes=(chain.nodes[0], node, *chain.nodes[2:]))


def broken_constraint(chain):
    clue = chain.nodes[1].clue
    wrong = changed(clue.constraints[0], value="spacecraft")
    node = changed(chain.nodes[1], clue=changed(clue, constraints=(wrong,)))
    return changed(chain, nodes=(chain.nodes[0], node, *chain.nodes[2:]))


def broken_hop(chain):
    node = changed(chain.nodes[1], hop=None)
    return changed(chain, nodes=(chain.nodes[0], node, *chain.nodes[2:]))


@pytest.mark.parametrize(
    ("breaking", "told"),
    [
        (broken_answer, "is not only something else"),
        (broken_span, "does not stand at its span"),
        (broken_revision, "revision"),
        (broken_relation, "no fact says nonsense"),
        (broken_constraint, "is no spacecraft"),
        (broken_hop, "no clue, evidence or link"),
    ],
)
def test_what_the_snapshot_does_not_say_is_told(breaking, told):
    found = problems(WORLD, breaking(FRAMED.chains[0]))
    assert any(told in problem for problem in found), found
