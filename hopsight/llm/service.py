"""The models of one round as its stages use them: opened by settings, asked by role.

The settings can be handed to other processes: each opens the models itself, and all share one
file of answers, costs and limits.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hopsight.config.models import Endpoint
from hopsight.errors import ConfigError
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import ChatAnswer, ChatRequest
from hopsight.llm.client import ModelClient
from hopsight.llm.costs import CostRow
from hopsight.llm.embedding import Vector
from hopsight.llm.ledger import SpendLimits
from hopsight.llm.prices import PriceList, load_prices
from hopsight.types import content_hash

Complete = Callable[[ChatRequest, int], Awaitable[ChatAnswer]]
"""Asks a model: a request and the number of the sample. Raises ProviderError, BudgetExceeded."""

Embed = Callable[[Sequence[str]], Awaitable[list[Vector]]]
"""Asks a model for a vector of each text. Raises ProviderError, BudgetExceeded."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where calls are kept, what they may cost together, and who answers for which role.

    `endpoints` holds roles that a model answers; for all others rules do.
    """

    folder: Path
    scope: str
    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    limits: SpendLimits = field(default_factory=SpendLimits)
    prices: PriceList = field(default_factory=load_prices)
    seed: int = 0

    @classmethod
    def of_rules(cls) -> "ModelSettings":
        """Rules answer for every role; nothing is ever kept or paid."""
        return cls(Path(), "rules")

    def identity(self, role: str) -> str:
        """What tells apart the answers for a role: all of its endpoint but where it is and how
        often it may be asked, or `reference`."""
        endpoint = self.endpoints.get(role)
        if endpoint is None:
            return "reference"
        kept = {"model", "extra_body", "capabilities", "omit", "max_tokens_key"}
        return content_hash(endpoint.model_dump(mode="json", include=kept))


@dataclass(frozen=True, slots=True)
class Models:
    """Open models, within one event loop."""

    settings: ModelSettings
    client: ModelClient | None

    def endpoint(self, role: str) -> Endpoint | None:
        """Who answers for a role; None where rules do."""
        return self.settings.endpoints.get(role)

    def complete(self, role: str, stage: str, record_id: str) -> Complete | None:
        """Asks the model of a role, at the cost of a record of a stage; None where rules answer."""
        endpoint = self.endpoint(role)
        return None if endpoint is None else self.at(endpoint, role, stage, record_id)

    def embed(self, role: str, stage: str, record_id: str) -> Embed | None:
        """Asks the model of a role for vectors, likewise; None where rules answer."""
        endpoint = self.endpoint(role)
        if endpoint is None:
            return None
        return partial(
            self._open(role).embed, endpoint=endpoint, role=role, stage=stage, record_id=record_id
        )

    def at(self, endpoint: Endpoint, role: str, stage: str, record_id: str) -> Complete:
        """Asks the model of an endpoint for a role. Raises ValueError if no models are open."""
        client = self._open(role)

        async def ask(request: ChatRequest, sample: int) -> ChatAnswer:
            return await client.complete(
                request,
                endpoint=endpoint,
                role=role,
                stage=stage,
                record_id=record_id,
                sample=sample,
            )

        return ask

    def _open(self, role: str) -> ModelClient:
        if self.client is None:
            raise ValueError(f"no models are open, so that {role} cannot be asked")
        return self.client


def check_settings(settings: ModelSettings, environ: Mapping[str, str]) -> None:
    """Raises ConfigError for an endpoint whose key is missing, or whose price is unknown where
    money is limited: before anything is made, not after an hour of it."""
    for role, endpoint in sorted(settings.endpoints.items()):
        if endpoint.key_env is not None and not environ.get(endpoint.key_env):
            raise ConfigError(
                f"{role}: {endpoint.address} needs a key, and {endpoint.key_env} is not set",
                f"set {endpoint.key_env} in .env or in the environment",
            )
        if settings.limits.cost is not None and settings.prices.of(endpoint) is None:
            raise ConfigError(
                f"{role}: money is limited and the price of {endpoint.address} is unknown",
                "give its price in configs/models.yaml, or limit calls or tokens instead",
            )


def stage_cost(settings: ModelSettings, stage: str) -> CostRow | None:
    """What a stage of the scope has cost so far; None where no model was asked for it."""
    if not settings.endpoints:
        return None
    with CallStore(settings.folder, settings.scope, settings.limits) as store:
        rows = store.costs(["stage"])
    return next((row for row in rows if row.group == (stage,)), None)


@asynccontextmanager
async def open_models(settings: ModelSettings) -> AsyncIterator[Models]:
    """Open what the settings name; nothing is opened where rules answer for every role."""
    if not settings.endpoints:
        yield Models(settings, None)
        return
    with CallStore(settings.folder, settings.scope, settings.limits) as store:
        async with ModelClient(store, settings.prices, seed=settings.seed) as client:
            yield Models(settings, client)
