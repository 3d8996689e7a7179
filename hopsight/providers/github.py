"""A public GitHub repository as image host, through the Contents API.

PUT and DELETE /repos/{repo}/contents/{path}. GitHub asks for these calls one at a time (parallel
ones conflict: 409). A limit is told with 403 or 429 and `retry-after`, or
`x-ratelimit-remaining: 0` and `x-ratelimit-reset` (seconds of the epoch).
"""

import base64
import json
import time
from typing import Final
from urllib.parse import quote

from hopsight.config.providers import GithubConfig
from hopsight.errors import ConfigError
from hopsight.llm.failures import Reason
from hopsight.net import Fetched
from hopsight.providers.failures import ServiceError, refused
from hopsight.providers.keys import Secret
from hopsight.providers.naming import random_name
from hopsight.providers.payload import Link, Sent, checked, json_of, status_error
from hopsight.providers.ports import Hosted
from hopsight.providers.service import Request, Service

NAME: Final = "github"
_MESSAGE: Final = "picture"


class _File(Sent):
    sha: str
    download_url: Link


class _Made(Sent):
    content: _File


class _Told(Sent):
    message: str = ""


class GithubHost:
    """Uploads become commits; a deleted file is gone from the branch and stays in its history."""

    deletes = True

    def __init__(self, config: GithubConfig, token: Secret, service: Service) -> None:
        if config.repo is None:
            raise ConfigError(
                "the image host github has no repository",
                "set VISUAL_SEARCH_GITHUB_REPO, or github.repo in providers.yaml",
            )
        self._config = config
        self._token = token
        self._service = service

    async def put(self, data: bytes, mime: str) -> Hosted:
        """Commit the picture. Raises ServiceError where the repository is not public."""
        name = random_name(mime)
        body = {"content": base64.b64encode(data).decode()}
        return await self._service.ask(
            self._request("PUT", name, body, paid=True), lambda got: _hosted(got, name)
        )

    async def delete(self, hosted: Hosted) -> None:
        """Take the file off the branch; one that is gone already is no error."""
        request = self._request("DELETE", hosted.name, {"sha": hosted.version}, paid=False)
        await self._service.ask(request, _deleted)

    def _request(self, method: str, name: str, body: dict[str, str], *, paid: bool) -> Request:
        config = self._config
        path = quote(f"{config.folder}/{name}".strip("/"))
        return Request(
            method,
            f"{config.base_url}/repos/{config.repo}/contents/{path}",
            {
                "Authorization": f"Bearer {self._token.value}",
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "Content-Type": "application/json",
            },
            json.dumps(body | {"message": _MESSAGE, "branch": config.branch}).encode(),
            paid="image_host" if paid else None,
            operation="upload" if paid else "delete",
        )


def _hosted(fetched: Fetched, name: str) -> Hosted:
    if fetched.status not in (200, 201):
        raise _refusal(fetched)
    made = checked(NAME, _Made, json_of(NAME, fetched)).content
    if "token=" in made.download_url or not made.download_url:
        raise ServiceError(
            NAME,
            Reason.BAD_REQUEST,
            "the repository is not public, so that no search provider can see the picture",
            remedy="name a public repository",
        )
    return Hosted(made.download_url, name, made.sha)


def _deleted(fetched: Fetched) -> None:
    if fetched.status not in (200, 204, 404):
        raise _refusal(fetched)


def _refusal(fetched: Fetched) -> ServiceError:
    error = status_error(NAME, fetched, lambda body: checked(NAME, _Told, body).message)
    if fetched.status == 409:
        return refused(NAME, 409, "another commit came first", reason=Reason.OVERLOADED)
    left = fetched.headers.get("x-ratelimit-remaining")
    limited = left == "0" or error.retry_after is not None
    if fetched.status not in (403, 429) or not limited:
        return error
    wait = error.retry_after
    reset = fetched.headers.get("x-ratelimit-reset", "")
    if wait is None and reset.isdecimal():
        wait = max(0.0, int(reset[:12]) - time.time())
    detail = "too many calls in an hour"
    return ServiceError(NAME, Reason.RATE_LIMITED, detail, retry_after=wait)
