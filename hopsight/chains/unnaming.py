"""Taking the names out of a chain: descriptions that lead to one entity each, and only in order."""

from random import Random

from hopsight.chains.choosing import choose_clue
from hopsight.chains.faults import chain_fault, unsayable
from hopsight.chains.framed import changed
from hopsight.chains.walker import Walker
from hopsight.types import Clue, EvidenceChain

DRAWS = 8
"""Choices of descriptors that are tried before a chain is given up."""


def unnamed_chain(
    walker: Walker, chain: EvidenceChain, seed: int, *, hop_necessity: bool = True
) -> EvidenceChain | tuple[str, str]:
    """The chain with clues that name nothing: the first of a few draws that passes every check.

    Else the reason why the last one failed, and the case. `hop_necessity` off is for ablations.
    """
    failure = ("no_usable_descriptor", "")
    for draw in range(DRAWS):
        # The last draw takes the vaguest clues: the least that a text alone can be solved by.
        key = None if draw == DRAWS - 1 else f"{seed}|{draw}"
        fuzzed = _fuzz(walker, chain, key)
        if not isinstance(fuzzed, EvidenceChain):
            return fuzzed
        reason, detail = chain_fault(walker.index, fuzzed, hop_necessity=hop_necessity)
        if reason is None:
            return fuzzed
        failure = (reason, detail)
    return failure


def _fuzz(walker: Walker, chain: EvidenceChain, key: str | None) -> EvidenceChain | tuple[str, str]:
    """The chain with every clue unnamed, from the farthest node toward the anchor."""
    nodes = list(chain.nodes)
    names = unsayable(walker.world, chain)
    for position in range(len(nodes) - 1, 0, -1):
        node = nodes[position]
        rng = Random(f"fuzz|{key}|{chain.path_id}|{position}") if key is not None else None
        asked = chain.attribute if position == len(nodes) - 1 else None
        clue = choose_clue(walker, nodes[position - 1], node, asked, names, rng)
        if not isinstance(clue, Clue):
            return clue
        nodes[position] = changed(node, clue=clue)
    return changed(chain, nodes=tuple(nodes))
