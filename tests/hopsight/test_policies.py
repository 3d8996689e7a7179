import asyncio
from pathlib import Path

import pytest

from hopsight.config import HarnessConfig
from hopsight.config.models import Endpoint
from hopsight.errors import ConfigError
from hopsight.harness.policies import STYLES, ChatPolicy, Sampling
from hopsight.llm.service import Models, ModelSettings, open_models
from hopsight.policies import make_policy, style_of, tools_for

ADDRESS = "http://127.0.0.1:1/v1"


def endpoint(*capabilities: str) -> Endpoint:
    return Endpoint.model_validate(
        {"base_url": ADDRESS, "model": "m", "capabilities": capabilities}
    )


def made(folder: Path, name: str, **endpoints: Endpoint):
    async def make():
        async with open_models(ModelSettings(folder, "0001", endpoints)) as models:
            return make_policy("policy", "policy_rollouts", Sampling(), name, models)

    return asyncio.run(make())


def test_rules_answer_where_no_endpoint_does(tmp_path: Path) -> None:
    assert made(tmp_path, "reference-weak").name == "reference-weak"
    assert not list(tmp_path.iterdir())


def test_a_model_plays_under_the_name_of_its_endpoint(tmp_path: Path) -> None:
    policy = made(tmp_path, "local", policy=endpoint("tools", "pictures"))
    assert isinstance(policy, ChatPolicy)
    assert (policy.name, policy.sees) == ("local", True)


def test_an_unknown_reference_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no policy 'local'"):
        made(tmp_path, "local")


@pytest.mark.parametrize(
    ("capabilities", "style"),
    [(("tools", "json_schema"), "native"), (("json_schema",), "action"), ((), "text")],
)
def test_the_surest_way_of_calling_tools_is_taken(
    capabilities: tuple[str, ...], style: str
) -> None:
    assert style_of(endpoint(*capabilities)) is STYLES[style]


def test_models_without_endpoints_ask_nobody() -> None:
    assert Models(ModelSettings.of_rules(), None).complete("judge", "stage", "q_1") is None


def test_a_model_is_told_of_its_tools_in_the_round_s_dialect_and_rules_in_ours() -> None:
    harness = HarnessConfig(tools=("zoom_in", "visit"), dialect="opensearch_vl")
    models = ModelSettings(Path(), "0001", {"teacher": endpoint()})
    told = {
        role: [spec.name for spec in tools_for(role, harness, models).specs]
        for role in ("teacher", "policy")
    }
    assert told == {"teacher": ["crop", "visit"], "policy": ["zoom_in", "visit"]}
