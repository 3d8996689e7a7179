"""Which of the usable clues a question takes."""

from collections.abc import Sequence
from random import Random

from hopsight.chains.clues import descriptors
from hopsight.chains.walker import Walker
from hopsight.reference.generator import verbalise
from hopsight.steps.text import leaked
from hopsight.types import Clue, EvidenceNode

ORNAMENT_CHANCE = 0.35
"""How often a clue that is unique without a descriptor gets one all the same."""


def choose_clue(
    walker: Walker,
    before: EvidenceNode,
    node: EvidenceNode,
    asked: str | None,
    names: Sequence[str],
    rng: Random | None,
) -> Clue | tuple[str, str]:
    """A clue that leads to `node` without naming anything, or the reason why there is none.

    `asked` is the attribute that the question asks of this node, which no clue may tell; `names`
    must not stand in it. `rng` draws among the usable ones; the vaguest is taken where it is None.
    """
    old = verbalise.clue_of(node)
    options = walker.clues.options(before.page_id, node.page_id, old.relation, old.inverse)
    if options.reason is not None:
        return options.reason, node.title
    allowed = [
        clue
        for clue in options.clues
        if all(each.attribute != asked for each in clue.constraints)
        and not names_a_node(clue, names)
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


def names_a_node(clue: Clue, names: Sequence[str]) -> bool:
    """Whether a value in a clue gives one of the names away, in any inflection that is known."""
    return any(each.value is not None and leaked(each.value, names) for each in descriptors(clue))
