"""Records of what was found out about questions and trajectories, and where they go."""

from typing import ClassVar, Literal

from pydantic import Field
from typing_extensions import override

from hopsight.types.base import Part, Record, Sha256

Dimension = Literal[
    "information_complexity",
    "visual_dependency",
    "shortcut_leakage",
    "verifiability",
    "step_appropriateness",
    "tool_usage_quality",
    "tool_pattern_diversity",
    "capability_requirement",
    "difficulty_match",
    "learning_utility",
]
"""What a trace is diagnosed for: four of every trace, three of SFT, three of RL [ODE]."""

Stage = Literal["none", "seed_entities", "explore", "organize", "curate"]
"""The part of the round's configuration that is at fault."""

TraceLabel = Literal["too_easy", "good_match", "too_hard", "fake_hard", "infra_failure"]


class Verdict(Record):
    """A judge's finding on one trajectory."""

    kind: ClassVar[str] = "verdict"
    trajectory_id: str
    question_id: str
    outcome: Literal["correct", "incorrect", "no_answer", "abstain", "infra"]
    rationale: str
    judge: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.trajectory_id,)


class PassRate(Record):
    """How often one policy answers one question. `graded` leaves out infrastructure losses."""

    kind: ClassVar[str] = "pass"
    question_id: str
    policy: str
    n: int
    graded: int
    correct: int

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)


class ProbeResult(Record):
    """One executed probe; `solved` True means that the shortcut works and the question is out."""

    kind: ClassVar[str] = "probe"
    question_id: str
    probe: str
    answer: str | None
    solved: bool
    detail: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)


class Rejection(Record):
    """Why a record did not go on. `reason` is a short constant, `detail` names the case."""

    kind: ClassVar[str] = "rej"
    record_id: str
    stage: str
    reason: str
    detail: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.record_id,)


class SplitAssignment(Record):
    """Where a curated question goes and why."""

    kind: ClassVar[str] = "split"
    question_id: str
    anchor: int
    split: Literal["sft", "rl", "eval"]
    band: Literal["none", "some", "all"]

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)


class ExportRow(Record):
    """One row of an exported file and the records it was made from."""

    kind: ClassVar[str] = "row"
    file: str
    row: int
    question_id: str
    trajectory_id: str | None
    images: tuple[Sha256, ...]

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        if self.trajectory_id is None:
            return (self.question_id,)
        return (self.trajectory_id, self.question_id)


class DimensionMark(Part):
    """The score of one dimension, −5 (bad for the data) to +5 (good), why, and where it arose."""

    dimension: Dimension
    evidence: str = Field(min_length=1, max_length=1000)
    score: int = Field(ge=-5, le=5)
    stage: Stage


class Diagnosis(Record):
    """What one trace says about the data it was rolled out on. `label` is None for SFT."""

    kind: ClassVar[str] = "diag"
    trajectory_id: str
    question_id: str
    mode: Literal["sft", "rl"]
    marks: tuple[DimensionMark, ...]
    label: TraceLabel | None

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.trajectory_id,)


class Patch(Record):
    """A change of one key of one part of a round's configuration. `value` is JSON text.

    `config` is the fingerprint of the configuration that it changes.
    """

    kind: ClassVar[str] = "patch"
    config: Sha256
    section: str
    key: str
    value: str
    reason: str
