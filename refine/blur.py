"""Blur(M, W): M nodes on the way are told by W facts each, and no longer by their relation [OPD].

The source has the name disappear; here names are gone already, so the relation disappears too
[ours]: "that city has to do with a river that …". Whoever solves it must look at everything that
the entity before is linked with, and hold each against the facts.
"""

from functools import partial
from random import Random

from hopsight.chains import Framed, changed, unsayable
from hopsight.chains.choosing import names_a_node
from hopsight.chains.walker import Walker
from hopsight.reference.generator import verbalise
from hopsight.types import Clue, EvidenceChain
from refine.operator import Fault, operated

STAGE = "blurred_questions"
OPERATOR = "blur"
BEST = 4
"""Clues that are drawn from, of those that leave the most to look at."""


def blurred_questions(
    walker: Walker, entered: Framed, *, nodes: int, facts: int, seed: int
) -> Framed:
    """Each question with exactly `nodes` interior nodes blurred, by `facts` facts each.

    Reasons: too_few_interior_nodes, too_few_blurrable_nodes (with what stood against the others),
    and those of the static gates.
    """
    blur = partial(_blur, walker, nodes, facts, seed)
    return operated(walker, entered, OPERATOR, STAGE, blur, seed)


def _blur(
    walker: Walker, count: int, facts: int, seed: int, chain: EvidenceChain, key: str
) -> EvidenceChain | Fault:
    interior = list(range(1, len(chain.nodes) - 1))
    if len(interior) < count:
        return Fault("too_few_interior_nodes", f"{len(interior)} of {count}", settled=True)
    rng = Random(f"{seed}|{key}")
    # A weighted order without replacement (Efraimidis and Spirakis): mostly where the relation
    # helped most, elsewhere on some later draw, for a gate may stand against the first.
    weights = [1 + _more_candidates(walker, chain, position) for position in interior]
    keys = {p: rng.random() ** (1 / w) for p, w in zip(interior, weights, strict=True)}
    interior.sort(key=lambda position: -keys[position])
    names = unsayable(walker.world, chain)
    found: dict[int, Clue] = {}
    against: list[str] = []
    for position in interior:
        before, node = chain.nodes[position - 1], chain.nodes[position]
        options = walker.clues.blurred(before.page_id, node.page_id, facts)
        usable = [clue for clue in options.clues if not names_a_node(clue, names)]
        if usable:
            found[position] = rng.choice(usable[:BEST])
        else:
            against.append(f"{node.title}: {options.reason or 'gives a name away'}")
        if len(found) == count:
            return _with_clues(chain, found)
    return Fault("too_few_blurrable_nodes", "; ".join(against), settled=True)


def _more_candidates(walker: Walker, chain: EvidenceChain, position: int) -> int:
    """How many more entities must be looked at where the relation to a node is hidden."""
    before, node = chain.nodes[position - 1], chain.nodes[position]
    old = verbalise.clue_of(node)
    told = changed(old, constraints=walker.clues.base(node.page_id))
    hidden = walker.clues.candidates(before.page_id, node.page_id)
    return max(0, len(hidden) - len(walker.index.fitting(before.page_id, told)))


def _with_clues(chain: EvidenceChain, clues: dict[int, Clue]) -> EvidenceChain:
    """The chain with other clues at some positions."""
    nodes = tuple(
        changed(node, clue=clues[position]) if position in clues else node
        for position, node in enumerate(chain.nodes)
    )
    return changed(chain, nodes=nodes)
