import pytest

from hopsight.errors import ConfigError
from hopsight.reference.policies import reference_policy


def test_the_reference_agents_are_there_by_name() -> None:
    assert reference_policy("reference-weak").name == "reference-weak"
    assert reference_policy("reference-strong").name == "reference-strong"


def test_a_policy_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"no policy 'gpt-5'.*reference-weak"):
        reference_policy("gpt-5")
