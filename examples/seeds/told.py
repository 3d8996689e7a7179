"""A chain of evidence told as people tell how they solved a question."""

from collections.abc import Callable, Mapping
from typing import Final

from hopsight.chains import changed
from hopsight.reference.generator import verbalise
from hopsight.types import EvidenceChain


def stated(chain: EvidenceChain) -> str:
    """Every step in words of one's own, with the names of both ends."""
    nodes = [
        node if node.clue is None else changed(node, clue=changed(node.clue, named=True))
        for node in chain.nodes
    ]
    *statements, _ = verbalise.sentences(changed(chain, nodes=tuple(nodes)))
    last = f"The {chain.attribute.replace('_', ' ')} of {nodes[-1].title} is {chain.answer}."
    return " ".join([_shows(chain), *statements, last])


def quoted(chain: EvidenceChain) -> str:
    """Every step by the sentence that states it, whatever else that names."""
    said = [_shows(chain)]
    for node in chain.nodes[1:]:
        assert node.hop is not None  # every node after the anchor has its sentence
        said.append(f"The article on {node.hop.title} says: {node.hop.sentence}")
        said.append(f"So we come to {node.title}.")
    answer = chain.answer_evidence
    said.append(f"The article on {answer.title} says: {answer.sentence}")
    return " ".join([*said, f"The answer is {chain.answer}."])


def short(chain: EvidenceChain) -> str:
    """The names alone, in order."""
    names = [node.title for node in chain.nodes]
    return f"From {', then '.join(names)}: {chain.answer}."


TELLINGS: Final[Mapping[str, Callable[[EvidenceChain], str]]] = {
    "stated": stated,
    "quoted": quoted,
    "short": short,
}
"""Ways to tell a chain. Each names every entity."""


def _shows(chain: EvidenceChain) -> str:
    return f"The picture shows {chain.nodes[0].title}."
