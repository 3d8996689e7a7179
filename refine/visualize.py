"""Visualize(N, P, Q): N nodes are told by what their pictures show, to be found and read [OPD]."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, islice
from random import Random

from hopsight.chains import Framed, changed, descriptors, unsayable
from hopsight.chains.choosing import names_a_node
from hopsight.chains.walker import Walker
from hopsight.reference.generator import BOOK, verbalise
from hopsight.types import Clue, Constraint, EvidenceChain, EvidenceNode
from hopsight.unique import LINKED, PICTURE
from refine.operator import Fault, operated

STAGE = "visualized_questions"
OPERATOR = "visualize"
_SHARED = frozenset({"a", "an", "the", "colour", "at", "on"})
REASONS = (
    "no_picture",
    "no_visual_facts",
    "picture_not_needed",
    "not_unique",
    "no_usable_descriptor",
)
"""Why a node cannot be told by its picture, from the farthest to the nearest."""
MAX_SETS = 400
"""Sets of phrases that are tried for one node."""


def visualized_questions(
    walker: Walker, entered: Framed, *, nodes: int, facts: int, seed: int
) -> Framed:
    """Each question with `nodes` nodes told by up to `facts` visual facts each.

    They are counted back from the last one, over those that a picture can tell [ours]. A snapshot
    holds one picture a page, so P is 1. The picture must be needed: without its visual facts the
    clue fits several. Where the stated relation leaves one alone it is hidden, and a fact is added
    only to rule out what has no picture. Reasons: no_node_on_the_way; those in REASONS, of which
    the one that came nearest is told with all nodes that were tried; those of the static gates.
    """
    visualize = partial(_visualize, walker, nodes, facts, seed)
    return operated(walker, entered, OPERATOR, STAGE, visualize, seed)


def _visualize(
    walker: Walker, count: int, facts: int, seed: int, chain: EvidenceChain, key: str
) -> EvidenceChain | Fault:
    if len(chain.nodes) < 2:
        return Fault("no_node_on_the_way", chain.nodes[0].title, settled=True)
    rng = Random(f"{seed}|{key}")
    names = unsayable(walker.world, chain)
    nodes = list(chain.nodes)
    against: list[Fault] = []
    shown = 0
    for position in range(len(nodes) - 1, 0, -1):
        asked = chain.attribute if position == len(nodes) - 1 else None
        node = _shown(walker, nodes[position - 1], nodes[position], facts, asked, names, rng)
        if isinstance(node, Fault):
            against.append(node)
            continue
        nodes[position] = node
        shown += 1
        if shown == count:
            return changed(chain, nodes=tuple(nodes))
    worst = max(against, key=lambda fault: REASONS.index(fault.reason))
    return Fault(worst.reason, "; ".join(each.detail for each in against), settled=True)


def _shown(
    walker: Walker,
    before: EvidenceNode,
    node: EvidenceNode,
    facts: int,
    asked: str | None,
    names: Sequence[str],
    rng: Random,
) -> EvidenceNode | Fault:
    """The node told by its picture, or why it cannot be."""
    picture = walker.world.image(node.page_id)
    if picture is None:
        return Fault("no_picture", node.title)
    looks = walker.index.looks(node.page_id)
    if not looks or not BOOK.says_picture(node.infobox):
        return Fault("no_visual_facts", node.title)
    found = _clues(walker, before, node, looks, facts, asked)
    if isinstance(found, Fault):
        return found
    usable = [clue for clue in found if not names_a_node(clue, names)]
    if not usable:
        return Fault("no_usable_descriptor", node.title)
    return changed(node, clue=rng.choice(usable), images=(picture.image,))


def _clues(
    walker: Walker,
    before: EvidenceNode,
    node: EvidenceNode,
    looks: Sequence[str],
    facts: int,
    asked: str | None,
) -> list[Clue] | Fault:
    """Clues in which the picture decides, most visual facts and fewest others first."""
    old = verbalise.clue_of(node)
    base = walker.clues.base(node.page_id)
    ways = dict.fromkeys([(old.relation, old.inverse), (LINKED, False)])
    needed = False
    for relation, inverse in ways:
        for others in _beside(walker, node, old, asked):
            plain = Clue(
                relation=relation, inverse=inverse, constraints=(*base, *others), named=False
            )
            if len(walker.index.fitting(before.page_id, plain)) < 2:
                continue
            needed = True
            found = list(_unique(walker, before, node, plain, looks, facts))
            if found:
                return found
    reason = "not_unique" if needed else "picture_not_needed"
    return Fault(reason, f"{node.title} after {before.title}", settled=True)


def _beside(
    walker: Walker, node: EvidenceNode, old: Clue, asked: str | None
) -> Iterator[tuple[Constraint, ...]]:
    """Facts that may be told beside the picture: none, what the clue told, any other one."""
    told = [each for each in descriptors(old) if each.attribute not in {PICTURE, asked}]
    more = [each for each in walker.clues.facts_of(node.page_id) if each.attribute != asked]
    sets = [(), *((each,) for each in told), tuple(told), *((each,) for each in more)]
    yield from dict.fromkeys(sets)


def _unique(
    walker: Walker,
    before: EvidenceNode,
    node: EvidenceNode,
    plain: Clue,
    looks: Sequence[str],
    facts: int,
) -> Iterator[Clue]:
    """The plain clue with visual facts that leave this node alone, as many as may be told."""
    for size in range(facts, 0, -1):
        some = False
        apart = filter(_say_different_things, combinations(looks, size))
        for chosen in islice(apart, MAX_SETS):
            shows = [Constraint(attribute=PICTURE, op="shows", value=each) for each in chosen]
            clue = changed(plain, constraints=(*plain.constraints, *shows))
            if walker.index.fitting(before.page_id, clue) == {node.page_id}:
                some = True
                yield clue
        if some:
            return


def _say_different_things(phrases: Sequence[str]) -> bool:
    """Whether no two of the phrases share a word: "a white field" tells that there is white."""
    words = [set(phrase.split()) - _SHARED for phrase in phrases]
    return all(not (one & other) for one, other in combinations(words, 2))
