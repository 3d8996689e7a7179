"""A bucket of S3, or of what speaks its protocol, as image host: PUT and DELETE by signed address.

Errors are XML: `<Error><Code>AccessDenied</Code>…`; SlowDown (503) asks for fewer calls.
"""

import re
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from hopsight.config.providers import S3Config
from hopsight.llm.failures import Reason
from hopsight.net import Fetched
from hopsight.providers.failures import ServiceError, refused
from hopsight.providers.naming import random_name
from hopsight.providers.ports import Hosted
from hopsight.providers.service import Request, Service
from hopsight.providers.sigv4 import Signer

NAME: Final = "s3"
_CODE: Final = re.compile(rb"<Code>([A-Za-z0-9.]{1,60})</Code>")
_REASONS: Final = {
    "SlowDown": Reason.OVERLOADED,
    "RequestTimeout": Reason.TIMEOUT,
    "InvalidAccessKeyId": Reason.UNAUTHORISED,
    "SignatureDoesNotMatch": Reason.UNAUTHORISED,
    "AccessDenied": Reason.UNAUTHORISED,
    "NoSuchBucket": Reason.NOT_FOUND,
}


class S3Host:
    """Pictures under the bucket's public address, or under a signed one that expires."""

    deletes = True

    def __init__(self, config: S3Config, signer: Signer, service: Service) -> None:
        self._config = config
        self._signer = signer
        self._service = service

    async def put(self, data: bytes, mime: str) -> Hosted:
        """Store the picture."""
        name = random_name(mime)
        request = Request(
            "PUT",
            self._signed("PUT", name),
            {"Content-Type": mime},
            data,
            paid="image_host",
            operation="upload",
        )
        await self._service.ask(request, lambda got: _done(got, (200, 201, 204)))
        template = self._config.public_url
        public = template.replace("{name}", name) if template else self._signed("GET", name)
        return Hosted(public, name)

    async def delete(self, hosted: Hosted) -> None:
        """Delete it; what is gone already is no error."""
        request = Request("DELETE", self._signed("DELETE", hosted.name), operation="delete")
        await self._service.ask(request, lambda got: _done(got, (200, 204, 404)))

    def _signed(self, method: str, name: str) -> str:
        config = self._config
        key = quote(f"{config.folder}/{name}".strip("/"), safe="/")
        url = f"{config.endpoint}/{config.bucket}/{key}"
        return self._signer.presigned(method, url, config.expires_s, datetime.now(UTC))


def _done(fetched: Fetched, good: tuple[int, ...]) -> None:
    if fetched.status in good:
        return
    raise _refusal(fetched)


def _refusal(fetched: Fetched) -> ServiceError:
    match = _CODE.search(fetched.body[:20_000])
    code = match[1].decode() if match else "nothing said"
    return refused(NAME, fetched.status, code, reason=_REASONS.get(code))
