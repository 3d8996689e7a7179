"""What a chain's evidence sentences have to support, in the words in which a question says it."""

from hopsight.reference.generator import verbalise
from hopsight.steps.verify_hop import HopClaim
from hopsight.types import EvidenceChain, EvidenceNode
from hopsight.unique import World
from refine.operator import with_names


def hop_claims(world: World, chain: EvidenceChain) -> list[HopClaim]:
    """Each hop, then the answer: the sentences of the draft (`refine.operator.drafted`)."""
    *statements, asks = verbalise.sentences(with_names(chain))
    hops = zip(chain.nodes, chain.nodes[1:], statements, strict=False)
    claims = [_hop(world, before, node, told) for before, node, told in hops]
    last = chain.nodes[-1]
    answer = HopClaim(
        source=last.title,
        source_names=world.names(last.page_id),
        statement=f"{asks} {chain.answer}.",
        attribute=chain.attribute,
        target=chain.answer,
        target_names=chain.answer_aliases,
        sentence=chain.answer_evidence.sentence,
    )
    return [*claims, answer]


def _hop(world: World, before: EvidenceNode, node: EvidenceNode, told: str) -> HopClaim:
    clue, evidence = verbalise.clue_of(node), node.hop
    assert evidence is not None  # every node after the anchor has its sentence
    return HopClaim(
        source=before.title,
        source_names=world.names(before.page_id),
        statement=told,
        attribute=clue.relation,
        target=node.title,
        target_names=world.names(node.page_id),
        holder="source" if evidence.page_id == before.page_id else "target",
        sentence=evidence.sentence,
    )
