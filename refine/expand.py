"""Expand(L): the old answer becomes a waypoint, and the question goes on L hops further [OPD]."""

from functools import partial
from random import Random

from hopsight.chains import Answer, Framed, changed, unsayable
from hopsight.chains.choosing import choose_clue
from hopsight.chains.nodes import bare_node
from hopsight.chains.walker import Walker
from hopsight.reference.generator import problems, verbalise
from hopsight.types import Clue, EvidenceChain, EvidenceNode, Hop
from refine.operator import Fault, operated

STAGE = "expanded_questions"
OPERATOR = "expand"


def expanded_questions(walker: Walker, entered: Framed, *, hops: int, seed: int) -> Framed:
    """Each question, exactly `hops` hops longer.

    The first new hop leads to the page that the old answer names. Reasons: hop_not_verified (the
    chain as it came is not borne out), answer_not_expandable (a literal), hop_without_evidence,
    no_way_on, no_answer, and those of the static gates.
    """
    expand = partial(_expand, walker, hops, seed)
    return operated(walker, entered, OPERATOR, STAGE, expand, seed)


def _expand(
    walker: Walker, count: int, seed: int, chain: EvidenceChain, key: str
) -> EvidenceChain | Fault:
    untrue = problems(walker.world, chain)
    if untrue:
        return Fault("hop_not_verified", untrue[0], settled=True)
    rng = Random(f"{seed}|{key}")
    first = _to_waypoint(walker, chain, last=count == 1)
    if isinstance(first, Fault):
        return first
    hops = _walk_on(walker, [*hops_of(chain), first], count - 1, rng)
    if isinstance(hops, Fault):
        return hops
    endings, _ = walker.endings(hops)
    if not endings:
        return Fault("no_answer", walker.world.page(hops[-1].target).title)
    return _lengthened(walker, chain, hops[-count:], rng.choice(endings), rng)


def hops_of(chain: EvidenceChain) -> list[Hop]:
    """The hops of a chain, as a walk makes them."""
    pairs = zip(chain.nodes, chain.nodes[1:], strict=False)
    return [_hop(before, node) for before, node in pairs]


def _hop(before: EvidenceNode, node: EvidenceNode) -> Hop:
    clue = verbalise.clue_of(node)
    assert node.hop is not None  # every node after the anchor has its sentences
    assert node.link is not None
    return Hop(
        source=before.page_id,
        target=node.page_id,
        relation=clue.relation,
        inverse=clue.inverse,
        evidence=node.hop,
        link=node.link,
    )


def _to_waypoint(walker: Walker, chain: EvidenceChain, *, last: bool) -> Hop | Fault:
    """The hop from the last entity to the page that the old answer names."""
    terminal = chain.nodes[-1]
    facts = walker.index.facts(terminal.page_id, chain.attribute)
    target = facts[0].value_page if len(facts) == 1 else None
    if target is None:
        told = f"{chain.attribute} of {terminal.title} names no page"
        return Fault("answer_not_expandable", told, settled=True)
    path = tuple(node.page_id for node in chain.nodes)
    usable, refused = walker.steps(path, last=last and len(path) > 1)
    for hop in usable:
        if (hop.target, hop.relation, hop.inverse) == (target, chain.attribute, False):
            return hop
    told = ", ".join(sorted(refused)) or "no link"
    title = walker.world.page(target).title
    return Fault("hop_without_evidence", f"{terminal.title} to {title}: {told}", settled=True)


def _walk_on(walker: Walker, hops: list[Hop], count: int, rng: Random) -> list[Hop] | Fault:
    """`count` more hops, drawn; a dead end is a fault, and the next draw goes elsewhere."""
    for step in range(count):
        path = (hops[0].source, *(hop.target for hop in hops))
        usable, _ = walker.steps(path, last=step == count - 1)
        if not usable:
            return Fault("no_way_on", walker.world.page(path[-1]).title)
        hops = [*hops, walker.draw(usable, rng)]
    return hops


def _lengthened(
    walker: Walker, chain: EvidenceChain, added: list[Hop], answer: Answer, rng: Random
) -> EvidenceChain | Fault:
    """The chain with the new nodes, each with a clue that names nothing."""
    longer = changed(
        chain,
        nodes=(*chain.nodes, *(_node(walker, hop) for hop in added)),
        attribute=answer.attribute,
        answer=answer.value,
        answer_aliases=answer.aliases,
        answer_evidence=answer.evidence,
    )
    names = unsayable(walker.world, longer)
    nodes = list(longer.nodes)
    for position in range(len(chain.nodes), len(nodes)):
        asked = answer.attribute if position == len(nodes) - 1 else None
        clue = choose_clue(walker, nodes[position - 1], nodes[position], asked, names, rng)
        if not isinstance(clue, Clue):
            return Fault(*clue)
        nodes[position] = changed(nodes[position], clue=clue)
    return changed(longer, nodes=tuple(nodes))


def _node(walker: Walker, hop: Hop) -> EvidenceNode:
    clue = Clue(relation=hop.relation, inverse=hop.inverse)
    node = bare_node(walker.world, walker.index, hop.target)
    return changed(node, clue=clue, hop=hop.evidence, link=hop.link)
