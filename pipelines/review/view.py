"""A question as the page gets it: plain values, which the page sets as text and nothing else."""

from collections.abc import Sequence
from typing import Any, Final

from hopsight.chains import chain_of
from hopsight.chains.shown import picture_shown
from hopsight.types import (
    Evidence,
    EvidenceChain,
    EvidenceNode,
    ImageRef,
    Question,
    ReviewDecision,
)
from hopsight.unique import INFOBOX, World
from pipelines.review.material import Material
from pipelines.views import condition

AROUND: Final = 180
"""Characters of its paragraph shown before and after a sentence of evidence."""


def question_view(
    material: Material, question: Question, decision: ReviewDecision | None
) -> dict[str, Any]:
    """The whole of one question."""
    chain = chain_of(question, material.desk.subjects.chains)
    split = material.splits.get(question.id)
    difficulty = material.difficulties.get(question.id)
    return {
        "id": question.id,
        "text": question.text,
        "operator": question.operator,
        "answer": question.answer,
        "aliases": list(question.answer_aliases),
        "asked": f"{chain.attribute.replace('_', ' ')} of {chain.nodes[-1].title}",
        "hops": len(chain.nodes) - 1,
        "difficulty": None if difficulty is None else difficulty.model_dump(mode="json"),
        "split": None if split is None else {"name": split.split, "band": split.band},
        "rates": [
            {"policy": rate.policy, "correct": rate.correct, "graded": rate.graded}
            for rate in material.rates.get(question.id, ())
        ],
        "pictures": [_picture(image) for image in question.images],
        "seen": _seen(material.world, question, chain),
        "steps": _steps(material.world, chain),
        "answer_evidence": _evidence(
            material.world, "states the answer", chain.answer_evidence, (question.answer,)
        ),
        "decision": decision_view(decision),
    }


def decision_view(decision: ReviewDecision | None) -> dict[str, Any] | None:
    """A decision that stands, None where nobody has decided."""
    return None if decision is None else decision.model_dump(mode="json")


def _picture(image: ImageRef) -> dict[str, Any]:
    fields = ("sha256", "width", "height", "source_url", "license", "author")
    return {name: getattr(image, name) for name in fields}


def _seen(world: World, question: Question, chain: EvidenceChain) -> list[str]:
    """What looking at the question's picture makes certain, and the words in it."""
    picture = picture_shown(world, chain.nodes[0].page_id, question.images)
    if picture is None:
        return []
    return [*picture.visual_facts, *(f"reads “{text}”" for text in picture.text)]


def _steps(world: World, chain: EvidenceChain) -> list[dict[str, Any]]:
    before: Sequence[EvidenceNode | None] = (None, *chain.nodes)
    pairs = zip(before, chain.nodes, strict=False)
    return [_step(world, earlier, node) for earlier, node in pairs]


def _step(world: World, before: EvidenceNode | None, node: EvidenceNode) -> dict[str, Any]:
    page = world.page(node.page_id)
    return {
        "title": node.title,
        "kind": node.infobox,
        "url": page.url,
        "clue": None if before is None else _clue(before, node),
        "evidence": [] if before is None else _sentences(world, before, node),
        "images": [_picture(image) for image in node.images] if before is not None else [],
    }


def _clue(before: EvidenceNode, node: EvidenceNode) -> dict[str, Any] | None:
    clue = node.clue
    if clue is None:
        return None
    holder, value = (node, before) if clue.inverse else (before, node)
    told = [condition(each) for each in clue.constraints if each.attribute != INFOBOX]
    return {
        "holder": holder.title,
        "relation": clue.relation.replace("_", " "),
        "value": value.title,
        "conditions": told,
        "named": clue.named,
    }


def _sentences(world: World, before: EvidenceNode, node: EvidenceNode) -> list[dict[str, Any]]:
    """The sentence of the hop, those of conditions, and that of the link where it is another."""
    ends = (before.title, node.title)
    found: list[tuple[str, Evidence | None, tuple[str, ...]]] = [
        ("states the step", node.hop, ends)
    ]
    for each in node.clue.constraints if node.clue else ():
        values = (each.value,) if each.value is not None else ()
        found.append((f"states {each.attribute.replace('_', ' ')}", each.evidence, values))
    if node.link != node.hop:
        found.append(("carries the link", node.link, ends))
    return [_evidence(world, *each) for each in found if each[1] is not None]


def _evidence(
    world: World, role: str, evidence: Evidence | None, marks: tuple[str, ...]
) -> dict[str, Any]:
    """A sentence in its place. `stands` says whether the stored page has it there."""
    assert evidence is not None  # left out before
    page = world.page(evidence.page_id)
    stands = page.revision == evidence.revision
    stands = stands and page.text[evidence.start : evidence.end] == evidence.sentence
    start, end = evidence.start, evidence.end
    return {
        "role": role,
        "sentence": evidence.sentence,
        **_around(page.text if stands else "", start, end),
        "marks": list(marks),
        "title": evidence.title,
        "revision": evidence.revision,
        "span": [start, end],
        "url": page.url,
        "stands": stands,
    }


def _around(text: str, start: int, end: int) -> dict[str, Any]:
    """What stands before and after a span in its paragraph, by whole words, and what is cut."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    after = text[end:].partition("\n")[0]
    cut = [len(before) > AROUND, len(after) > AROUND]
    if cut[0]:
        before = before[-AROUND:].partition(" ")[2]
    if cut[1]:
        after = after[:AROUND].rpartition(" ")[0]
    return {"before": before, "after": after, "cut": cut}
