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
from hopsight.types import Clue, EvidenceChain
from refine.operator import Fault, operated

STAGE = "blurred_questions"
OPERATOR = "blur"


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
    rng.shuffle(interior)
    names = unsayable(walker.world, chain)
    found: dict[int, Clue] = {}
    against: list[str] = []
    for position in interior:
        before, node = chain.nodes[position - 1], chain.nodes[position]
        options = walker.clues.blurred(before.page_id, node.page_id, facts)
        usable = [clue for clue in options.clues if not names_a_node(clue, names)]
        if usable:
            found[position] = rng.choice(usable)
        else:
            against.append(f"{node.title}: {options.reason or 'gives a name away'}")
        if len(found) == count:
            return _with_clues(chain, found)
    return Fault("too_few_blurrable_nodes", "; ".join(against), settled=True)


def _with_clues(chain: EvidenceChain, clues: dict[int, Clue]) -> EvidenceChain:
    """The chain with other clues at some positions."""
    nodes = tuple(
        changed(node, clue=clues[position]) if position in clues else node
        for position, node in enumerate(chain.nodes)
    )
    return changed(chain, nodes=nodes)
