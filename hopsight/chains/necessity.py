"""Hop necessity, executed on the facts: without a hop, the rest must leave several answers."""

from collections.abc import Sequence

from hopsight.types import Clue, Constraint, EvidenceChain, EvidenceNode
from hopsight.unique import INFOBOX, FactIndex


def unneeded_hop(index: FactIndex, chain: EvidenceChain, clues: Sequence[Clue]) -> str | None:
    """The first node that could be found from nothing without losing the answer.

    Node i is replaced by everything that its own description fits (for the anchor: everything of
    its kind, as when the picture is withheld). If the rest of the chain still leads to one
    answer, the way to node i is not needed.
    """
    for position, node in enumerate(chain.nodes):
        start = index.surely_described(_own_description(node))
        reached = index.follow(start, clues[position:])
        if len(index.answers(reached, chain.attribute)) < 2:
            return node.title
    return None


def _own_description(node: EvidenceNode) -> list[Constraint]:
    if node.clue is not None:
        return list(node.clue.constraints)
    return [Constraint(attribute=INFOBOX, op="is", value=node.infobox)]
