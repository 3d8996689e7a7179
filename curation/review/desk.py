"""Where decisions are taken in, from a page or a sheet: checked, then kept."""

from dataclasses import dataclass

from curation.review.journal import Decisions
from curation.review.recheck import Recheck
from curation.review.subjects import Subjects
from hopsight.chains import chain_of
from hopsight.types import ReviewDecision


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a decision was not taken: a short constant, and the case in words."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Desk:
    """The questions under review and the journal of what was decided about them."""

    subjects: Subjects
    journal: Decisions
    recheck: Recheck

    def refusal(self, decision: ReviewDecision) -> Refusal | None:
        """Why a decision cannot be taken, None where it can."""
        question = self.subjects.questions.get(decision.question_id)
        if question is None:
            told = f"round {self.subjects.round} has no question {decision.question_id} to review"
            return Refusal("unknown_question", told)
        if decision.text is not None:
            chain = chain_of(question, self.subjects.chains)
            reason, detail = self.recheck(question, chain, decision.text)
            if reason is not None:
                return Refusal(reason, detail)
        return None
