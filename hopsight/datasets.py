"""The data sets by name, with the type of their records. Everything that is stored stands here.

What stages reject, their figures, and how their records came about is kept per stage, in data sets
named `rejections_<stage>`, `funnel_<stage>` and `provenance_<stage>`; the catalog shows each family
as one view.
"""

import difflib
from collections.abc import Mapping

from hopsight.errors import StoreError
from hopsight.provenance import ProvenanceRow
from hopsight.types import (
    Alias,
    Difficulty,
    Enhancement,
    EvidenceChain,
    ExportRow,
    Fact,
    FunnelRow,
    Link,
    LinkPath,
    Page,
    PageImage,
    PassRate,
    ProbeResult,
    ProcessVerdict,
    Question,
    Record,
    Rejection,
    ReviewDecision,
    RoundRecord,
    Seed,
    SnapshotRecord,
    SplitAssignment,
    Trajectory,
    Verdict,
)

SNAPSHOT_ROUND = "all"
"""The round of data that every round shares: the wiki's."""

DATASETS: Mapping[str, type[Record]] = {
    "snapshots": SnapshotRecord,
    "pages": Page,
    "links": Link,
    "aliases": Alias,
    "facts": Fact,
    "page_images": PageImage,
    "round_configs": RoundRecord,
    "seed_entities": Page,
    "link_paths": LinkPath,
    "canonical_questions": Question,
    "canonical_chains": EvidenceChain,
    "fuzzed_questions": Question,
    "fuzzed_chains": EvidenceChain,
    "grounded_questions": Question,
    "grounded_chains": EvidenceChain,
    "review_decisions": ReviewDecision,
    "imported_seeds": Seed,
    "linked_questions": Question,
    "linked_chains": EvidenceChain,
    "expanded_questions": Question,
    "expanded_chains": EvidenceChain,
    "blurred_questions": Question,
    "blurred_chains": EvidenceChain,
    "visualized_questions": Question,
    "visualized_chains": EvidenceChain,
    "refined_questions": Question,
    "refined_chains": EvidenceChain,
    "difficulties": Difficulty,
    "distinct_questions": Question,
    "probe_results": ProbeResult,
    "probed_questions": Question,
    "enhancements": Enhancement,
    "enhanced_questions": Question,
    "probe_rollouts": Trajectory,
    "policy_rollouts": Trajectory,
    "teacher_rollouts": Trajectory,
    "policy_verdicts": Verdict,
    "teacher_verdicts": Verdict,
    "pass_rates": PassRate,
    "curated_questions": Question,
    "split_assignments": SplitAssignment,
    "process_verdicts": ProcessVerdict,
    "teacher_trajectories": Trajectory,
    "sft_rows": ExportRow,
    "rl_rows": ExportRow,
    "eval_rows": ExportRow,
}

FAMILIES: Mapping[str, type[Record]] = {
    "rejections": Rejection,
    "funnel": FunnelRow,
    "provenance": ProvenanceRow,
}
"""Data sets named `<family>_<stage>`, one for each stage."""

_ASSETS: Mapping[str, str] = {
    "pages": "wiki_snapshot",
    "links": "wiki_snapshot",
    "aliases": "wiki_snapshot",
    "facts": "wiki_snapshot",
    "page_images": "wiki_snapshot",
    "snapshots": "wiki_snapshot",
    "round_configs": "round_config",
    "canonical_chains": "canonical_questions",
    "fuzzed_chains": "fuzzed_questions",
    "grounded_chains": "grounded_questions",
    "review_decisions": "probe_results",
    "linked_chains": "linked_questions",
    "expanded_chains": "expanded_questions",
    "blurred_chains": "blurred_questions",
    "visualized_chains": "visualized_questions",
    "refined_chains": "refined_questions",
    "difficulties": "refined_questions",
    "probed_questions": "probe_results",
    "enhanced_questions": "enhancements",
    "probe_rollouts": "probe_results",
    "policy_verdicts": "rollout_verdicts",
    "teacher_verdicts": "rollout_verdicts",
    "split_assignments": "curated_questions",
    "process_verdicts": "teacher_trajectories",
    "sft_rows": "sft_dataset",
    "rl_rows": "rl_dataset",
    "eval_rows": "eval_dataset",
}
"""The asset that makes a data set, where it does not bear the data set's own name."""


def family_of(name: str) -> str | None:
    """The family: "rejections" of "rejections_paths"; None for a data set that stands alone."""
    family, _, stage = name.partition("_")
    return family if stage and family in FAMILIES else None


def record_type(name: str) -> type[Record]:
    """The record type of a data set. Raises StoreError for a name that is not one."""
    family = family_of(name)
    if family is not None:
        return FAMILIES[family]
    if name in DATASETS:
        return DATASETS[name]
    near = difflib.get_close_matches(name, DATASETS, n=1)
    remedy = f"did you mean {near[0]}?" if near else f"one of {', '.join(DATASETS)}"
    raise StoreError(f"{name!r} is no data set", remedy)


def asset_of(name: str) -> str:
    """The asset whose materialization makes the data set `name`."""
    family = family_of(name)
    if family is not None:
        return name.removeprefix(f"{family}_")
    return _ASSETS.get(name, name)
