"""Which models judge: configs/models.yaml, or the environment variables that other systems use.

Precedence, all or nothing:

1. `roles.judge` in configs/models.yaml, if it is written there: an endpoint, or `reference` for
   rules alone. No variable is read then; those that are set are named in the log.
2. JUDGE_MODEL. Its address is JUDGE_BASE_URL, else JUDGE_URL (a local server), else
   JUDGE_API_BASE, else that of the key's owner. Its key is JUDGE_API_KEY, else OPENAI_API_KEY,
   else TOGETHER_AI_API_KEY; a server that JUDGE_URL names gets JUDGE_API_KEY or none.
   JUDGE_FALLBACK_MODELS (commas between) are asked at the same place, in order, when the model
   before fails. JUDGE_TIMEOUT (seconds), JUDGE_RETRY_ATTEMPTS, JUDGE_TEMPERATURE and
   JUDGE_MAX_TOKENS set what they say.
3. JUDGE_API_BASE_URL with JUDGE_APP_ID, JUDGE_APP_KEY and JUDGE_MODEL_MARKER: a gateway with a
   protocol of its own, see `hopsight.judge.gateway`.
4. None of these: rules alone.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import ValidationError

from hopsight.config.models import Endpoint, ModelsFile
from hopsight.errors import ConfigError
from hopsight.judge.gateway import GatewaySettings

OPENAI: Final = "https://api.openai.com/v1"
TOGETHER: Final = "https://api.together.xyz/v1"
JUDGE_VARIABLES: Final = tuple(
    f"JUDGE_{name}"
    for name in (
        "API_KEY BASE_URL URL MODEL TEMPERATURE MAX_TOKENS TIMEOUT RETRY_ATTEMPTS FALLBACK_MODELS "
        "API_BASE API_BASE_URL APP_ID APP_KEY MODEL_MARKER"
    ).split()
)

_ADDRESSES: Final = ("JUDGE_BASE_URL", "JUDGE_URL", "JUDGE_API_BASE")
_KEYS: Final = ("JUDGE_API_KEY", "OPENAI_API_KEY", "TOGETHER_AI_API_KEY")
_CALL_PATH: Final = "/chat/completions"

N = TypeVar("N", int, float)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JudgeSetup:
    """Who judges. `endpoints` are asked in order, each when the one before fails.

    Neither an endpoint nor a gateway means rules alone.
    """

    endpoints: tuple[Endpoint, ...] = ()
    gateway: GatewaySettings | None = None
    temperature: float = 0.0
    max_tokens: int = 1024
    source: str = "rules"


def judge_setup(models: ModelsFile, environ: Mapping[str, str]) -> JudgeSetup:
    """Who judges, by the precedence above.

    Raises:
        ConfigError: for a variable that cannot be used; the error shows its name, not its value.
    """
    present = {name: value.strip() for name, value in environ.items() if value.strip()}
    if "roles" in models.model_fields_set and "judge" in models.roles.model_fields_set:
        ignored = [name for name in JUDGE_VARIABLES if name in present]
        if ignored:
            log.info("event=judge_environment_ignored variables=%s", ",".join(ignored))
        endpoint = models.endpoint_of("judge")
        return JudgeSetup((endpoint,) if endpoint else (), source="models.yaml")
    if "JUDGE_MODEL" in present:
        return _from_variables(present)
    if "JUDGE_API_BASE_URL" in present:
        return _gateway(present)
    return JudgeSetup()


def _from_variables(present: Mapping[str, str]) -> JudgeSetup:
    address, address_name = _address(present)
    fallbacks = present.get("JUDGE_FALLBACK_MODELS", "").split(",")
    names = [present["JUDGE_MODEL"], *(name.strip() for name in fallbacks if name.strip())]
    key_env = _key_name(present, address_name)
    fields = {
        "base_url": address,
        "key_env": key_env,
        "timeout_s": _number(present, "JUDGE_TIMEOUT", float, 120.0),
        "attempts": _number(present, "JUDGE_RETRY_ATTEMPTS", int, 8),
    }
    temperature = _number(present, "JUDGE_TEMPERATURE", float, 0.0)
    max_tokens = _number(present, "JUDGE_MAX_TOKENS", int, 1024)
    if not 0 <= temperature <= 2:
        raise _unusable("JUDGE_TEMPERATURE", "a number from 0 to 2")
    if max_tokens < 1:
        raise _unusable("JUDGE_MAX_TOKENS", "a whole number of 1 or more")
    endpoints = tuple(_endpoint(fields | {"model": name}) for name in dict.fromkeys(names))
    return JudgeSetup(endpoints, None, temperature, max_tokens, "environment")


def _address(present: Mapping[str, str]) -> tuple[str, str | None]:
    """The address, and the variable that gave it (None: that of the key's owner)."""
    name = next((name for name in _ADDRESSES if name in present), None)
    if name is not None:
        return present[name].rstrip("/").removesuffix(_CALL_PATH), name
    key = next((key for key in _KEYS if key in present), None)
    if key is None:
        raise ConfigError(
            "JUDGE_MODEL is set, but neither an address nor a key for it",
            f"set one of {', '.join(_ADDRESSES)}, or one of {', '.join(_KEYS)}",
        )
    return (TOGETHER if key == "TOGETHER_AI_API_KEY" else OPENAI), None


def _key_name(present: Mapping[str, str], address_name: str | None) -> str | None:
    allowed = _KEYS[:1] if address_name == "JUDGE_URL" else _KEYS
    return next((key for key in allowed if key in present), None)


def _endpoint(fields: Mapping[str, object]) -> Endpoint:
    try:
        return Endpoint.model_validate(fields)
    except ValidationError as error:
        wrong = {str(issue["loc"][0]) for issue in error.errors(include_input=False)}
    variables = {
        "base_url": " or ".join(_ADDRESSES),
        "model": "JUDGE_MODEL or JUDGE_FALLBACK_MODELS",
        "timeout_s": "JUDGE_TIMEOUT",
        "attempts": "JUDGE_RETRY_ATTEMPTS",
    }
    named = "; ".join(variables.get(field, field) for field in sorted(wrong))
    raise _unusable(
        named, "an http(s) address without password, a short name, or a number in range"
    )


def _gateway(present: Mapping[str, str]) -> JudgeSetup:
    names = ("JUDGE_API_BASE_URL", "JUDGE_APP_ID", "JUDGE_APP_KEY", "JUDGE_MODEL_MARKER")
    missing = [name for name in names if name not in present]
    if missing:
        raise ConfigError(
            f"JUDGE_API_BASE_URL names a gateway, but {', '.join(missing)} is not set",
            f"set all of {', '.join(names)}, or JUDGE_MODEL for an OpenAI-compatible server",
        )
    settings = GatewaySettings(
        base_url=present["JUDGE_API_BASE_URL"],
        app_id=present["JUDGE_APP_ID"],
        key_env="JUDGE_APP_KEY",
        model_marker=present["JUDGE_MODEL_MARKER"],
    )
    return JudgeSetup(gateway=settings, source="environment")


def _number(present: Mapping[str, str], name: str, kind: Callable[[str], N], default: N) -> N:
    if name not in present:
        return default
    try:
        return kind(present[name])
    except ValueError:
        pass
    raise _unusable(name, "a whole number" if kind is int else "a number")


def _unusable(name: str, wanted: str) -> ConfigError:
    return ConfigError(f"{name} cannot be used", f"give {wanted}, or unset it")
