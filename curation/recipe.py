"""What the stages take from a round's configuration."""

from curation.clues import Rules
from curation.paths import PathRules
from hopsight.config import RoundConfig


def path_rules(config: RoundConfig) -> PathRules:
    """How paths are walked and described in this round."""
    return PathRules(
        hops=config.explore.hops,
        paths=config.explore.paths,
        retries=config.explore.retries,
        max_hub_in_degree=config.explore.max_hub_in_degree,
        answer_max_tokens=config.explore.answer_max_tokens,
        clue_rules=Rules(
            descriptors=config.organize.descriptors_per_node,
            min_candidates=config.organize.min_candidates,
        ),
    )
