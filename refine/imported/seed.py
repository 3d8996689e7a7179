"""The bounds of a file of imported questions, and what is wrong with a row."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportLimits:
    """What a file may hold. A row that passes its limits is rejected, a file is refused.

    `row_bytes` bounds a line, `file_bytes` a JSON array, which is read as a whole.
    """

    rows: int = 1_000_000
    row_bytes: int = 96 << 20
    file_bytes: int = 512 << 20
    question_chars: int = 8_000
    answer_chars: int = 2_000
    answers: int = 200
    reasoning_chars: int = 100_000
    pictures: int = 16


class BadRow(Exception):  # noqa: N818 -- data, not a failure: it becomes a rejection
    """A row that is no seed: a short constant, and the case in words."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
