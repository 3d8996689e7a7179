import pytest
from pydantic import ValidationError

from hopsight.config import RoundConfig, parse_round
from hopsight.config.enhance import DegradeConfig, EnhanceConfig
from hopsight.errors import ConfigError


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValidationError, match="no range"):
        DegradeConfig(gaussian_sigma=(3.0, 1.0))


def test_a_corner_may_not_cross_the_middle() -> None:
    with pytest.raises(ValidationError):
        DegradeConfig(corner_shift=(0.1, 0.5))


def test_a_kind_is_named_once_and_at_least_one_is() -> None:
    with pytest.raises(ValidationError, match="twice"):
        EnhanceConfig(kinds=("perspective", "perspective"))
    with pytest.raises(ValidationError):
        EnhanceConfig(kinds=())


def test_its_keys_are_read_from_a_file() -> None:
    text = "curate:\n  enhance:\n    share: 0.2\n    ranges:\n      corner_shift: [0.1, 0.1]\n"
    config = parse_round(text, "file")
    assert config.curate.enhance.share == 0.2
    assert config.curate.enhance.ranges.corner_shift == (0.1, 0.1)
    assert config.curate.enhance.kinds == RoundConfig().curate.enhance.kinds
    with pytest.raises(ConfigError, match="did you mean"):
        parse_round("curate:\n  enhance:\n    shares: 0.2\n", "file")
