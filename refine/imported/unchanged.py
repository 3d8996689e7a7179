"""Imported questions that no operator has taken: their words stand, and pass the last gates too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hopsight.chains import Framed, framed, text_fault
from hopsight.chains.faults import inflected_leaks
from hopsight.types import MAX_REVIEW_TEXT, EvidenceChain, PageImage, Question, Rejection
from hopsight.unique import World
from refine.build_link import OPERATOR

STAGE: Final = "refined_questions"
_DETAIL: Final = 500
"""Characters of a rejection's detail: names come from files of others."""


def unchanged_seeds(world: World, entered: Framed, *, answer_max_tokens: int) -> Framed:
    """Hold questions that kept their imported words against the gates of every final text.

    The others have passed them and go on. What the words say beyond their chain is their file's
    word; whether they give something away is not. Rejections: `question_too_long`,
    `answer_too_long`, `answer_picture` (the wiki has it on the answer's page), `name_leak` and
    `answer_in_question` (inflected, too), and those of `text_fault` over every picture that the
    wiki knows: `answer_in_picture`, a name in it, `evidence_not_found`.
    """
    known = _known_pictures(world, entered)
    kept, rejected = [], []
    for question, chain in entered.pairs:
        fault = None
        if question.operator == OPERATOR:
            fault = _fault(_Given(world, known, answer_max_tokens), question, chain)
        if fault is None:
            kept.append((question, chain))
        else:
            reason, detail = fault
            rejected.append(
                Rejection(
                    record_id=question.id, stage=STAGE, reason=reason, detail=detail[:_DETAIL]
                )
            )
    return framed(len(entered.questions.kept), kept, rejected)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a question is held against; `known` are the wiki's pictures by hash."""

    world: World
    known: Mapping[str, Sequence[PageImage]]
    answer_max_tokens: int


def _known_pictures(world: World, entered: Framed) -> dict[str, list[PageImage]]:
    """Whatever the wiki has of the pictures that imported questions show."""
    imported = (each for each in entered.questions.kept if each.operator == OPERATOR)
    shown = {image.sha256 for question in imported for image in question.images}
    found: dict[str, list[PageImage]] = {}
    for page_id in world.ids() if shown else ():
        for picture in world.images(page_id):
            if picture.image.sha256 in shown:
                found.setdefault(picture.image.sha256, []).append(picture)
    return found


def _fault(given: _Given, question: Question, chain: EvidenceChain) -> tuple[str, str] | None:
    pictures = [each for image in question.images for each in given.known.get(image.sha256, ())]
    last = chain.nodes[-1]
    words = max(len(question.answer.split()), len(chain.answer.split()))
    answers = (question.answer, *question.answer_aliases, chain.answer, *chain.answer_aliases)
    of_answer = [each.file for each in pictures if each.page_id == last.page_id]
    for reason, found, detail in (
        ("question_too_long", len(question.text) > MAX_REVIEW_TEXT, f"{len(question.text)} signs"),
        ("answer_too_long", words > given.answer_max_tokens, f"{words} words"),
        ("answer_picture", len(chain.nodes) > 1 and of_answer, "; ".join(of_answer)),
    ):
        if found:
            return reason, detail
    return _told(given.world, question, chain, answers) or _seen(
        given.world, question, chain, pictures
    )


def _told(
    world: World, question: Question, chain: EvidenceChain, answers: Sequence[str]
) -> tuple[str, str] | None:
    """What the words give away, as it is or inflected."""
    for reason, found in inflected_leaks(world, chain, question.text, answers):
        if found:
            return reason, "; ".join(found[:3])
    return None


def _seen(
    world: World, question: Question, chain: EvidenceChain, pictures: Sequence[PageImage]
) -> tuple[str, str] | None:
    """What stands in the pictures that the wiki knows, and evidence that is not there."""
    for picture in (*pictures, None):
        reason, detail = text_fault(world, question, chain, picture)
        if reason is not None:
            return reason, detail
    return None
