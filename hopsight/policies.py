"""The policy that plays for a role: a reference agent, or a chat model behind its endpoint."""

from functools import partial

from hopsight.config.models import Endpoint
from hopsight.harness.policies import STYLES, ChatPolicy, Sampling, Style
from hopsight.harness.policy import Policy
from hopsight.llm.service import Complete, Models
from hopsight.reference.policies import reference_policy


def make_policy(role: str, stage: str, sampling: Sampling, name: str, models: Models) -> Policy:
    """The policy named `name`, asked at the cost of `stage` where a model answers for the role.

    Raises ConfigError for a reference that there is not.
    """
    endpoint = models.endpoint(role)
    if endpoint is None:
        return reference_policy(name)
    ask_for = partial(_asked, models, role, stage)
    return ChatPolicy(name, ask_for, style_of(endpoint), endpoint.can("pictures"), sampling)


def style_of(endpoint: Endpoint) -> Style:
    """How the endpoint's model calls tools: the surest way that it declares."""
    if endpoint.can("tools"):
        return STYLES["native"]
    return STYLES["action" if endpoint.can("json_schema") else "text"]


def _asked(models: Models, role: str, stage: str, record_id: str) -> Complete:
    complete = models.complete(role, stage, record_id)
    assert complete is not None  # the endpoint of the role was there
    return complete
