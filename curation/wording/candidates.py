"""The entities that a clue might also lead to, as far as the facts have not ruled them out."""

from collections.abc import Iterator
from typing import Final

from hopsight.reference.generator import verbalise
from hopsight.reference.generator.attributes import NOUNS, WHO
from hopsight.steps.judge_uniqueness import Candidate, Described
from hopsight.types import Constraint, EvidenceChain, EvidenceNode
from hopsight.unique import FactIndex, World, holds

MAX_RIVALS: Final = 40
"""Where more are left, a reader is not asked: the facts have decided."""


def rivals(world: World, index: FactIndex, chain: EvidenceChain) -> Iterator[Described]:
    """For each clue, every other entity in its relation that a reader has to rule out.

    The facts state of the right one what the clue says, so nobody is asked about it. Two things
    are decided by rule: a rival whose one known number lies outside of a stated range is none,
    nor is a thing where a person is described, or the other way round.
    """
    for step, (before, node) in enumerate(zip(chain.nodes, chain.nodes[1:], strict=False), 1):
        left = _left(index, before, node)
        for page_id in left if len(left) <= MAX_RIVALS else ():
            yield Described(
                description=verbalise.description(chain, step),
                candidate=Candidate(
                    title=world.page(page_id).title,
                    kind=index.kinds[page_id],
                    facts=tuple(world.facts(page_id)),
                ),
                constraints=verbalise.clue_of(node).constraints,
            )


def _left(index: FactIndex, before: EvidenceNode, node: EvidenceNode) -> list[int]:
    """Other pages in the clue's relation that no rule decides about, in ascending order."""
    clue = verbalise.clue_of(node)
    related = sorted(index.related(before.page_id, clue.relation, clue.inverse) - {node.page_id})
    is_who = node.infobox in WHO
    return [
        page_id
        for page_id in related
        if (index.kinds[page_id] not in NOUNS or (index.kinds[page_id] in WHO) == is_who)
        and not any(_is_outside(index, page_id, each) for each in clue.constraints)
    ]


def _is_outside(index: FactIndex, page_id: int, constraint: Constraint) -> bool:
    """Whether the one known value is a number in the constraint's unit outside of its range."""
    if constraint.op != "between":
        return False
    facts = index.facts(page_id, constraint.attribute)
    known = [fact for fact in facts if fact.number is not None and fact.unit == constraint.unit]
    return len(facts) == len(known) == 1 and not holds(constraint, known[0])
