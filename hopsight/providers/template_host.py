"""Any server that takes PUT at an address made of a name, as image host."""

from typing import Final

from hopsight.config.providers import TemplateConfig
from hopsight.net import Fetched
from hopsight.providers.failures import refused
from hopsight.providers.keys import Secret
from hopsight.providers.naming import random_name
from hopsight.providers.ports import Hosted
from hopsight.providers.service import Request, Service

NAME: Final = "image host"


class TemplateHost:
    """PUT to `put_url`, shown at `public_url`, DELETE at `delete_url` where there is one."""

    def __init__(self, config: TemplateConfig, auth: Secret | None, service: Service) -> None:
        self._config = config
        self._auth = auth
        self._service = service

    @property
    def deletes(self) -> bool:
        """Whether the file names a delete_url."""
        return self._config.delete_url is not None

    async def put(self, data: bytes, mime: str) -> Hosted:
        """Store the picture."""
        name = random_name(mime)
        url = self._config.put_url.replace("{name}", name)
        headers = self._headers() | {"Content-Type": mime}
        request = Request("PUT", url, headers, data, paid="image_host", operation="upload")
        await self._service.ask(request, _done)
        return Hosted(self._config.public_url.replace("{name}", name), name)

    async def delete(self, hosted: Hosted) -> None:
        """Delete it, where the host can; what is gone already is no error."""
        if self._config.delete_url is None:
            return
        url = self._config.delete_url.replace("{name}", hosted.name)
        request = Request("DELETE", url, self._headers(), operation="delete")
        await self._service.ask(request, _deleted)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": self._auth.value} if self._auth else {}


def _done(fetched: Fetched) -> None:
    if not fetched.ok:
        raise refused(NAME, fetched.status, "")


def _deleted(fetched: Fetched) -> None:
    if fetched.status not in (404, 410):
        _done(fetched)
