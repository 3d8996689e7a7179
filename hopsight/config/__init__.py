"""The configuration of a round: its model, its fingerprint, and the YAML file it is kept in."""

from hopsight.config.files import load_round, parse_round, render_default_config
from hopsight.config.rounds import (
    DEFAULT_TOOLS,
    BudgetConfig,
    CurateConfig,
    ExploreConfig,
    HarnessConfig,
    ModelsConfig,
    OrganizeConfig,
    RoundConfig,
    SeedConfig,
    fingerprint,
)
from hopsight.config.source import SelectConfig, SourceConfig

__all__ = [
    "DEFAULT_TOOLS",
    "BudgetConfig",
    "CurateConfig",
    "ExploreConfig",
    "HarnessConfig",
    "ModelsConfig",
    "OrganizeConfig",
    "RoundConfig",
    "SeedConfig",
    "SelectConfig",
    "SourceConfig",
    "fingerprint",
    "load_round",
    "parse_round",
    "render_default_config",
]
