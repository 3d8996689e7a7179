"""What a reverse image search can be shown: an address that the provider can reach."""

from urllib.parse import urlsplit

from hopsight.llm.failures import Reason, shown
from hopsight.providers.failures import ServiceError

_REMEDY = "give the picture a public address: name an image_host in providers.yaml"


def public_address(service: str, url: str) -> str:
    """`url` if a provider can reach it. Raises ServiceError for a path, a file or a data: URL."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme in ("http", "https") and host:
        return url
    what = parts.scheme if parts.scheme in ("data", "file", "blob", "http", "https") else ""
    kind = f"a {what}: address" if what else "a local path, no address"
    detail = f"{shown(url[:80], None)!r} is {kind}; only pictures on the web can be searched by"
    raise ServiceError(service, Reason.BAD_REQUEST, detail, remedy=_REMEDY)
