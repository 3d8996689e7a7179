import pytest

from hopsight.config import ModelsConfig
from hopsight.config.models import ModelsFile, parse_models
from hopsight.errors import ConfigError
from hopsight.roles import answering, endpoint_of, judge_of

FILE = parse_models(
    """
roles: {policy: local}
endpoints:
  local: {base_url: "http://127.0.0.1:1/v1", model: small}
  other: {base_url: "http://127.0.0.1:2/v1", model: large}
""",
    "models.yaml",
)


def test_without_a_models_file_rules_answer_for_every_role() -> None:
    found = answering(ModelsConfig(), ModelsFile(), {})
    assert found == ModelsConfig(
        generator="reference",
        verifier="reference",
        prober="reference",
        judge="reference",
        policy="reference-weak",
        teacher="reference-strong",
        analyzer="reference",
    )
    assert endpoint_of(found, "policy", ModelsFile()) is None


def test_the_round_comes_before_the_models_file() -> None:
    found = answering(ModelsConfig(policy="other", teacher="reference-weak"), FILE, {})
    assert (found.policy, found.judge, found.teacher) == ("other", "reference", "reference-weak")
    endpoint = endpoint_of(found, "policy", FILE)
    assert endpoint is not None
    assert endpoint.model == "large"


@pytest.mark.parametrize("role", ModelsConfig.roles())
def test_a_name_that_is_nowhere_is_refused_with_its_role(role: str) -> None:
    with pytest.raises(ConfigError, match=rf"models\.{role} is 'gpt-5'.*local, other"):
        answering(ModelsConfig.model_validate({role: "gpt-5"}), FILE, {})


def test_a_role_without_such_rules_is_refused() -> None:
    with pytest.raises(ConfigError, match="no rules of that name"):
        answering(ModelsConfig(judge="reference-strong"), FILE, {})


def test_policy_and_teacher_must_not_be_one() -> None:
    with pytest.raises(ConfigError, match="policy and teacher are both 'other'"):
        answering(ModelsConfig(policy="other", teacher="other"), FILE, {})


ENVIRON = {"JUDGE_MODEL": "grader", "JUDGE_BASE_URL": "http://127.0.0.1:3/v1", "JUDGE_API_KEY": "k"}


def test_a_judge_of_the_environment_is_taken_where_nothing_else_names_one() -> None:
    found = answering(ModelsConfig(), FILE, ENVIRON)
    assert found.judge == "environment"
    assert [each.model for each in judge_of(found, FILE, ENVIRON).endpoints] == ["grader"]


def test_a_judge_that_the_round_names_comes_before_the_environment() -> None:
    found = answering(ModelsConfig(judge="other"), FILE, ENVIRON)
    assert [each.model for each in judge_of(found, FILE, ENVIRON).endpoints] == ["large"]
    rules = answering(ModelsConfig(judge="reference"), FILE, ENVIRON)
    assert judge_of(rules, FILE, ENVIRON).endpoints == ()
