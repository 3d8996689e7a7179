"""The policies that need no model, by the names that a configuration gives them."""

from hopsight.errors import ConfigError
from hopsight.harness.policy import Policy
from hopsight.reference.agents import strong_agent, weak_agent

POLICIES_VERSION = 2
"""Raised when a policy acts differently on equal views, so that no stale rollout is reused."""

PRICE_PER_CALL = 0.0
"""US dollars: rules cost nothing."""

_POLICIES = {agent.name: agent for agent in (weak_agent(), strong_agent())}


def reference_policy(name: str) -> Policy:
    """The policy of that name. Raises ConfigError where there is none."""
    if name not in _POLICIES:
        raise ConfigError(
            f"there is no policy {name!r}", f"set models.policy to one of {', '.join(_POLICIES)}"
        )
    return _POLICIES[name]
