"""The order of work: the stages that make data, as the funnel tells them."""

from hopsight.datasets import SNAPSHOT_ROUND

SNAPSHOT_STAGES = ("wiki_scan", "link_graph", "wiki_snapshot")
ROUND_STAGES = (
    "seed_entities",
    "link_paths",
    "canonical_questions",
    "fuzzed_questions",
    "grounded_questions",
    "imported_seeds",
    "linked_questions",
    "expanded_questions",
    "blurred_questions",
    "visualized_questions",
    "refined_questions",
    "distinct_questions",
    "probe_results",
    "enhancements",
    "policy_rollouts",
    "teacher_rollouts",
    "rollout_verdicts",
    "curated_questions",
    "teacher_trajectories",
    "sft_dataset",
    "rl_dataset",
    "eval_dataset",
)


def funnel_stages(round: str) -> list[tuple[str, str]]:
    """Each stage with the round that its figures are stored under, in the order of work."""
    snapshot = [(stage, SNAPSHOT_ROUND) for stage in SNAPSHOT_STAGES]
    return snapshot + [(stage, round) for stage in ROUND_STAGES]
