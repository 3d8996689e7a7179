"""The round's configuration: bounds, and a fingerprint of what decides the bytes."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from hopsight.config import (
    BudgetConfig,
    CurateConfig,
    ExploreConfig,
    HarnessConfig,
    RoundConfig,
    SeedConfig,
    SourceConfig,
    fingerprint,
)
from hopsight.config.rounds import PROBE_NAMES
from hopsight.types import Domain


def test_the_published_defaults_stand() -> None:
    config = RoundConfig()
    assert config.explore.hops == {2: 0.4, 3: 0.4, 4: 0.2}
    assert (config.explore.retries, config.explore.answer_max_tokens) == (10, 6)
    assert (config.seed_entities.min_picture_px, config.harness.max_turns) == (512, 50)
    assert list(config.seed_entities.per_domain) == sorted(Domain)


def test_a_configuration_is_frozen() -> None:
    with pytest.raises(ValidationError):
        RoundConfig().explore.retries = 3  # type: ignore[misc]


def test_the_fingerprint_follows_what_decides_the_data() -> None:
    changed = [
        RoundConfig(seed=2),
        RoundConfig(explore=ExploreConfig(retries=11)),
        RoundConfig(harness=HarnessConfig(max_turns=49)),
        RoundConfig(round="0002"),
    ]
    assert len({fingerprint(config) for config in [RoundConfig(), *changed]}) == 5


def test_budget_and_folders_do_not_change_the_fingerprint() -> None:
    here = SourceConfig(kind="dump", dump=Path("/a/wiki.xml"))
    there = SourceConfig(kind="dump", dump=Path("/b/wiki.xml"))
    other = SourceConfig(kind="dump", dump=Path("/b/other.xml"))
    assert fingerprint(RoundConfig(budget=BudgetConfig(max_usd=1))) == fingerprint(RoundConfig())
    assert fingerprint(RoundConfig(source=here)) == fingerprint(RoundConfig(source=there))
    assert fingerprint(RoundConfig(source=here)) != fingerprint(RoundConfig(source=other))


def test_the_order_of_weights_changes_nothing() -> None:
    one = ExploreConfig(hops={2: 0.5, 4: 0.5})
    other = ExploreConfig(hops={4: 0.5, 2: 0.5})
    assert list(one.hops.items()) == list(other.hops.items())


def test_probes_come_in_their_own_order_each_once() -> None:
    assert CurateConfig().probes == PROBE_NAMES
    given = CurateConfig(probes=("blank_picture", "direct"))
    assert given.probes == ("direct", "blank_picture")
    assert CurateConfig(probes=()).probes == ()
    with pytest.raises(ValidationError, match="a probe stands twice"):
        CurateConfig(probes=("direct", "direct"))
    with pytest.raises(ValidationError, match="'direct', 'text_search'"):
        CurateConfig.model_validate({"probes": ["no_tools"]})


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(ValidationError, match="at least one weight above 0"):
        ExploreConfig(hops={2: 0})
    with pytest.raises(ValidationError, match="min_in_degree is above max_in_degree"):
        SeedConfig(min_in_degree=5, max_in_degree=4)
    with pytest.raises(ValidationError, match="kind dump needs the key dump"):
        SourceConfig(kind="dump")
    with pytest.raises(ValidationError, match="kind mini takes no dump"):
        SourceConfig(dump=Path("x.xml"))
    with pytest.raises(ValidationError, match="does not come before"):
        RoundConfig(parent="0001")
