"""Records of how traces came to their answers."""

from typing import ClassVar, Literal

from typing_extensions import override

from hopsight.types.base import Record


class ProcessVerdict(Record):
    """What the analyzer found of the way of a trace; each turn has one of the four marks.

    `refused`: no usable answer came back; `infra`: the analyzer could not be reached. Both say
    nothing about the trace and have no marks.
    """

    kind: ClassVar[str] = "process"
    trajectory_id: str
    question_id: str
    outcome: Literal["keep", "reject", "refused", "infra"]
    useful: int
    ineffective: int
    repeats: int
    inconsistent: int
    reason: str
    analyzer: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.trajectory_id,)

    @property
    def vain_share(self) -> float:
        """Turns that repeat or bring nothing, as a share of those that were marked."""
        vain = self.ineffective + self.repeats
        return vain / max(1, vain + self.useful + self.inconsistent)
