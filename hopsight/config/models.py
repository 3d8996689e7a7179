"""configs/models.yaml: which model answers for which role, where it is served, and its limits.

Secrets are never in this file: `key_env` names the environment variable that holds the key, and
no error that is raised here repeats a value.
"""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from hopsight.config.files import read_text, read_yaml
from hopsight.errors import ConfigError

REFERENCE = "reference"
ROLES = (
    "generator",
    "verifier",
    "prober",
    "teacher",
    "policy",
    "judge",
    "analyzer",
    "optimizer",
    "captioner",
    "embedder",
    "reader",
)
MAX_TOLD = 5
_SET_BY_US = frozenset(
    "model messages tools tool_choice response_format temperature top_p max_tokens n stream "
    "max_completion_tokens seed stop logprobs top_logprobs".split()
)

M = TypeVar("M", bound=BaseModel)
Capability = Literal["pictures", "tools", "json_schema", "logprobs", "seed"]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
Money = Annotated[Decimal, Field(ge=0, le=1_000_000, max_digits=18, decimal_places=9)]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


def _web_address(url: str) -> str:
    """A plain http(s) address; a password in it would reach logs and error texts."""
    try:
        parts = urlsplit(url)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError as error:
        raise ValueError("is no address") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_fine:
        raise ValueError("must be an http:// or https:// address")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("must hold no user, password, query or fragment")
    return url.rstrip("/")


Address = Annotated[str, Field(max_length=2000), AfterValidator(_web_address)]


class ModelsSection(BaseModel):
    """A frozen part of the file; unknown keys are errors, and errors show no values."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True
    )


class TokenPrice(ModelsSection):
    """US dollars per million tokens, as published on a day at a place."""

    input_per_million: Money
    output_per_million: Money
    cached_input_per_million: Money | None = None
    as_of: date
    source: Annotated[str, Field(min_length=1, max_length=500)]


class Endpoint(ModelsSection):
    """One model behind an OpenAI-compatible address.

    `model` is also the model's identity in the cache: a model that is served anew under an old
    name answers from the old one's cache. `concurrency` is the most calls at once of one process;
    the rates per minute are shared by all processes of one store.
    """

    base_url: Address
    model: Annotated[str, Field(min_length=1, max_length=200)]
    key_env: Annotated[str, Field(pattern=r"^[A-Z_][A-Z0-9_]{0,99}$")] | None = None
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    proxy: Address | None = None
    ca_bundle: Path | None = None
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 64
    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 120.0
    attempts: Annotated[int, Field(ge=1, le=20)] = 8
    backoff_s: Annotated[float, Field(gt=0, le=60)] = 0.5
    capabilities: tuple[Capability, ...] = ("tools", "json_schema", "seed")
    answers_as: tuple[str, ...] = ()
    max_tokens_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    omit: tuple[Literal["temperature", "top_p"], ...] = ()
    picture_tokens: Count = 16_384
    price: TokenPrice | None = None

    @model_validator(mode="after")
    def _body_is_ours(self) -> Self:
        taken = sorted(_SET_BY_US & self.extra_body.keys())
        if taken:
            raise ValueError(f"extra_body must not set {', '.join(taken)}")
        return self

    @property
    def host(self) -> str:
        """Host and port, which prices go by."""
        return urlsplit(self.base_url).netloc

    @property
    def address(self) -> str:
        """What rates and pauses are counted by: the model at its place."""
        return f"{self.model} at {self.base_url}"

    def can(self, capability: Capability) -> bool:
        """Whether the file declares that the model has it."""
        return capability in self.capabilities


class Roles(ModelsSection):
    """Who answers for each role: the name of an endpoint, `reference`, or `reference-...`."""

    generator: Name = REFERENCE
    verifier: Name = REFERENCE
    prober: Name = REFERENCE
    teacher: Name = REFERENCE
    policy: Name = REFERENCE
    judge: Name = REFERENCE
    analyzer: Name = REFERENCE
    optimizer: Name = REFERENCE
    captioner: Name = REFERENCE
    embedder: Name = REFERENCE
    reader: Name = REFERENCE


class ModelsFile(ModelsSection):
    """The whole file."""

    endpoints: dict[Name, Endpoint] = Field(default_factory=dict)
    roles: Roles = Field(default_factory=Roles)

    @model_validator(mode="after")
    def _roles_exist(self) -> Self:
        for name in self.endpoints:
            if is_reference(name):
                raise ValueError(f"endpoints.{name}: names that begin with reference are taken")
        for role in ROLES:
            name = getattr(self.roles, role)
            if not is_reference(name) and name not in self.endpoints:
                known = ", ".join([REFERENCE, *self.endpoints])
                raise ValueError(f"roles.{role} names {name}, which is none of: {known}")
        return self

    def name_of(self, role: str) -> str:
        """What the file gives for a role. Raises ConfigError for a role that does not exist."""
        if role not in ROLES:
            raise ConfigError(f"there is no role {role!r}", f"roles are {', '.join(ROLES)}")
        name: str = getattr(self.roles, role)
        return name

    def endpoint_of(self, role: str) -> Endpoint | None:
        """The endpoint that answers for a role; None where the rules of `reference` do."""
        return self.endpoints.get(self.name_of(role))


def is_reference(name: str) -> bool:
    """Whether a role's value stands for rules and not for a model."""
    return name == REFERENCE or name.startswith(f"{REFERENCE}-")


def load_models(path: Path) -> ModelsFile:
    """Read and check a models file. Raises ConfigError, which names the key and shows no value."""
    return parse_models(read_text(path), str(path))


def parse_models(text: str, name: str) -> ModelsFile:
    """The same from text; `name` stands for the file in errors."""
    return checked(ModelsFile, read_yaml(text, name), name)


def checked(model: type[M], data: object, name: str) -> M:
    """`data` as `model`, with exact types. Raises ConfigError."""
    try:
        return model.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
    # Raised outside of the handler: pydantic's error holds the values, and a key may be one.
    told = [_problem(detail) for detail in details[:MAX_TOLD]]
    if len(details) > MAX_TOLD:
        told.append(f"and {len(details) - MAX_TOLD} more")
    raise ConfigError(f"{name}: {'; '.join(told)}", _remedy(details[0]))


def _problem(detail: ErrorDetails) -> str:
    key = ".".join(str(part) for part in detail["loc"] if part != "[key]")
    if detail["type"] == "extra_forbidden":
        return f"unknown key {key}"
    if detail["type"] == "missing":
        return f"key {key} is missing"
    said = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    return f"{key}: {said}" if key else said


def _remedy(detail: ErrorDetails) -> str:
    last = str(detail["loc"][-1]) if detail["loc"] else ""
    if last == "key_env" or (detail["type"] == "extra_forbidden" and "key" in last):
        return "give in key_env the NAME of the environment variable that holds the key"
    if last in ("base_url", "proxy"):
        return "write the bare address; a proxy with a password belongs in HTTPS_PROXY"
    if detail["type"] == "extra_forbidden":
        return "take the key out, or mend its spelling"
    if detail["type"] == "missing":
        return f"add {last}"
    return "change that key; configs/models.yaml shows an example"
