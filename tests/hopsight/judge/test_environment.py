import logging

import pytest

from hopsight.config.models import ModelsFile
from hopsight.errors import ConfigError
from hopsight.judge import JudgeSetup, judge_setup
from hopsight.judge.environment import OPENAI, TOGETHER
from hopsight.judge.gateway import GatewaySettings, through

NOTHING = ModelsFile()
EXPLICIT = ModelsFile.model_validate(
    {
        "endpoints": {"mine": {"base_url": "http://localhost:1/v1", "model": "mine"}},
        "roles": {"judge": "mine"},
    }
)
SECRET = "sk-very-secret"


def first(**environ):
    return judge_setup(NOTHING, environ).endpoints[0]


def test_without_any_configuration_rules_judge_alone():
    assert judge_setup(NOTHING, {"OPENAI_API_KEY": SECRET}) == JudgeSetup()


def test_an_explicit_endpoint_wins_and_the_log_names_what_is_ignored(caplog):
    environ = {"JUDGE_MODEL": "theirs", "JUDGE_URL": "http://other/v1", "JUDGE_API_KEY": SECRET}
    with caplog.at_level(logging.INFO):
        setup = judge_setup(EXPLICIT, environ)
    assert [(e.model, e.base_url, e.key_env) for e in setup.endpoints] == [
        ("mine", "http://localhost:1/v1", None)
    ]
    assert setup.source == "models.yaml"
    assert "variables=JUDGE_API_KEY,JUDGE_URL,JUDGE_MODEL" in caplog.text
    assert SECRET not in caplog.text


def test_an_explicit_reference_wins_too():
    explicit = ModelsFile.model_validate({"roles": {"judge": "reference"}})
    setup = judge_setup(explicit, {"JUDGE_MODEL": "m", "JUDGE_API_KEY": SECRET})
    assert (setup.endpoints, setup.gateway) == ((), None)


def test_another_role_s_endpoint_says_nothing_about_the_judge():
    other = ModelsFile.model_validate({"roles": {"policy": "reference-strong"}})
    assert judge_setup(other, {"JUDGE_MODEL": "m", "JUDGE_URL": "http://h/v1"}).endpoints


@pytest.mark.parametrize(
    ("environ", "address", "key"),
    [
        ({"JUDGE_API_KEY": "k"}, OPENAI, "JUDGE_API_KEY"),
        ({"OPENAI_API_KEY": "k"}, OPENAI, "OPENAI_API_KEY"),
        ({"TOGETHER_AI_API_KEY": "k"}, TOGETHER, "TOGETHER_AI_API_KEY"),
        (
            {"TOGETHER_AI_API_KEY": "k", "OPENAI_API_KEY": "k", "JUDGE_API_KEY": "k"},
            OPENAI,
            "JUDGE_API_KEY",
        ),
        ({"TOGETHER_AI_API_KEY": "k", "OPENAI_API_KEY": "k"}, OPENAI, "OPENAI_API_KEY"),
        (
            {"JUDGE_BASE_URL": "http://a/v1/", "OPENAI_API_KEY": "k"},
            "http://a/v1",
            "OPENAI_API_KEY",
        ),
        ({"JUDGE_API_BASE": "http://a/v1"}, "http://a/v1", None),
        ({"JUDGE_URL": "http://a/v1/chat/completions"}, "http://a/v1", None),
        ({"JUDGE_URL": "http://a/v1", "OPENAI_API_KEY": "k"}, "http://a/v1", None),
        ({"JUDGE_URL": "http://a/v1", "JUDGE_API_KEY": "k"}, "http://a/v1", "JUDGE_API_KEY"),
        (
            {"JUDGE_API_BASE": "http://c", "JUDGE_URL": "http://b", "JUDGE_BASE_URL": "http://a"},
            "http://a",
            None,
        ),
        ({"JUDGE_API_BASE": "http://c", "JUDGE_URL": "http://b"}, "http://b", None),
        ({"JUDGE_BASE_URL": " ", "OPENAI_API_KEY": "k"}, OPENAI, "OPENAI_API_KEY"),
    ],
)
def test_address_and_key_follow_their_precedence(environ, address, key):
    endpoint = first(JUDGE_MODEL="m", **environ)
    assert (endpoint.base_url, endpoint.key_env) == (address, key)


def test_limits_sampling_and_fallbacks_are_honoured():
    setup = judge_setup(
        NOTHING,
        {
            "JUDGE_MODEL": "a",
            "JUDGE_URL": "http://h/v1",
            "JUDGE_FALLBACK_MODELS": "b, c,,a",
            "JUDGE_TIMEOUT": "7.5",
            "JUDGE_RETRY_ATTEMPTS": "3",
            "JUDGE_TEMPERATURE": "0.4",
            "JUDGE_MAX_TOKENS": "99",
        },
    )
    assert [endpoint.model for endpoint in setup.endpoints] == ["a", "b", "c"]
    assert {(e.timeout_s, e.attempts, e.base_url) for e in setup.endpoints} == {
        (7.5, 3, "http://h/v1")
    }
    assert (setup.temperature, setup.max_tokens, setup.source) == (0.4, 99, "environment")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JUDGE_TIMEOUT", "soon"),
        ("JUDGE_TIMEOUT", "-1"),
        ("JUDGE_TIMEOUT", "nan"),
        ("JUDGE_RETRY_ATTEMPTS", "0"),
        ("JUDGE_RETRY_ATTEMPTS", "2.5"),
        ("JUDGE_TEMPERATURE", "hot"),
        ("JUDGE_TEMPERATURE", "3"),
        ("JUDGE_TEMPERATURE", "nan"),
        ("JUDGE_MAX_TOKENS", "0"),
        ("JUDGE_URL", f"http://user:{SECRET}@h/v1"),
        ("JUDGE_URL", "ftp://h"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_by_its_variable_and_not_shown(name, value):
    environ = {"JUDGE_MODEL": "m", "JUDGE_URL": "http://h/v1"} | {name: value}
    with pytest.raises(ConfigError, match=name) as caught:
        judge_setup(NOTHING, environ)
    assert value not in str(caught.value).replace("0 to 2", "").replace("1 or more", "")
    assert SECRET not in repr(caught.value.__context__)


def test_a_model_without_address_and_key_is_refused():
    with pytest.raises(ConfigError, match="neither an address nor a key"):
        judge_setup(NOTHING, {"JUDGE_MODEL": "m"})


GATEWAY = {
    "JUDGE_API_BASE_URL": "http://g",
    "JUDGE_APP_ID": "id",
    "JUDGE_APP_KEY": SECRET,
    "JUDGE_MODEL_MARKER": "marker",
}


def test_a_gateway_is_known_by_its_variables_and_keeps_no_secret():
    setup = judge_setup(NOTHING, GATEWAY)
    assert setup.gateway == GatewaySettings("http://g", "id", "JUDGE_APP_KEY", "marker")
    assert setup.endpoints == ()
    assert SECRET not in repr(setup)


def test_a_model_wins_over_a_gateway():
    setup = judge_setup(NOTHING, GATEWAY | {"JUDGE_MODEL": "m", "JUDGE_URL": "http://h"})
    assert (setup.gateway, len(setup.endpoints)) == (None, 1)


@pytest.mark.parametrize("missing", ["JUDGE_APP_ID", "JUDGE_APP_KEY", "JUDGE_MODEL_MARKER"])
def test_half_a_gateway_is_refused(missing):
    with pytest.raises(ConfigError, match=f"{missing} is not set"):
        judge_setup(NOTHING, {k: v for k, v in GATEWAY.items() if k != missing})


def test_a_gateway_s_protocol_has_to_be_given():
    settings = GatewaySettings("http://g", "id", "JUDGE_APP_KEY", "marker")
    with pytest.raises(ConfigError, match="protocol is not known"):
        through(settings, None)
