"""What a stage gives back: everything that entered it, kept or rejected."""

from collections import Counter
from dataclasses import dataclass
from typing import Generic, TypeVar

from hopsight.types import Record, Rejection

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Staged(Generic[R]):
    """The result of a stage over `entered` records (or attempts, where a stage samples).

    Every input is accounted for: it leads to at least one record in `kept`, or to a rejection.
    """

    entered: int
    kept: tuple[R, ...]
    rejected: tuple[Rejection, ...]

    def reasons(self) -> dict[str, int]:
        """Rejections counted by reason, most frequent first, ties by name."""
        counts = Counter(rejection.reason for rejection in self.rejected)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
