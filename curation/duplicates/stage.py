"""Questions that repeat an earlier one are rejected: by text, by picture, by chain."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from curation.duplicates.near import NearTexts, near_texts
from curation.duplicates.pictures import looks_of
from curation.duplicates.shingles import TextRules
from hopsight.chains.framed import by_id, chain_of
from hopsight.leak import fold
from hopsight.stage import Staged
from hopsight.types import EvidenceChain, Question, Rejection

STAGE: Final = "distinct_questions"

_RULES: Final = TextRules()


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as it is compared. Equal parts mean equal things."""

    question: Question
    text: int
    look: tuple[str, ...]
    answer: str
    goal: tuple[int, str]
    way: object
    relations: object


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was kept so far, by each of the ways in which a question may repeat it."""

    near: Mapping[int, tuple[int, ...]]
    by_text: dict[object, _Asked] = field(default_factory=dict)
    by_picture: dict[object, _Asked] = field(default_factory=dict)
    by_chain: dict[object, _Asked] = field(default_factory=dict)

    def add(self, asked: _Asked) -> None:
        self.by_text[asked.text, asked.look] = asked
        self.by_picture.setdefault(_pictured(asked), asked)
        self.by_chain.setdefault(asked.way, asked)

    def repeated_by(self, asked: _Asked) -> Iterator[tuple[str, _Asked]]:
        """Reasons, the plainest first, each with the question that was there before."""
        same = self.by_text.get((asked.text, asked.look))
        if same is not None:
            yield "duplicate_text", same
        for text in self.near.get(asked.text, ()):
            other = self.by_text.get((text, asked.look))
            if other is not None and _ask_the_same(asked, other):
                yield "near_duplicate_text", other
        pictured = self.by_picture.get(_pictured(asked))
        if pictured is not None and asked.look:
            yield "near_duplicate_picture", pictured
        chained = self.by_chain.get(asked.way)
        if chained is not None:
            yield "duplicate_chain", chained


def drop_duplicates(
    questions: Sequence[Question],
    chains: Iterable[EvidenceChain],
    picture_hash: Callable[[str], int],
    rules: TextRules = _RULES,
) -> Staged[Question]:
    """Keep the first of those that repeat each other, by id; `detail` is the id of that one.

    `picture_hash` gives the perceptual hash of a picture by its sha256. Reasons: `duplicate_text`
    (equal folded text, pictures that look the same), `near_duplicate_text` (nearly equal beside
    the frames, pictures that look the same, and one answer or one goal), `near_duplicate_picture`
    (pictures that look the same, one answer to one attribute by the same relations) and
    `duplicate_chain` (the same entities, relations and attribute).
    """
    ordered = sorted(questions, key=lambda question: question.id)
    texts = near_texts([question.text for question in ordered], rules)
    asked = _compared(ordered, texts, chains, picture_hash)
    kept, rejected = _Kept(texts.neighbours), []
    questions_kept = []
    for each in asked:
        repeated = next(kept.repeated_by(each), None)
        if repeated is None:
            kept.add(each)
            questions_kept.append(each.question)
        else:
            reason, other = repeated
            rejected.append(
                Rejection(
                    record_id=each.question.id,
                    stage=STAGE,
                    reason=reason,
                    detail=other.question.id,
                )
            )
    return Staged(len(questions), tuple(questions_kept), tuple(rejected))


def _compared(
    questions: Sequence[Question],
    texts: NearTexts,
    chains: Iterable[EvidenceChain],
    picture_hash: Callable[[str], int],
) -> list[_Asked]:
    """The questions as they are compared, in the same order."""
    shas = (image.sha256 for question in questions for image in question.images)
    looks = looks_of(shas, picture_hash)
    chain_by_id = by_id(chains)
    return [
        _asked(question, text, looks, chain_of(question, chain_by_id))
        for question, text in zip(questions, texts.same_as.tolist(), strict=True)
    ]


def _asked(question: Question, text: int, looks: dict[str, str], chain: EvidenceChain) -> _Asked:
    clues = [node.clue for node in chain.nodes]
    relations = tuple(None if clue is None else (clue.relation, clue.inverse) for clue in clues)
    entities = tuple(node.page_id for node in chain.nodes)
    return _Asked(
        question=question,
        text=text,
        look=tuple(looks[image.sha256] for image in question.images),
        answer=fold(question.answer),
        goal=(entities[-1], chain.attribute),
        way=(entities, relations, chain.attribute),
        relations=(relations, chain.attribute),
    )


def _pictured(asked: _Asked) -> object:
    return (asked.look, asked.answer, asked.relations)


def _ask_the_same(one: _Asked, other: _Asked) -> bool:
    return one.answer == other.answer or one.goal == other.goal
