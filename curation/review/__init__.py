"""Human review: what people decide about questions, and what becomes of the questions by it.

Decisions are made one after the other and kept in an append-only journal; the last one about a
question stands. A new wording passes the gates that the question's own wording has passed.
"""

from curation.review.apply import OPERATOR, STAGE, apply_decisions, edited
from curation.review.desk import Desk, Refusal
from curation.review.journal import Decisions
from curation.review.queue import review_queue, standing
from curation.review.recheck import Recheck, rechecker
from curation.review.sheet import SheetRow, write_sheet
from curation.review.subjects import Subjects, read_subjects
from curation.review.taking import Fault, Taken, take_sheet

__all__ = [
    "OPERATOR",
    "STAGE",
    "Decisions",
    "Desk",
    "Fault",
    "Recheck",
    "Refusal",
    "SheetRow",
    "Subjects",
    "Taken",
    "apply_decisions",
    "edited",
    "read_subjects",
    "rechecker",
    "review_queue",
    "standing",
    "take_sheet",
    "write_sheet",
]
