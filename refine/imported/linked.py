"""Imported seeds by the rules and models of a round: their way through the wiki."""

from collections.abc import Sequence
from functools import partial

from hopsight.chains import Framed
from hopsight.config import RoundConfig
from hopsight.llm.service import Models
from hopsight.types import Seed
from hopsight.unique import FactIndex, World
from refine.build_link import STAGE, LinkRules, build_links


async def linked_seeds(
    seeds: Sequence[Seed], world: World, index: FactIndex, models: Models, config: RoundConfig
) -> Framed:
    """Ask the round's generator for the entities, or rules. See `build_links`."""
    rules = LinkRules(
        max_hub_in_degree=config.explore.max_hub_in_degree,
        answer_max_tokens=config.explore.answer_max_tokens,
    )
    is_asked = models.endpoint("generator") is not None
    ask = partial(models.complete, "generator", STAGE) if is_asked else None
    return await build_links(seeds, world, index, ask, round=config.round, rules=rules)
