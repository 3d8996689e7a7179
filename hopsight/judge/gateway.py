"""A judge behind a gateway that is not OpenAI-compatible (JUDGE_API_BASE_URL and its fellows).

Unverified: the gateway's protocol (signed requests for an application) is not documented, so
nothing here speaks it. What is here is the place for it: whoever has such a gateway gives a
`Gateway`, and everything after it is the same as for any other model.
"""

from dataclasses import dataclass
from typing import Protocol

from hopsight.errors import ConfigError
from hopsight.llm.structured import Complete


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    """Where the gateway is. `key_env` names the variable that holds the secret."""

    base_url: str
    app_id: str
    key_env: str
    model_marker: str


class Gateway(Protocol):
    """Speaks a gateway's protocol."""

    def connect(self, settings: GatewaySettings) -> Complete:
        """A way of asking the model. It raises ProviderError where the gateway fails."""
        ...


def through(settings: GatewaySettings, gateway: Gateway | None) -> Complete:
    """A way of asking the model behind `settings`; ConfigError where no `Gateway` is given."""
    if gateway is None:
        raise ConfigError(
            "JUDGE_API_BASE_URL names a gateway whose protocol is not known here",
            "give an implementation of hopsight.judge.gateway.Gateway, or set JUDGE_MODEL and "
            "JUDGE_BASE_URL for an OpenAI-compatible server",
        )
    return gateway.connect(settings)
