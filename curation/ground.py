"""Grounding: the anchor's name becomes a referring expression for what its picture shows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from curation.looks import Pictures, shared_looks
from curation.pictures import LookedInto, PictureRules, RefusedPicture, ranked_pictures
from hopsight.chains.faults import text_fault
from hopsight.chains.framed import Framed, Pair, by_id, chain_of, changed, framed
from hopsight.reference.generator import verbalise
from hopsight.search.embedder import ImageEmbedder
from hopsight.types import EvidenceChain, PageImage, Question, Rejection
from hopsight.unique import World
from refine.operator import anchor_words

STAGE = "grounded_questions"
OPERATOR = "ground"


def grounded_questions(
    world: World,
    fuzzed: Framed,
    pictures: Pictures,
    *,
    min_picture_px: int = 512,
    embedder: ImageEmbedder | None = None,
) -> Framed:
    """Give each question a picture of its source, never the answer's, and check the final text.

    The source's pictures are ranked (`curation.pictures`), by the `embedder` where there is one;
    the best one with which the final text gives nothing away is shown. Rejections: `no_picture`, a
    kind of picture that has no referring expression, a name or the answer in the text or drawn in
    the picture, evidence that the verifier does not find; of several pictures that will not do the
    reason against the best one counts. Each other picture that was refused is a rejection of its
    own, once for one reason. Raises ProviderError where the embedder fails.
    """
    chains = by_id(fuzzed.chains)
    rules = PictureRules(min_px=min_picture_px)
    seen = LookedInto(pictures, embedder)
    grounder = _Grounder(world, seen, shared_looks(world), rules)
    made: list[Pair] = []
    rejected: list[Rejection] = []
    refused: dict[tuple[str, str, str], Rejection] = {}
    for question in fuzzed.questions.kept:
        found = grounder.ground(question, chain_of(question, chains))
        if found.pair is not None:
            made.append(found.pair)
        else:
            rejected.append(
                Rejection(
                    record_id=question.id, stage=STAGE, reason=found.reason, detail=found.detail
                )
            )
        for each in found.refused:
            row = _of_picture(each)
            refused[row.record_id, row.reason, row.detail] = row
    return framed(len(fuzzed.questions.kept), made, (*rejected, *refused.values()))


@dataclass(frozen=True, slots=True)
class _Found:
    """A question with its picture, or why there is none, and the pictures refused beside that."""

    pair: Pair | None = None
    reason: str = ""
    detail: str = ""
    refused: Sequence[RefusedPicture] = field(default=())


@dataclass(frozen=True, slots=True)
class _Grounder:
    """What every question is grounded by."""

    world: World
    pictures: LookedInto
    shared: Counter[object]
    rules: PictureRules

    def ground(self, question: Question, chain: EvidenceChain) -> _Found:
        anchor = chain.nodes[0]
        candidates = self.world.images(anchor.page_id)
        if not candidates:
            return _Found(reason="no_picture", detail="the anchor has none")
        ranked = ranked_pictures(
            candidates,
            f"{anchor.title}, {anchor.infobox.replace('_', ' ')}",
            self.pictures,
            lead=candidates[0],
            names=self.world.names(anchor.page_id),
            answers=self.world.images(chain.nodes[-1].page_id),
            shared=self.shared,
            rules=self.rules,
        )
        against: list[RefusedPicture] = []
        for picture in ranked.usable:
            pair, fault = self._shown(question, chain, picture)
            if fault is None:
                return _Found(pair, refused=(*against, *ranked.refused))
            against.append(fault)
            if self._is_settled(*pair):
                break
        best, *others = (*against, *ranked.refused)
        return _Found(reason=best.reason, detail=best.detail, refused=others)

    def _shown(
        self, question: Question, chain: EvidenceChain, picture: PageImage
    ) -> tuple[Pair, RefusedPicture | None]:
        """The question asked of one picture, and what speaks against that."""
        anchor = changed(chain.nodes[0], images=(picture.image,))
        grounded = changed(chain, nodes=(anchor, *chain.nodes[1:]))
        words = anchor_words(self.world, grounded, (picture.image,))
        if words is None:
            why = RefusedPicture(picture, "no_referring_expression", anchor.infobox)
            return (question, grounded), why
        final = _question(question, grounded, words)
        reason, detail = text_fault(self.world, final, grounded, picture)
        fault = None if reason is None else RefusedPicture(picture, reason, detail)
        return (final, grounded), fault

    def _is_settled(self, question: Question, chain: EvidenceChain) -> bool:
        """Whether the text is at fault whatever the picture is."""
        return text_fault(self.world, question, chain, None)[0] is not None


def _of_picture(refused: RefusedPicture) -> Rejection:
    picture = refused.picture
    told = f"{picture.file}: {refused.detail}"
    return Rejection(record_id=picture.id, stage=STAGE, reason=refused.reason, detail=told[:500])


def _question(parent: Question, chain: EvidenceChain, anchor: str) -> Question:
    return changed(
        parent,
        text=verbalise.question(chain, anchor),
        images=chain.nodes[0].images,
        chain_id=chain.id,
        parent_id=parent.id,
        operator=OPERATOR,
    )
