"""Grounding: the anchor's name becomes a referring expression for what its picture shows."""

from curation.looks import Pictures, look_of, shared_looks
from hopsight.chains.faults import text_fault
from hopsight.chains.framed import Framed, by_id, chain_of, changed, framed
from hopsight.errors import PictureError, StoreError
from hopsight.reference.generator import verbalise
from hopsight.store.images import inspect_picture
from hopsight.types import EvidenceChain, PageImage, Question, Rejection
from hopsight.unique import World

STAGE = "grounded_questions"
OPERATOR = "ground"


def grounded_questions(
    world: World, fuzzed: Framed, pictures: Pictures, *, min_picture_px: int = 512
) -> Framed:
    """Give each question its source's picture, never the answer's, and check the final text.

    Rejections: a missing, ambiguous, small or unreadable picture, a kind of picture that has no
    referring expression, a name or the answer in the text or drawn in the picture, and evidence
    that the verifier does not find.
    """
    chains = by_id(fuzzed.chains)
    looks = shared_looks(world)
    made, rejected = [], []
    for question in fuzzed.questions.kept:
        chain = chain_of(question, chains)
        picture = world.image(chain.nodes[0].page_id)
        reason, detail = _unusable(picture, pictures, min_picture_px)
        if picture is not None and reason is None and looks[look_of(picture)] > 1:
            reason, detail = "ambiguous_picture", "another page has a picture that looks the same"
        if reason is None and picture is not None:
            grounded = _with_picture(chain, picture)
            anchor = verbalise.anchor_phrase(chain.nodes[0].infobox, chain.path_id)
            if anchor is None:
                reason, detail = "no_referring_expression", chain.nodes[0].infobox
            else:
                final = _question(question, grounded, anchor)
                reason, detail = text_fault(world, final, grounded, picture)
                if reason is None:
                    made.append((final, grounded))
        if reason is not None:
            rejected.append(
                Rejection(record_id=question.id, stage=STAGE, reason=reason, detail=detail)
            )
    return framed(len(fuzzed.questions.kept), made, rejected)


def _unusable(picture: PageImage | None, pictures: Pictures, min_px: int) -> tuple[str | None, str]:
    if picture is None:
        return "no_picture", "the anchor has none"
    try:
        _, width, height = inspect_picture(pictures.bytes(picture.image.sha256), picture.file)
    except (StoreError, PictureError) as error:
        return "unreadable_picture", str(error)
    if min(width, height) < min_px:
        return "small_picture", f"{width}×{height}"
    return None, ""


def _with_picture(chain: EvidenceChain, picture: PageImage) -> EvidenceChain:
    anchor = changed(chain.nodes[0], images=(picture.image,))
    return changed(chain, nodes=(anchor, *chain.nodes[1:]))


def _question(parent: Question, chain: EvidenceChain, anchor: str) -> Question:
    return changed(
        parent,
        text=verbalise.question(chain, anchor),
        images=chain.nodes[0].images,
        chain_id=chain.id,
        parent_id=parent.id,
        operator=OPERATOR,
    )
