"""Fuzzing: every name gives way to a relation and descriptors, one entity at a time.

The checks run over the facts of the whole world: exactly one entity fits each clue given its
predecessor, several fit the description by itself, and no hop can be left out.
"""

from collections.abc import Sequence
from random import Random

from curation.paths import Walker
from hopsight.chains.clues import descriptors
from hopsight.chains.faults import chain_fault
from hopsight.chains.framed import Framed, by_id, chain_of, changed, framed
from hopsight.leak import leaks
from hopsight.reference.generator import BOOK, verbalise
from hopsight.types import Clue, EvidenceChain, EvidenceNode, Question, Rejection

STAGE = "fuzzed_questions"
OPERATOR = "fuzz"
DRAWS = 8
"""Choices of descriptors that are tried before a chain is given up."""

ORNAMENT_CHANCE = 0.35
"""How often a clue that is unique without a descriptor gets one all the same."""


def fuzzed_questions(
    walker: Walker, canonical: Framed, *, seed: int, hop_necessity: bool = True
) -> Framed:
    """Fuzz each canonical question; reasons are those of method.md 3 and 5 (e).

    `hop_necessity` off is for ablations alone.
    """
    chains = by_id(canonical.chains)
    made, rejected = [], []
    for question in canonical.questions.kept:
        chain = chain_of(question, chains)
        fuzzed = _first_sound(walker, chain, seed, hop_necessity=hop_necessity)
        if isinstance(fuzzed, EvidenceChain):
            made.append((_question(question, fuzzed), fuzzed))
            continue
        reason, detail = fuzzed
        rejected.append(Rejection(record_id=question.id, stage=STAGE, reason=reason, detail=detail))
    return framed(len(canonical.questions.kept), made, rejected)


def _first_sound(
    walker: Walker, chain: EvidenceChain, seed: int, *, hop_necessity: bool
) -> EvidenceChain | tuple[str, str]:
    """The first of a few draws of descriptors that passes every check, or why the last failed."""
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
    names = [name for node in nodes for name in walker.world.names(node.page_id)]
    names += [chain.answer, *chain.answer_aliases]
    for position in range(len(nodes) - 1, 0, -1):
        node = nodes[position]
        rng = Random(f"fuzz|{key}|{chain.path_id}|{position}") if key is not None else None
        asked = chain.attribute if position == len(nodes) - 1 else None
        clue = _choose(walker, nodes[position - 1], node, asked, names, rng)
        if not isinstance(clue, Clue):
            return clue
        nodes[position] = changed(node, clue=clue)
    return changed(chain, nodes=tuple(nodes))


def _choose(
    walker: Walker,
    before: EvidenceNode,
    node: EvidenceNode,
    asked: str | None,
    names: Sequence[str],
    rng: Random | None,
) -> Clue | tuple[str, str]:
    old = verbalise.clue_of(node)
    options = walker.clues.options(before.page_id, node.page_id, old.relation, old.inverse)
    if options.reason is not None:
        return options.reason, node.title
    allowed = [
        clue
        for clue in options.clues
        if all(each.attribute != asked for each in clue.constraints)
        and not _names_a_node(clue, names)
    ]
    if not allowed:
        return "no_usable_descriptor", f"every description of {node.title} gives something away"
    return walker.clues.vaguest(allowed) if rng is None else _draw(allowed, rng)


def _draw(allowed: Sequence[Clue], rng: Random) -> Clue:
    """Few descriptors rather than many; an attribute first, then one of its ranges."""
    counts = sorted({len(descriptors(clue)) for clue in allowed})
    count = counts[0]
    if count == 0 and len(counts) > 1 and rng.random() < ORNAMENT_CHANCE:
        count = counts[1]
    of_count = [clue for clue in allowed if len(descriptors(clue)) == count]
    attributes = sorted({_attributes(clue) for clue in of_count})
    chosen = rng.choice(attributes)
    return rng.choice([clue for clue in of_count if _attributes(clue) == chosen])


def _attributes(clue: Clue) -> tuple[str, ...]:
    return tuple(each.attribute for each in descriptors(clue))


def _names_a_node(clue: Clue, names: Sequence[str]) -> bool:
    return any(each.value is not None and leaks(each.value, names) for each in descriptors(clue))


def _question(parent: Question, chain: EvidenceChain) -> Question:
    return changed(
        parent,
        text=verbalise.question(chain),
        chain_id=chain.id,
        parent_id=parent.id,
        operator=OPERATOR,
        prompt=BOOK.prompt,
    )
