"""Who answers for a role: what the round names, else what configs/models.yaml names.

A judge that neither names may come from the environment variables that other systems use.
"""

from collections.abc import Mapping
from typing import Final

from hopsight.config import ModelsConfig
from hopsight.config.models import REFERENCE, Endpoint, ModelsFile, is_reference
from hopsight.errors import ConfigError
from hopsight.judge import JudgeSetup, judge_setup

STAND_INS: Final = {"policy": "reference-weak", "teacher": "reference-strong"}
"""The reference agents; `reference` of these two roles means them. Other roles have one rule."""

ENVIRONMENT: Final = "environment"
"""The name of a judge that the environment names."""


def answering(models: ModelsConfig, file: ModelsFile, environ: Mapping[str, str]) -> ModelsConfig:
    """Every role with the name of an endpoint or of a reference, or the judge's `environment`.

    Raises ConfigError for any other name, before anything is spent.
    """
    names = {role: _answering(role, models, file) for role in models.roles()}
    if models.judge in (None, ENVIRONMENT) and _from_environment(judge_setup(file, environ)):
        names["judge"] = ENVIRONMENT
    if names["policy"] == names["teacher"]:
        raise ConfigError(
            f"policy and teacher are both {names['policy']!r}: their rollouts would be the same",
            "give the teacher another endpoint; two may name one model",
        )
    return ModelsConfig(**names)


def endpoint_of(models: ModelsConfig, role: str, file: ModelsFile) -> Endpoint | None:
    """The endpoint that answers for a role, None where rules do. `models` names every role."""
    return file.endpoints.get(str(getattr(models, role)))


def judge_of(models: ModelsConfig, file: ModelsFile, environ: Mapping[str, str]) -> JudgeSetup:
    """The judge. `models` names every role. Raises ConfigError for a variable that cannot be
    used."""
    if models.judge == ENVIRONMENT:
        return judge_setup(file, environ)
    endpoint = endpoint_of(models, "judge", file)
    return JudgeSetup(() if endpoint is None else (endpoint,), source="round")


def _from_environment(setup: JudgeSetup) -> bool:
    return setup.source == ENVIRONMENT


def _answering(role: str, models: ModelsConfig, file: ModelsFile) -> str:
    name: str = getattr(models, role) or file.name_of(role)
    if name == REFERENCE:
        return STAND_INS.get(role, REFERENCE)
    agents = set(STAND_INS.values()) if role in STAND_INS else set()
    if name in file.endpoints or name in agents or (role, name) == ("judge", ENVIRONMENT):
        return name
    known = ", ".join([REFERENCE, *sorted(agents), *file.endpoints])
    told = "has no rules of that name" if is_reference(name) else "is no endpoint of models.yaml"
    raise ConfigError(f"models.{role} is {name!r}, which {told}", f"set it to one of {known}")
