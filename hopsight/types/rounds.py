"""Records of a round as a whole: its configuration, its source, the figures of its stages."""

from collections.abc import Mapping
from typing import ClassVar

from hopsight.types.base import Part, Record, Sha256


class ReasonCount(Part):
    """How many records a stage rejected for one reason."""

    reason: str
    count: int


class FunnelRow(Record):
    """What one stage of a round took in, kept and rejected by reason, most frequent first."""

    kind: ClassVar[str] = "funnel"
    stage: str
    entered: int
    kept: int
    rejected: int
    reasons: tuple[ReasonCount, ...]

    @classmethod
    def of(cls, stage: str, entered: int, kept: int, reasons: Mapping[str, int]) -> "FunnelRow":
        """From the figures of a stage."""
        ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        return cls(
            stage=stage,
            entered=entered,
            kept=kept,
            rejected=sum(reasons.values()),
            reasons=tuple(ReasonCount(reason=name, count=count) for name, count in ordered),
        )


class RoundRecord(Record):
    """The configuration that a round was made with, as canonical JSON text."""

    kind: ClassVar[str] = "round"
    round: str
    parent_round: str | None
    fingerprint: str
    config: str


class SnapshotRecord(Record):
    """What a wiki snapshot was read from: the source's kind, its export's name, and hashes.

    `identity` is the hash of what tells apart two sources of one name: sizes and ends of the
    files, or what a crawl was asked for. `version` is the user's name for this state of the wiki.
    `articles` counts those of the whole wiki, `pages` those that were read closely; `choice` is
    the hash of how these were chosen, "" where all were. `in_degree_counts` says which links
    in-degrees count: "prose", or "pagelinks" (all that the wiki lists).
    """

    kind: ClassVar[str] = "snap"
    schema_version: ClassVar[int] = 2
    source: str
    version: str
    dump: str
    identity: str
    dump_sha256: Sha256
    pictures_sha256: Sha256 | None
    articles: int
    pages: int
    choice: str
    in_degree_counts: str
