"""What the stages take from a round's configuration."""

from curation.seeds import seed_entities
from hopsight.chains.clues import Rules
from hopsight.chains.walker import PathRules
from hopsight.config import RoundConfig
from hopsight.stage import Staged
from hopsight.types import Page
from hopsight.unique import World


def draw_seeds(world: World, config: RoundConfig) -> Staged[Page]:
    """The seeds of this round."""
    rules = config.seed_entities
    return seed_entities(
        world,
        count=rules.count,
        weights=rules.per_domain,
        min_in_degree=rules.min_in_degree,
        max_in_degree=rules.max_in_degree,
        min_picture_px=rules.min_picture_px,
        seed=config.seed,
    )


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
