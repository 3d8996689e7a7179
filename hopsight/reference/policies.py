"""The policies that need no model, by the names that a configuration gives them."""

from hopsight.config import ModelsConfig
from hopsight.errors import ConfigError
from hopsight.harness.policy import Policy
from hopsight.reference.agents import strong_agent, weak_agent

POLICIES_VERSION = 1
"""Raised when a policy acts differently on equal views, so that no stale rollout is reused."""

PRICE_PER_CALL = 0.0
"""US dollars: rules cost nothing."""

RULES = "reference"
"""The model that every other role has: rules."""

_POLICIES = {agent.name: agent for agent in (weak_agent(), strong_agent())}


def check_models(models: ModelsConfig) -> None:
    """Raises ConfigError for a role whose model there is not, before anything is spent."""
    for role in ("generator", "verifier", "judge"):
        if getattr(models, role) != RULES:
            raise ConfigError(
                f"there is no {role} {getattr(models, role)!r}", f"set models.{role} to {RULES}"
            )
    for role in ("policy", "teacher"):
        if getattr(models, role) not in _POLICIES:
            raise ConfigError(
                f"there is no policy {getattr(models, role)!r}",
                f"set models.{role} to one of {', '.join(_POLICIES)}",
            )


def make_policy(name: str) -> Policy:
    """The policy of that name. Raises ConfigError where there is none."""
    if name not in _POLICIES:
        raise ConfigError(
            f"there is no policy {name!r}", f"set models.policy to one of {', '.join(_POLICIES)}"
        )
    return _POLICIES[name]
