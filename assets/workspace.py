"""The resource that tells an asset where the data lie and how the round is configured."""

import os
import re
from pathlib import Path

import dagster as dg

from hopsight.budget import USD_UNITS
from hopsight.config import ModelsConfig, RoundConfig, load_round
from hopsight.config.models import ModelsFile, load_models
from hopsight.config.providers import ProvidersFile, load_providers
from hopsight.errors import ConfigError
from hopsight.harness.benches import BenchSettings
from hopsight.harness.executors import Executor, OnRay, local_executor
from hopsight.judge import JudgeSetup
from hopsight.llm.ledger import SpendLimits
from hopsight.llm.service import ModelSettings
from hopsight.providers import summary_endpoint
from hopsight.roles import answering, endpoint_of, judge_of
from hopsight.wiki.sources import check_source
from hopsight.workspace import Workspace

PARTITIONS = dg.DynamicPartitionsDefinition(name="evolution_round")
"""One partition per round; keys are four digits, in order."""

KEY = re.compile("[0-9]{4}")
"""The UI lets a person type any new key."""


class WorkspaceResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """`data` is the data folder, `rounds` the folder of `<round>.yaml` files.

    `models` is the file that names models and where they are served; without it rules answer.
    `providers` is the file that names who searches the web; without it the environment's keys do.

    `workers` is the number of processes that roll out and never changes what comes out; with the
    address of a Ray cluster in `ray` they are that cluster's. `limit`,
    where above 0, caps the paths of a round; `max_usd`, where not negative, what it may spend.
    """

    data: str
    rounds: str
    models: str = ""
    providers: str = ""
    ray: str = ""
    workers: int = 1
    limit: int = 0
    max_usd: float = -1.0

    @property
    def workspace(self) -> Workspace:
        """The folders."""
        return Workspace(Path(self.data))

    def newest_round(self) -> str:
        """The last round that has a configuration. Raises ConfigError where none has."""
        found = sorted(path.stem for path in Path(self.rounds).glob("[0-9][0-9][0-9][0-9].yaml"))
        if not found:
            raise ConfigError(
                f"no round is configured in {self.rounds}", "run `hopsight init` first"
            )
        return found[-1]

    def models_file(self) -> ModelsFile:
        """The models and who answers for a role. Raises ConfigError where the file is wrong."""
        path = Path(self.models)
        return load_models(path) if self.models and path.exists() else ModelsFile()

    def model_settings(self, config: RoundConfig) -> ModelSettings:
        """Who answers for the roles of a round, and what that may cost."""
        file = self.models_file()
        found = {role: endpoint_of(config.models, role, file) for role in ModelsConfig.roles()}
        judges = self.judge(config).endpoints
        found["judge"] = judges[0] if judges else None
        found["reader"] = file.endpoint_of("reader") or summary_endpoint(os.environ)
        budget = config.budget
        usd = None if budget.max_usd is None else round(budget.max_usd * USD_UNITS)
        return ModelSettings(
            self.workspace.calls,
            config.round,
            {role: endpoint for role, endpoint in found.items() if endpoint is not None},
            SpendLimits(budget.max_calls, budget.max_tokens, usd),
            seed=config.seed,
        )

    def executor(self) -> Executor:
        """Who plays episodes: this machine, or a Ray cluster."""
        if self.ray:
            return OnRay(self.workers, address=self.ray)
        return local_executor(self.workers)

    def bench_settings(self, config: RoundConfig, stage: str) -> BenchSettings:
        """What the tools of a round's episodes work with; what they pay counts for `stage`."""
        path = Path(self.providers)
        named = self.providers and path.exists()
        return BenchSettings(
            index=self.workspace.index,
            pictures=self.workspace.root,
            backend=config.harness.backend,
            tools=config.harness.tools,
            providers=load_providers(path) if named else ProvidersFile(),
            paying=self.model_settings(config),
            stage=stage,
        )

    def judge(self, config: RoundConfig) -> JudgeSetup:
        """Who judges a round: its endpoint, or a judge that the environment names."""
        return judge_of(config.models, self.models_file(), os.environ)

    def config(self, round: str) -> RoundConfig:
        """The configuration of a round.

        Raises ConfigError where its file is missing or wrong, SourceError where its dump is.
        """
        if not KEY.fullmatch(round):
            raise ConfigError(
                f"{round!r} is not a round: the name of a round is four digits, like 0002",
                "launch it for one of the rounds that have a file in " + self.rounds,
            )
        path = Path(self.rounds) / f"{round}.yaml"
        if not path.is_file():
            raise ConfigError(
                f"round {round} has no configuration: {path} does not exist",
                "run `hopsight init` for round 0001, or copy an earlier round's file and edit it",
            )
        config = load_round(path)
        models = answering(config.models, self.models_file(), os.environ)
        config = config.model_copy(update={"models": models})
        check_source(config.source)  # a missing dump is told before anything starts
        if config.round != round:
            raise ConfigError(
                f"{path} configures round {config.round}, not {round}",
                f'set round: "{round}" in it',
            )
        if self.limit > 0:
            explore = config.explore.model_copy(
                update={"paths": min(self.limit, config.explore.paths)}
            )
            config = config.model_copy(update={"explore": explore})
        if self.max_usd >= 0:
            budget = config.budget.model_copy(update={"max_usd": self.max_usd})
            config = config.model_copy(update={"budget": budget})
        return config
