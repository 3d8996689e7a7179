"""The rule-based verifier: does the snapshot say what a chain says?"""

from hopsight.leak import fold
from hopsight.looks import looks_of
from hopsight.types import Clue, Constraint, Evidence, EvidenceChain, EvidenceNode, Fact
from hopsight.unique import INFOBOX, LINKED, PICTURE, World, holds, infobox_kind


def problems(world: World, chain: EvidenceChain) -> list[str]:
    """What the facts and sentences of the world do not bear out, in words; empty when all holds."""
    found: list[str] = []
    for before, node in zip(chain.nodes, chain.nodes[1:], strict=False):
        found += _hop_problems(world, before, node)
    found += _answer_problems(world, chain)
    return found


def _hop_problems(world: World, before: EvidenceNode, node: EvidenceNode) -> list[str]:
    if node.clue is None or node.hop is None or node.link is None:
        return [f"{node.title}: no clue, evidence or link"]
    found = []
    if not _states_relation(world, before.page_id, node.page_id, node.clue):
        found.append(f"{node.title}: no fact says {node.clue.relation}")
    if not world.linked(before.page_id, node.page_id):
        found.append(f"{node.title}: {before.title} does not link to it")
    for evidence in (node.hop, node.link):
        found += _span_problems(world, evidence)
    for constraint in node.clue.constraints:
        found += _constraint_problems(world, node, constraint)
    return found


def _states_relation(world: World, before: int, node: int, clue: Clue) -> bool:
    if clue.relation == LINKED:
        ends = ((before, node), (node, before))
        return any(
            fact.value_page == value for holder, value in ends for fact in world.facts(holder)
        )
    holder, value = (node, before) if clue.inverse else (before, node)
    return any(
        fact.attribute == clue.relation and fact.value_page == value for fact in world.facts(holder)
    )


def _constraint_problems(world: World, node: EvidenceNode, constraint: Constraint) -> list[str]:
    if constraint.attribute == INFOBOX:
        same = infobox_kind(world.page(node.page_id)) == constraint.value
        return [] if same else [f"{node.title}: is no {constraint.value}"]
    if constraint.attribute == PICTURE:
        seen = _is_seen(world, node, constraint)
        return [] if seen else [f"{node.title}: its picture does not show {constraint.value}"]
    facts = _facts(world, node.page_id, constraint.attribute)
    if not any(holds(constraint, fact) for fact in facts):
        return [f"{node.title}: {constraint.attribute} is not as described"]
    if constraint.evidence is None:
        return [f"{node.title}: no evidence for {constraint.attribute}"]
    return _span_problems(world, constraint.evidence)


def _is_seen(world: World, node: EvidenceNode, constraint: Constraint) -> bool:
    """Whether the page's picture, which the node has to hold, shows what is said of it."""
    picture = world.image(node.page_id)
    if picture is None or picture.image not in node.images:
        return False
    return constraint.value in looks_of(picture.visual_facts)


def _answer_problems(world: World, chain: EvidenceChain) -> list[str]:
    last = chain.nodes[-1]
    values = {fold(fact.value) for fact in _facts(world, last.page_id, chain.attribute)}
    if values != {fold(chain.answer)}:
        return [f"{last.title}: {chain.attribute} is not only {chain.answer}"]
    return _span_problems(world, chain.answer_evidence)


def _span_problems(world: World, evidence: Evidence) -> list[str]:
    page = world.page(evidence.page_id)
    if page.revision != evidence.revision:
        return [f"{page.title}: evidence is of revision {evidence.revision}"]
    if page.text[evidence.start : evidence.end] != evidence.sentence:
        return [f"{page.title}: the evidence sentence does not stand at its span"]
    return []


def _facts(world: World, page_id: int, attribute: str) -> list[Fact]:
    return [fact for fact in world.facts(page_id) if fact.attribute == attribute]
