"""The resource that tells an asset where the data lie and how the round is configured."""

import re
from pathlib import Path

import dagster as dg

from hopsight.config import RoundConfig, load_round
from hopsight.errors import ConfigError
from hopsight.reference.policies import check_models
from hopsight.wiki.sources import source_files
from hopsight.workspace import Workspace

PARTITIONS = dg.DynamicPartitionsDefinition(name="evolution_round")
"""One partition per round; keys are four digits, in order."""

KEY = re.compile("[0-9]{4}")
"""The UI lets a person type any new key."""


class WorkspaceResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """`data` is the data folder, `rounds` the folder of `<round>.yaml` files.

    `workers` is the number of processes that roll out and never changes what comes out. `limit`,
    where above 0, caps the paths of a round; `max_usd`, where not negative, what it may spend.
    """

    data: str
    rounds: str
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
        check_models(config.models)
        source_files(config.source)  # a missing dump is told before anything starts
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
