"""Training and evaluation apart by anchor, picture and answer; SFT and RL apart by question."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from curation.passk_filter import Band
from hopsight.chains.framed import by_id, chain_of
from hopsight.stage import Staged
from hopsight.types import (
    EvidenceChain,
    ImageRef,
    Question,
    Rejection,
    SplitAssignment,
    content_hash,
)

STAGE = "curated_questions"
QUARANTINE = "quarantine"
"""Why a question is out that nobody solved."""


def split_questions(
    questions: Sequence[Question],
    chains: Iterable[EvidenceChain],
    bands: Mapping[str, Band],
    teacher_solved: frozenset[str],
    *,
    eval_share: float,
    rl_share: float,
    seed: int,
    originals: Mapping[str, str] = MappingProxyType({}),
) -> Staged[SplitAssignment]:
    """Assign every question to eval, SFT or RL, or reject it.

    `eval_share` of the anchors are for evaluation alone [ours]. A training question that shares a
    picture or an (answer entity, attribute) with an evaluation question is rejected. Of the rest,
    band some gives `rl_share` to RL and the others to SFT, all goes to SFT, and none goes to SFT
    if the teacher solved it (`teacher_solved`), else to quarantine. `originals` gives for a
    degraded picture the one that it was made from (sha-256), and counts as that one.
    """
    chain_by_id = by_id(chains)
    chain_for = {question.id: chain_of(question, chain_by_id) for question in questions}
    held = _eval_anchors(chain_for.values(), eval_share, seed)
    eval_side = [each for each in questions if _anchor(chain_for[each.id]) in held]
    training = [each for each in questions if _anchor(chain_for[each.id]) not in held]
    pictures = {_original(image, originals) for each in eval_side for image in each.images}
    answers = {_answer_key(chain_for[each.id]) for each in eval_side}
    rejected: list[Rejection] = []
    usable: list[Question] = []
    for question in training:
        chain = chain_for[question.id]
        if any(_original(image, originals) in pictures for image in question.images):
            rejected.append(_reject(question, "picture_in_eval", chain))
            continue
        reason = _refusal(question, chain, answers, bands, teacher_solved)
        if reason is None:
            usable.append(question)
        else:
            rejected.append(_reject(question, reason, chain))
    to_rl = _rl_questions(usable, bands, rl_share, seed)
    kept = [_assign(each, chain_for, bands, "eval") for each in eval_side]
    kept += [
        _assign(each, chain_for, bands, "rl" if each.id in to_rl else "sft") for each in usable
    ]
    return Staged(len(questions), tuple(kept), tuple(rejected))


def _original(image: ImageRef, originals: Mapping[str, str]) -> str:
    return originals.get(image.sha256, image.sha256)


def _reject(question: Question, reason: str, chain: EvidenceChain) -> Rejection:
    detail = f"{chain.attribute} of {chain.nodes[-1].title}"
    return Rejection(record_id=question.id, stage=STAGE, reason=reason, detail=detail)


def _eval_anchors(chains: Iterable[EvidenceChain], share: float, seed: int) -> frozenset[int]:
    """`share` of the anchors, rounded; the choice does not depend on the questions' order."""
    anchors = sorted({_anchor(chain) for chain in chains})
    order = sorted(anchors, key=lambda anchor: content_hash(["eval", seed, anchor]))
    return frozenset(order[: round(share * len(anchors))])


def _rl_questions(
    questions: Sequence[Question], bands: Mapping[str, Band], share: float, seed: int
) -> frozenset[str]:
    frontier = sorted(question.id for question in questions if bands[question.id] == "some")
    Random(f"rl|{seed}").shuffle(frontier)
    return frozenset(frontier[: round(share * len(frontier))])


def _refusal(
    question: Question,
    chain: EvidenceChain,
    eval_answers: set[tuple[int, str]],
    bands: Mapping[str, Band],
    teacher_solved: frozenset[str],
) -> str | None:
    if _answer_key(chain) in eval_answers:
        return "answer_in_eval"
    if bands[question.id] == "none" and question.id not in teacher_solved:
        return QUARANTINE
    return None


def _assign(
    question: Question,
    chains: Mapping[str, EvidenceChain],
    bands: Mapping[str, Band],
    split: str,
) -> SplitAssignment:
    return SplitAssignment.model_validate(
        {
            "question_id": question.id,
            "anchor": _anchor(chains[question.id]),
            "split": split,
            "band": bands[question.id],
        }
    )


def _anchor(chain: EvidenceChain) -> int:
    return chain.nodes[0].page_id


def _answer_key(chain: EvidenceChain) -> tuple[int, str]:
    return (chain.nodes[-1].page_id, chain.attribute)
