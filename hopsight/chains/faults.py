"""What is wrong with a chain, or with the question that it asks: the gates that need no model."""

from collections.abc import Sequence

from hopsight.chains.necessity import unneeded_hop
from hopsight.leak import leaks
from hopsight.reference.generator import problems, verbalise
from hopsight.steps.text import leaked
from hopsight.types import EvidenceChain, PageImage, Question
from hopsight.unique import FactIndex, World


def chain_fault(
    index: FactIndex, chain: EvidenceChain, *, hop_necessity: bool = True
) -> tuple[str | None, str]:
    """The reason why an unnamed chain makes no sound question, or None, and the case.

    `hop_necessity` off is for ablations alone.
    """
    clues = [verbalise.clue_of(node) for node in chain.nodes[1:]]
    for before, node, clue in zip(chain.nodes, chain.nodes[1:], clues, strict=False):
        fits = index.fitting(before.page_id, clue)
        if fits != {node.page_id}:
            return "not_unique", f"{len(fits)} fit the clue of {node.title}"
    blank = unneeded_hop(index, chain, clues) if hop_necessity else None
    if blank is not None:
        return "hop_not_needed", f"the answer stands without the way to {blank}"
    return None, ""


def unsayable(world: World, chain: EvidenceChain) -> list[str]:
    """What a question may not say: every name of its nodes, and the answer in every form."""
    names = [name for node in chain.nodes for name in world.names(node.page_id)]
    return [*names, chain.answer, *chain.answer_aliases]


def inflected_leaks(
    world: World, chain: EvidenceChain, text: str, answers: Sequence[str]
) -> tuple[tuple[str, list[str]], ...]:
    """What words give away as it is, with an ending, or as an adjective of a place, by reason."""
    names = [name for node in chain.nodes for name in world.names(node.page_id)]
    return (("answer_in_question", leaked(text, answers)), ("name_leak", leaked(text, names)))


def text_fault(
    world: World, question: Question, chain: EvidenceChain, picture: PageImage | None
) -> tuple[str | None, str]:
    """Why a final question gives something away or lacks evidence, or None, and the case.

    `picture` is what the wiki knows of the question's picture, None where that is nothing.
    """
    answer = (chain.answer, *chain.answer_aliases)
    drawn = "" if picture is None else " ".join(picture.text)
    others = [name for node in chain.nodes[1:] for name in world.names(node.page_id)]
    gates = (
        ("answer_in_question", leaks(question.text, answer)),
        ("name_leak", leaks(question.text, [*world.names(chain.nodes[0].page_id), *others])),
        ("answer_in_picture", leaks(drawn, answer)),
        ("name_leak", leaks(drawn, others)),
        ("evidence_not_found", problems(world, chain)),
    )
    for reason, found in gates:
        if found:
            return reason, "; ".join(found[:3])
    return None, ""
