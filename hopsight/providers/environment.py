"""What the environment variables of published systems say, and which of them win.

1. What providers.yaml names (`search: serper`) stands. `auto` is decided here.
2. SERPER_API_KEY, else SERPAPI_API_KEY, else a whole gateway (API_GATEWAY_HOST, _USER, _KEY, or
   API_HOST, API_USER, API_KEY), else no search.
3. JINA_API_KEY, else the gateway where it searches too, else pages are fetched by ourselves.
4. VISUAL_SEARCH_GITHUB_TOKEN with _REPO (and _BRANCH, _UPLOAD_DIR), else no image host.

Beside the providers: QWEN_API_BASE and QWEN_MODEL_NAME (who reads a visited page for a goal),
LAYOUT_PARSING_API_URL and LAYOUT_PARSING_TOKEN, TRAJ_DUMP_DIR, SEARCH_CACHED_DATA_PATHS.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from hopsight.config.models import Endpoint
from hopsight.config.providers import GithubConfig, ProvidersFile, SearchName
from hopsight.errors import ConfigError
from hopsight.providers.gateway import gateway_settings

log = logging.getLogger(__name__)

QWEN_MODEL: Final = "Qwen/Qwen3-32B"
_GITHUB: Final = {
    "repo": "VISUAL_SEARCH_GITHUB_REPO",
    "branch": "VISUAL_SEARCH_GITHUB_BRANCH",
    "folder": "VISUAL_SEARCH_GITHUB_UPLOAD_DIR",
}


def resolved(file: ProvidersFile, environ: Mapping[str, str]) -> ProvidersFile:
    """`file` with every `auto` decided and the repository's variables taken in.

    Raises ConfigError for a variable that cannot be used; it shows its name, not its value.
    """
    github = _github(file.github, environ)
    gateway = gateway_settings(environ) is not None
    search = _search(file, environ, gateway=gateway)
    if gateway and search != "gateway":
        log.info("event=gateway_ignored search=%s", search)
    pages, host = file.pages, file.image_host
    if pages == "auto" and _is_set(environ, file.jina.key_env):
        pages = "jina"
    elif pages == "auto":
        pages = "gateway" if search == "gateway" else "plain"
    if host == "auto":
        ready = github.repo is not None and _is_set(environ, github.key_env)
        host = "github" if ready else "none"
    return file.model_copy(
        update={"search": search, "pages": pages, "image_host": host, "github": github}
    )


def summary_endpoint(environ: Mapping[str, str]) -> Endpoint | None:
    """The model that reads visited pages for a goal, by QWEN_API_BASE; None where it is not set."""
    base = environ.get("QWEN_API_BASE", "").strip()
    if not base:
        return None
    model = environ.get("QWEN_MODEL_NAME", "").strip() or QWEN_MODEL
    try:
        return Endpoint(base_url=base, model=model, capabilities=())
    except ValidationError:
        pass
    raise _unusable("QWEN_API_BASE or QWEN_MODEL_NAME", "an http(s) address and a short name")


def trajectory_folder(environ: Mapping[str, str]) -> Path | None:
    """Where episodes are also written to, by TRAJ_DUMP_DIR; None where it is not set."""
    name = environ.get("TRAJ_DUMP_DIR", "").strip()
    return Path(name) if name else None


def cached_lens_files(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """The files that SEARCH_CACHED_DATA_PATHS names, colons between them."""
    names = environ.get("SEARCH_CACHED_DATA_PATHS", "").split(":")
    return tuple(Path(name.strip()) for name in names if name.strip())


def _github(config: GithubConfig, environ: Mapping[str, str]) -> GithubConfig:
    told = {field: environ.get(name, "").strip() for field, name in _GITHUB.items()}
    told = {field: value.strip("/") for field, value in told.items() if value}
    try:
        return GithubConfig.model_validate(config.model_dump() | told)
    except ValidationError as error:
        wrong = {str(issue["loc"][0]) for issue in error.errors(include_input=False)}
    names = ", ".join(_GITHUB.get(field, field) for field in sorted(wrong))
    raise _unusable(names, "owner/repository, a branch and a folder")


def _search(file: ProvidersFile, environ: Mapping[str, str], *, gateway: bool) -> SearchName:
    if file.search != "auto":
        return file.search
    if _is_set(environ, file.serper.key_env):
        return "serper"
    if _is_set(environ, file.serpapi.key_env):
        return "serpapi"
    return "gateway" if gateway else "none"


def _is_set(environ: Mapping[str, str], name: str) -> bool:
    return bool(environ.get(name, "").strip())


def _unusable(name: str, wanted: str) -> ConfigError:
    return ConfigError(f"{name} cannot be used", f"give {wanted}, or unset it")
