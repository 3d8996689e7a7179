"""Search and pages behind one signed credential (API_GATEWAY_HOST, _USER and _KEY; API_HOST …).

Unverified: how such a gateway is spoken to is not documented, so nothing here speaks it. What is
here is the place for it: whoever has such a gateway gives a `ProviderGateway`, and everything
after it is the same as for any other provider.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from hopsight.errors import ConfigError
from hopsight.net import Fetcher
from hopsight.providers.keys import Secret, secret
from hopsight.providers.ports import PageProvider, SearchProvider

_TRIPLES: Final = (
    ("API_GATEWAY_HOST", "API_GATEWAY_USER", "API_GATEWAY_KEY"),
    ("API_HOST", "API_USER", "API_KEY"),
)


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    """Where the gateway is, and who asks."""

    host: str
    user: str
    key: Secret


class ProviderGateway(Protocol):
    """Speaks a gateway's protocol."""

    def search(self, settings: GatewaySettings, fetcher: Fetcher) -> SearchProvider:
        """Its searches. They raise ProviderError where the gateway fails."""
        ...

    def pages(self, settings: GatewaySettings, fetcher: Fetcher) -> PageProvider:
        """Its reader of pages."""
        ...


def gateway_settings(environ: Mapping[str, str]) -> GatewaySettings | None:
    """What the environment says of a gateway; None where no triple of variables is whole."""
    for host, user, key in _TRIPLES:
        if all(environ.get(name, "").strip() for name in (host, user, key)):
            return GatewaySettings(
                environ[host].strip(), environ[user].strip(), secret(environ, key, "the gateway")
            )
    return None


def through(
    environ: Mapping[str, str], gateway: ProviderGateway | None
) -> tuple[GatewaySettings, ProviderGateway]:
    """The gateway to use. Raises ConfigError where it is not described, or nobody speaks to it."""
    settings = gateway_settings(environ)
    if settings is None:
        raise ConfigError(
            "providers.yaml names a gateway, and its variables are not set",
            f"set {', '.join(_TRIPLES[0])}",
        )
    if gateway is None:
        raise ConfigError(
            "the environment names a gateway whose protocol is not known here",
            "give an implementation of hopsight.providers.ProviderGateway, or set SERPER_API_KEY "
            "and JINA_API_KEY for the providers themselves",
        )
    return settings, gateway
