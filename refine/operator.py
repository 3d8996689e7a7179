"""What the operators have in common: each question is kept in its harder form, or rejected."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hopsight.chains import Framed, chain_fault, changed, framed, text_fault
from hopsight.chains.shown import picture_shown
from hopsight.chains.unnaming import unnamed_chain
from hopsight.chains.walker import Walker
from hopsight.reference.generator import BOOK, verbalise
from hopsight.types import EvidenceChain, EvidenceNode, ImageRef, Question, Rejection
from hopsight.unique import World

DRAWS = 8
"""Choices that are tried for one question before it is given up."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a question cannot be made harder in this way: a short constant, and the case.

    `settled` where no other draw would change it.
    """

    reason: str
    detail: str
    settled: bool = False


Operate = Callable[[EvidenceChain, str], EvidenceChain | Fault]
"""Makes a chain harder; the text is a key for what it draws."""


def operated(
    walker: Walker, entered: Framed, operator: str, stage: str, operate: Operate, seed: int
) -> Framed:
    """Every question in its harder form, or why there is none.

    A draw that makes no sound question is followed by the next one, up to `DRAWS`; the last
    failure is told. A chain that still names its nodes, as an imported one does, loses them first.
    """
    made, rejected = [], []
    for question, chain in entered.pairs:
        ready = _unnamed(walker, chain, seed)
        found = (
            ready
            if isinstance(ready, Fault)
            else _first_sound(walker, question, ready, operator, operate)
        )
        if isinstance(found, Fault):
            rejected.append(_rejection(question, stage, found))
        else:
            made.append(found)
    return framed(len(entered.questions.kept), made, rejected)


def _unnamed(walker: Walker, chain: EvidenceChain, seed: int) -> EvidenceChain | Fault:
    if not any(node.clue is not None and node.clue.named for node in chain.nodes):
        return chain
    found = unnamed_chain(walker, chain, seed)
    return found if isinstance(found, EvidenceChain) else Fault(*found)


def _first_sound(
    walker: Walker, question: Question, chain: EvidenceChain, operator: str, operate: Operate
) -> tuple[Question, EvidenceChain] | Fault:
    fault = Fault("no_draw", "")
    for draw in range(DRAWS):
        harder = operate(chain, f"{operator}|{chain.path_id}|{draw}")
        if isinstance(harder, Fault):
            if harder.settled:
                return harder
            fault = harder
            continue
        asked = synthesized(walker, question, harder, operator)
        if asked is None:
            return Fault("no_referring_expression", chain.nodes[0].infobox)
        found = fault_of(walker, asked, harder)
        if found is None:
            return asked, harder
        fault = found
    return fault


def fault_of(walker: Walker, question: Question, chain: EvidenceChain) -> Fault | None:
    """What the static gates find wrong with a question, or None."""
    reason, detail = chain_fault(walker.index, chain)
    if reason is None:
        picture = picture_shown(walker.world, chain.nodes[0].page_id, question.images)
        reason, detail = text_fault(walker.world, question, chain, picture)
    return None if reason is None else Fault(reason, detail)


def with_names(chain: EvidenceChain) -> EvidenceChain:
    """The chain with every entity told by its name."""
    return changed(chain, nodes=tuple(map(_named, chain.nodes)))


def drafted(chain: EvidenceChain) -> str:
    """The first stage of synthesis: what a chain asks, with every entity by its name.

    Its sentences are what the evidence has to support, before descriptions stand in for names;
    whoever checks a question reads it beside the final text.
    """
    return verbalise.question(with_names(chain))


def anchor_words(world: World, chain: EvidenceChain, images: Sequence[ImageRef]) -> str | None:
    """The referring expression for the anchor in a question that shows these pictures.

    What kind of picture it is ("whose flag is shown") is known of that which the wiki leads with.
    None where there are no words for the kind of thing.
    """
    anchor = chain.nodes[0]
    lead = world.image(anchor.page_id)
    if lead is not None and lead == picture_shown(world, anchor.page_id, images):
        return verbalise.anchor_phrase(anchor.infobox, chain.path_id)
    return verbalise.shown_phrase(anchor.infobox)


def synthesized(
    walker: Walker, parent: Question, chain: EvidenceChain, operator: str
) -> Question | None:
    """The second stage: descriptions in place of names. Answer and pictures are the chain's.

    None where there are no words for what the picture shows.
    """
    anchor = anchor_words(walker.world, chain, parent.images)
    if anchor is None:
        return None
    return changed(
        parent,
        text=verbalise.question(chain, anchor),
        answer=chain.answer,
        answer_aliases=chain.answer_aliases,
        chain_id=chain.id,
        parent_id=parent.id,
        operator=operator,
        prompt=BOOK.prompt,
    )


def _named(node: EvidenceNode) -> EvidenceNode:
    return node if node.clue is None else changed(node, clue=changed(node.clue, named=True))


def _rejection(question: Question, stage: str, fault: Fault) -> Rejection:
    return Rejection(
        record_id=question.id, stage=stage, reason=fault.reason, detail=fault.detail[:500]
    )
