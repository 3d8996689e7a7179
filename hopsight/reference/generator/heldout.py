"""A second verbaliser, for measurement alone: one nested sentence, asked attribute first.

It says the same chains in other words and in the opposite order, so that a solver that only knows
the first one's sentences can be told from one that understands the question.
"""

from hopsight.reference.generator import attributes
from hopsight.reference.generator import heldout_phrases as phrases
from hopsight.reference.generator.book import Phrasebook, choose
from hopsight.reference.generator.numbers import written
from hopsight.reference.generator.verbalise import (
    description_phrases,
    noun_of,
    relation_phrases,
    said_of,
)
from hopsight.types import Constraint, EvidenceChain, EvidenceNode

BOOK = Phrasebook(
    name="reference/heldout",
    version="2",
    nouns=phrases.NOUNS,
    kind_nouns=attributes.KIND_NOUNS,
    ahead=phrases.AHEAD,
    back=phrases.BACK,
    ranges=phrases.RANGES,
    categories=phrases.CATEGORIES,
    asks=phrases.ASKS,
    anchors=phrases.ANCHORS,
    linked=phrases.LINKED,
    shows=phrases.SHOWS,
)


def question(chain: EvidenceChain) -> str:
    """The question that a grounded chain asks, in the held-out wording."""
    first = chain.nodes[0]
    reference = choose(BOOK.anchors[first.infobox], chain.path_id, "heldout")
    for step, node in enumerate(chain.nodes[1:], start=1):
        reference = _noun_phrase(chain, step, node, reference)
    template = choose(BOOK.asks[chain.nodes[-1].infobox, chain.attribute], chain.path_id, "heldout")
    text = template.format(ref=reference) + "."
    return text[0].upper() + text[1:]


def _noun_phrase(chain: EvidenceChain, step: int, node: EvidenceNode, previous: str) -> str:
    modifier = choose(relation_phrases(BOOK, chain, step), chain.path_id, step, "heldout")
    parts = [_describe(node.infobox, each) for each in said_of(node)]
    head = f"the {noun_of(BOOK, node)}"
    described = ", ".join([head, *parts]) + "," if parts else head
    return f"{described} {modifier.format(prev=previous)}"


def _describe(infobox: str, constraint: Constraint) -> str:
    return description_phrases(BOOK, infobox, constraint)[0].format(
        low=written(constraint.low, constraint.unit),
        high=written(constraint.high, constraint.unit),
        value=constraint.value,
    )
