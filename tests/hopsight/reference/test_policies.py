import pytest

from hopsight.config import ModelsConfig
from hopsight.errors import ConfigError
from hopsight.reference.policies import check_models, make_policy


def test_the_reference_models_are_there() -> None:
    check_models(ModelsConfig())
    assert make_policy("reference-weak").name == "reference-weak"


@pytest.mark.parametrize("role", ["generator", "verifier", "judge", "policy", "teacher"])
def test_a_model_that_is_not_there_is_refused_with_its_role(role: str) -> None:
    models = ModelsConfig().model_copy(update={role: "gpt-5"})
    with pytest.raises(ConfigError, match=rf"gpt-5.*models\.{role}"):
        check_models(models)
