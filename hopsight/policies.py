"""The policy that plays for a role: a reference agent, or a chat model behind its endpoint."""

from functools import partial

from hopsight.config import HarnessConfig
from hopsight.config.models import Endpoint
from hopsight.harness.dialects.own import HOPSIGHT
from hopsight.harness.policies import STYLES, ChatPolicy, Sampling, Style, style_of_dialect
from hopsight.harness.policy import Policy
from hopsight.harness.toolset import Toolset
from hopsight.llm.service import Complete, Models, ModelSettings
from hopsight.reference.policies import reference_policy


def make_policy(
    role: str,
    stage: str,
    sampling: Sampling,
    name: str,
    models: Models,
    *,
    dialect: str = HOPSIGHT.name,
) -> Policy:
    """The policy named `name`, asked at the cost of `stage` where a model answers for the role.

    A model that speaks another dialect than ours is asked in that one's text style. Raises
    ConfigError for a reference that there is not.
    """
    endpoint = models.endpoint(role)
    if endpoint is None:
        return reference_policy(name)
    ask_for = partial(_asked, models, role, stage)
    style = style_of(endpoint) if dialect == HOPSIGHT.name else style_of_dialect(dialect)
    return ChatPolicy(name, ask_for, style, endpoint.can("pictures"), sampling)


def tools_for(role: str, harness: HarnessConfig, models: ModelSettings) -> Toolset:
    """The tools of a role's episodes: in the round's dialect where a model plays, else in ours."""
    spoken = harness.dialect if role in models.endpoints else HOPSIGHT.name
    return Toolset(harness.tools, spoken)


def style_of(endpoint: Endpoint) -> Style:
    """How the endpoint's model calls tools: the surest way that it declares."""
    if endpoint.can("tools"):
        return STYLES["native"]
    return STYLES["action" if endpoint.can("json_schema") else "text"]


def _asked(models: Models, role: str, stage: str, record_id: str) -> Complete:
    complete = models.complete(role, stage, record_id)
    assert complete is not None  # the endpoint of the role was there
    return complete
