"""The records that travel through Hopsight.

Every record is frozen and validated. Its `id` is a hash of its content, so equal content has one
id and a changed record has another; `parents` names the records it was made from. Times, costs
and run ids are not here: they live in provenance, so that data sets compare byte for byte.
"""

from hopsight.types.base import ID_HEX, Part, Record, Sha256, content_hash
from hopsight.types.enhancements import (
    Degradation,
    DegradationKind,
    Enhancement,
    MeasureName,
    Parameter,
)
from hopsight.types.episodes import (
    BankImage,
    Observation,
    StopReason,
    Task,
    ToolCall,
    Trajectory,
    Turn,
    Usage,
)
from hopsight.types.findings import (
    Diagnosis,
    Dimension,
    DimensionMark,
    ExportRow,
    PassRate,
    Patch,
    ProbeResult,
    Rejection,
    SplitAssignment,
    Stage,
    TraceLabel,
    Verdict,
)
from hopsight.types.questions import (
    Clue,
    Constraint,
    Difficulty,
    EvidenceChain,
    EvidenceNode,
    Hop,
    LinkPath,
    PromptRef,
    Question,
    Seed,
)
from hopsight.types.reviews import (
    MAX_REVIEW_TEXT,
    REVIEW_REASONS,
    ReviewChoice,
    ReviewDecision,
    ReviewReason,
)
from hopsight.types.rounds import FunnelRow, ReasonCount, RoundRecord, SnapshotRecord
from hopsight.types.traces import ProcessVerdict
from hopsight.types.wiki import Alias, Domain, Evidence, Fact, ImageRef, Link, Page, PageImage

__all__ = [
    "ID_HEX",
    "MAX_REVIEW_TEXT",
    "REVIEW_REASONS",
    "Alias",
    "BankImage",
    "Clue",
    "Constraint",
    "Degradation",
    "DegradationKind",
    "Diagnosis",
    "Difficulty",
    "Dimension",
    "DimensionMark",
    "Domain",
    "Enhancement",
    "Evidence",
    "EvidenceChain",
    "EvidenceNode",
    "ExportRow",
    "Fact",
    "FunnelRow",
    "Hop",
    "ImageRef",
    "Link",
    "LinkPath",
    "MeasureName",
    "Observation",
    "Page",
    "PageImage",
    "Parameter",
    "Part",
    "PassRate",
    "Patch",
    "ProbeResult",
    "ProcessVerdict",
    "PromptRef",
    "Question",
    "ReasonCount",
    "Record",
    "Rejection",
    "ReviewChoice",
    "ReviewDecision",
    "ReviewReason",
    "RoundRecord",
    "Seed",
    "Sha256",
    "SnapshotRecord",
    "SplitAssignment",
    "Stage",
    "StopReason",
    "Task",
    "ToolCall",
    "TraceLabel",
    "Trajectory",
    "Turn",
    "Usage",
    "Verdict",
    "content_hash",
]
