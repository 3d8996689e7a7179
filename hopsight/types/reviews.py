"""Records of what people decided about questions."""

from typing import Annotated, ClassVar, Final, Literal, Self, get_args

from pydantic import AfterValidator, Field, StringConstraints, model_validator
from typing_extensions import override

from hopsight.types.base import Record

ReviewChoice = Literal["accept", "edit", "reject", "withdraw"]
"""`withdraw` takes back what was decided before: the question is undecided again."""

ReviewReason = Literal[
    "chain_inconsistent",
    "evidence_lacking",
    "picture_mismatch",
    "evidence_unused",
    "wrong_answer",
    "several_answers",
    "unclear_wording",
    "unsuitable",
    "other",
]
"""The first four are what a reviewer looks at first [OPD]: the chain, provenance, whether picture
and text go together, and whether the added evidence is used."""

REVIEW_REASONS: Final[tuple[ReviewReason, ...]] = get_args(ReviewReason)

MAX_REVIEW_TEXT: Final = 4_000
"""Characters of an edited question."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


Said = Annotated[str, StringConstraints(max_length=500), AfterValidator(_one_line)]
Name = Annotated[str, StringConstraints(max_length=80), AfterValidator(_one_line)]
Wording = Annotated[str, StringConstraints(max_length=MAX_REVIEW_TEXT), AfterValidator(_one_line)]


class ReviewDecision(Record):
    """What a reviewer decided about one question; of several on one question the last stands.

    `number` counts the decisions of a round from 1, in the order in which they were made; the
    journal gives it. When that was, provenance tells. `text` is the question's new wording, of an
    edit alone. A rejection has a reason; `note` holds what the reviewer said besides.
    """

    kind: ClassVar[str] = "review"
    question_id: Annotated[str, StringConstraints(pattern=r"^q_[0-9a-f]{16}$")]
    number: int = Field(default=1, ge=1)
    decision: ReviewChoice
    reason: ReviewReason | None = None
    note: Said = ""
    text: Wording | None = None
    reviewer: Name = ""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.text is not None) != (self.decision == "edit"):
            raise ValueError("an edit has a new text, and nothing else has one")
        if self.decision == "reject" and self.reason is None:
            raise ValueError("a rejection needs a reason")
        return self

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)
