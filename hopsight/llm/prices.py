"""What calls cost: a dated file of prices. What is not in it has an unknown cost, never a guess.

Money is counted in whole billionths of a US dollar, each cost rounded up.
"""

from datetime import date
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from hopsight.budget import USD_UNITS
from hopsight.config.files import read_text, read_yaml
from hopsight.config.models import Endpoint, ModelsSection, Money, TokenPrice, checked
from hopsight.llm.chat import TokenUse

PRICES = Path(__file__).parent / "prices.yaml"
MILLION = 1_000_000

ServiceKind = Literal["search", "page", "image_host"]


class ModelPrice(TokenPrice):
    """The price of a model at a host: the same weights may cost something else elsewhere."""

    host: Annotated[str, Field(min_length=1)]
    model: Annotated[str, Field(min_length=1)]


class ServicePrice(ModelsSection):
    """US dollars per call of a search, page or image-host service."""

    kind: ServiceKind
    per_call: Money
    as_of: date
    source: Annotated[str, Field(min_length=1, max_length=500)]


class PriceList(ModelsSection):
    """The whole file, as of a day. All amounts are in `currency`: nothing is converted."""

    as_of: date
    currency: Literal["USD"]
    models: tuple[ModelPrice, ...] = ()
    services: tuple[ServicePrice, ...] = ()

    @model_validator(mode="after")
    def _one_price_each(self) -> Self:
        models = [(price.host, price.model) for price in self.models]
        services = [price.kind for price in self.services]
        if len(set(models)) < len(models) or len(set(services)) < len(services):
            raise ValueError("a model at a host, and a kind of service, may have one price only")
        return self

    def of(self, endpoint: Endpoint) -> TokenPrice | None:
        """The price that the endpoint states, else that of its model at its host, else None."""
        if endpoint.price is not None:
            return endpoint.price
        for price in self.models:
            if (price.host, price.model) == (endpoint.host, endpoint.model):
                return price
        return None

    def of_service(self, kind: ServiceKind) -> int | None:
        """Units of money for one call of a service; None where it is unknown."""
        for price in self.services:
            if price.kind == kind:
                return _up(price.per_call * USD_UNITS)
        return None


def load_prices(path: Path = PRICES) -> PriceList:
    """Read and check a file of prices. Raises ConfigError."""
    return checked(PriceList, read_yaml(read_text(path), str(path)), str(path))


def worst_cost(price: TokenPrice, prompt: int, completion: int) -> int:
    """Units of money that a call costs at most, nothing of it cached."""
    return _up((prompt * price.input_per_million + completion * price.output_per_million) * _EACH)


def cost(price: TokenPrice, used: TokenUse) -> int | None:
    """Units of money that a call cost; None where the server did not count its tokens."""
    if used.prompt is None or used.completion is None:
        return None
    cached = used.cached_prompt if price.cached_input_per_million is not None else 0
    cached_price = price.cached_input_per_million or Decimal(0)
    dollars_times_million = (
        (used.prompt - cached) * price.input_per_million
        + cached * cached_price
        + used.completion * price.output_per_million
    )
    return _up(dollars_times_million * _EACH)


_EACH = Decimal(USD_UNITS // MILLION)


def _up(amount: Decimal) -> int:
    return int(amount.to_integral_value(ROUND_CEILING))
