"""What decisions do to questions: out, in other words, or on as they are."""

import logging
from collections.abc import Iterable, Sequence
from typing import Final

from curation.review.queue import standing
from curation.review.recheck import Recheck
from hopsight.chains import by_id, chain_of, changed
from hopsight.stage import Staged
from hopsight.types import (
    EvidenceChain,
    PromptRef,
    Question,
    Rejection,
    ReviewDecision,
    content_hash,
)

log = logging.getLogger(__name__)

STAGE: Final = "probe_results"
"""Where decisions are applied: before probes and rollouts, which so meet the edited wording."""

OPERATOR: Final = "review"


def apply_decisions(
    questions: Sequence[Question],
    chains: Iterable[EvidenceChain],
    decisions: Iterable[ReviewDecision],
    recheck: Recheck,
) -> Staged[Question]:
    """The questions as reviewers want them; the last decision about each counts.

    What nobody decided about goes on as it is. Rejections: `review_rejected`, and `edit_<fault>`
    where a new wording does not pass `recheck`: the reviewer was not content with the old one.
    """
    decided = standing(decisions)
    chain_by_id = by_id(chains)
    kept: list[Question] = []
    rejected: list[Rejection] = []
    for question in questions:
        decision = decided.get(question.id)
        made = question
        if decision is not None:
            outcome = _outcome(question, chain_of(question, chain_by_id), decision, recheck)
            if isinstance(outcome, Rejection):
                rejected.append(outcome)
                continue
            made = outcome
        kept.append(made)
    strangers = len(decided.keys() - {question.id for question in questions})
    if strangers:
        log.warning("event=decisions_without_question n=%d", strangers)
    return Staged(len(questions), tuple(kept), tuple(rejected))


def edited(question: Question, decision: ReviewDecision) -> Question:
    """The question in the words of an edit; its prompt is the decision, by hash.

    Raises ValueError for a decision that is no edit of it.
    """
    if decision.text is None or decision.question_id != question.id:
        raise ValueError(f"{decision.id} is no edit of {question.id}")
    source = PromptRef(
        name="review",
        version=str(ReviewDecision.schema_version),
        sha256=content_hash(decision.model_dump(mode="json")),
    )
    changes = {"text": decision.text, "prompt": source}
    return changed(question, parent_id=question.id, operator=OPERATOR, **changes)


def _outcome(
    question: Question, chain: EvidenceChain, decision: ReviewDecision, recheck: Recheck
) -> Question | Rejection:
    if decision.decision == "reject":
        told = ": ".join(filter(None, (decision.reason, decision.note)))
        return _rejection(question, "review_rejected", told)
    if decision.text is None:
        return question
    fault, detail = recheck(question, chain, decision.text)
    if fault is not None:
        return _rejection(question, f"edit_{fault}", f"{detail} | {decision.text}")
    return edited(question, decision)


def _rejection(question: Question, reason: str, detail: str) -> Rejection:
    return Rejection(record_id=question.id, stage=STAGE, reason=reason, detail=detail)
