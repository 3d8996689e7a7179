"""The decisions of one round as they are made: appended, synced, never changed."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from hopsight.chains import changed
from hopsight.errors import StoreError
from hopsight.store import Journal
from hopsight.store.lock import file_lock
from hopsight.types import ReviewDecision

WAIT_S: Final = 10.0


class Decisions:
    """The journal under `root`/review. Several processes may append: a page, and a sheet."""

    def __init__(self, root: Path, round: str) -> None:
        self.folder = root / "review" / f"round={round}"
        self._round = round
        self._lock = root / "locks" / f"review-{round}.lock"
        # What a person has decided must outlast a power cut.
        self._journal = Journal(self.folder, sync=True)

    def append(self, decisions: Iterable[ReviewDecision]) -> tuple[ReviewDecision, ...]:
        """Write decisions under the next numbers, whatever their own; gives them as written.

        When this returns, they are kept. Raises StoreError, and LockedError where another process
        holds the journal for long.
        """
        written = []
        with file_lock(self._lock, f"the review of round {self._round}", wait_s=WAIT_S):
            last = max(map(int, self._journal.load()), default=0)
            for number, decision in enumerate(decisions, start=last + 1):
                numbered = changed(decision, number=number)
                self._journal.append(f"{number:08d}", numbered.model_dump_json().encode())
                written.append(numbered)
        return tuple(written)

    def load(self) -> tuple[ReviewDecision, ...]:
        """All decisions, in the order in which they were made. Raises StoreError."""
        try:
            return tuple(
                ReviewDecision.model_validate_json(payload)
                for payload in self._journal.load().values()
            )
        except ValidationError as error:
            raise StoreError(
                f"{self.folder} holds what is no review decision",
                "use the version of Hopsight that wrote it, or move the folder away",
            ) from error

    def close(self) -> None:
        """Give the file back; a later decision opens a new one."""
        self._journal.close()
