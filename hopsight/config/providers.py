"""configs/providers.yaml: who searches, who reads pages, where pictures get a public address.

Secrets are never in this file: `*_env` names the environment variable that holds one, and no error
that is raised here repeats a value.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from hopsight.config.files import read_text, read_yaml
from hopsight.config.models import Address, ModelsSection, checked

SearchName = Literal["auto", "none", "serper", "serpapi", "gateway"]
PagesName = Literal["auto", "none", "plain", "jina", "gateway"]
Variable = Annotated[str, Field(pattern=r"^[A-Z_][A-Z0-9_]{0,99}$")]
Locale = Annotated[str, Field(pattern=r"^[a-zA-Z-]{2,8}$")]
Plain = Annotated[str, Field(pattern=r"^[A-Za-z0-9._/-]{0,200}$")]


def _template(url: str) -> str:
    """An address that holds {name} once, where the picture's name goes."""
    if url.count("{name}") != 1 or not url.startswith(("http://", "https://")):
        raise ValueError("must be an http(s) address that holds {name} once")
    return url


Template = Annotated[str, Field(max_length=2000), AfterValidator(_template)]


class ServiceLimits(ModelsSection):
    """How a service is called. `concurrency` is the most calls at once of one process."""

    concurrency: Annotated[int, Field(ge=1, le=1000)] = 16
    timeout_s: Annotated[float, Field(gt=0, le=600)] = 60.0
    attempts: Annotated[int, Field(ge=1, le=20)] = 4
    backoff_s: Annotated[float, Field(gt=0, le=60)] = 0.5
    break_after: Annotated[int, Field(ge=1, le=1000)] = 8
    rest_s: Annotated[float, Field(gt=0, le=3600)] = 30.0


class SerperConfig(ModelsSection):
    """Google's results through Serper."""

    base_url: Address = "https://google.serper.dev"
    key_env: Variable = "SERPER_API_KEY"
    country: Locale | None = None
    language: Locale | None = None
    limits: ServiceLimits = Field(default_factory=ServiceLimits)


class SerpApiConfig(ModelsSection):
    """Google's results through SerpApi."""

    base_url: Address = "https://serpapi.com"
    key_env: Variable = "SERPAPI_API_KEY"
    country: Locale | None = None
    language: Locale | None = None
    limits: ServiceLimits = Field(default_factory=ServiceLimits)


class JinaConfig(ModelsSection):
    """Pages through Jina Reader; without a key it answers fewer calls a minute."""

    base_url: Address = "https://r.jina.ai"
    key_env: Variable = "JINA_API_KEY"
    limits: ServiceLimits = Field(default_factory=ServiceLimits)


class PlainConfig(ModelsSection):
    """Pages fetched by ourselves: HTML without its scripts, so no key and no service."""

    max_bytes: Annotated[int, Field(ge=1024, le=64 << 20)] = 8 << 20
    limits: ServiceLimits = Field(
        default_factory=lambda: ServiceLimits(timeout_s=30, attempts=2, concurrency=32)
    )


class GithubConfig(ModelsSection):
    """A public repository as image host. What is deleted stays in its history."""

    base_url: Address = "https://api.github.com"
    key_env: Variable = "VISUAL_SEARCH_GITHUB_TOKEN"
    repo: Annotated[str, Field(pattern=r"^[\w.-]{1,100}/[\w.-]{1,100}$")] | None = None
    branch: Plain = "main"
    folder: Plain = "img"
    limits: ServiceLimits = Field(default_factory=lambda: ServiceLimits(concurrency=1))


class S3Config(ModelsSection):
    """A bucket of S3 or of what speaks its protocol, addressed by path.

    Without `public_url` the provider gets a signed address that holds for `expires_s`.
    """

    endpoint: Address = "https://s3.amazonaws.com"
    region: Plain = "us-east-1"
    bucket: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{3,63}$")]
    folder: Plain = ""
    access_key_env: Variable = "AWS_ACCESS_KEY_ID"
    secret_key_env: Variable = "AWS_SECRET_ACCESS_KEY"  # noqa: S105 -- a variable's name
    public_url: Template | None = None
    expires_s: Annotated[int, Field(ge=60, le=604_800)] = 900
    limits: ServiceLimits = Field(default_factory=ServiceLimits)


class TemplateConfig(ModelsSection):
    """Any host that takes PUT at an address made of the name. `auth_env`: Authorization header."""

    put_url: Template
    public_url: Template
    delete_url: Template | None = None
    auth_env: Variable | None = None
    limits: ServiceLimits = Field(default_factory=ServiceLimits)


class ProvidersFile(ModelsSection):
    """The whole file. `auto` takes what the environment has a key for, else nothing (or plain)."""

    search: SearchName = "auto"
    pages: PagesName = "auto"
    image_host: Literal["auto", "none", "github", "s3", "template"] = "auto"
    recordings: Path | None = None
    page_pictures: Annotated[int, Field(ge=0, le=50)] = 6
    serper: SerperConfig = Field(default_factory=SerperConfig)
    serpapi: SerpApiConfig = Field(default_factory=SerpApiConfig)
    jina: JinaConfig = Field(default_factory=JinaConfig)
    plain: PlainConfig = Field(default_factory=PlainConfig)
    github: GithubConfig = Field(default_factory=GithubConfig)
    s3: S3Config | None = None
    template: TemplateConfig | None = None

    @model_validator(mode="after")
    def _named_hosts_are_described(self) -> Self:
        for name in ("s3", "template"):
            if self.image_host == name and getattr(self, name) is None:
                raise ValueError(f"image_host is {name}, and the group {name} is missing")
        return self


def load_providers(path: Path) -> ProvidersFile:
    """Read and check a providers file. Raises ConfigError, which shows no value."""
    return parse_providers(read_text(path), str(path))


def parse_providers(text: str, name: str) -> ProvidersFile:
    """The same from text; `name` stands for the file in errors."""
    return checked(ProvidersFile, read_yaml(text, name), name)
