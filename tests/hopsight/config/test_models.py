"""configs/models.yaml: read strictly, and every error names the key."""

from pathlib import Path

import pytest

from hopsight.config.models import ROLES, load_models, parse_models
from hopsight.errors import ConfigError

SHIPPED = Path(__file__).parents[3] / "configs" / "models.yaml"
GOOD = """
roles: {judge: local, policy: reference-weak}
endpoints:
  local:
    base_url: https://models.example:8443/v1/
    model: some/model
"""


def test_the_file_that_ships_gives_every_role_to_the_reference():
    models = load_models(SHIPPED)
    assert {models.name_of(role) for role in ROLES} == {"reference"}
    assert all(models.endpoint_of(role) is None for role in ROLES)


def test_the_example_in_the_file_that_ships_is_valid():
    text = SHIPPED.read_text(encoding="utf-8")
    _, example = text.split("endpoints: {}\n")
    models = parse_models("".join(line[2:] for line in example.splitlines(keepends=True)), "file")
    local = models.endpoints["local"]
    assert local.can("seed")
    assert local.price is not None
    assert set(type(local).model_fields) == local.model_fields_set


def test_a_role_finds_its_endpoint():
    models = parse_models(GOOD, "file")
    judge = models.endpoint_of("judge")
    assert judge is not None
    assert (judge.base_url, judge.host) == ("https://models.example:8443/v1", "models.example:8443")
    assert models.endpoint_of("policy") is None
    assert models.name_of("policy") == "reference-weak"
    with pytest.raises(ConfigError, match="no role 'poet'"):
        models.endpoint_of("poet")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("judge: local", "judge: remote", "roles.judge names remote, .*reference, local"),
        ("judge: local", "jugde: local", "unknown key roles.jugde"),
        ("    model: some/model\n", "", "key endpoints.local.model is missing"),
        ("model: some/model", "model: some/model\n    temprature: 1", "local.temprature"),
        ("model: some/model", "model: 7", "endpoints.local.model"),
        ("model: some/model", "model: m\n    concurrency: 0", "local.concurrency"),
        ("model: some/model", "model: m\n    timeout_s: .inf", "timeout_s|finite"),
        ("model: some/model", "model: m\n    extra_body: {stream: true}", "must not set stream"),
        ("model: some/model", "model: m\n    capabilities: [sight]", "local.capabilities"),
        ("model: some/model", "model: m\n    price: {input_per_million: 1}", "as_of is missing"),
        ("https://models.example:8443/v1/", "models.example/v1", "base_url"),
        ("https://models.example:8443/v1/", "https://models.example:99999/v1", "base_url"),
        ("  local:", "  reference-x:", "reference"),
    ],
)
def test_what_is_wrong_is_told_by_its_key(old, new, told):
    with pytest.raises(ConfigError, match=told):
        parse_models(GOOD.replace(old, new), "file")
