"""What every asset does around its stage: lock, read, run, write, report."""

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import dagster as dg

from assets.preview import column_schema, reasons_table
from assets.workspace import WorkspaceResource
from hopsight.config import RoundConfig, fingerprint
from hopsight.datasets import DATASETS, SNAPSHOT_ROUND
from hopsight.errors import ConfigError, HopsightError
from hopsight.harness.benches import BenchSettings, check_bench
from hopsight.harness.executors import Executor
from hopsight.harness.policies import Sampling
from hopsight.harness.toolset import Toolset
from hopsight.judge import JudgeSetup
from hopsight.llm.costs import CostRow
from hopsight.llm.service import ModelSettings, check_settings, stage_cost
from hopsight.provenance import ProvenanceRow, rows_for
from hopsight.stage import Staged
from hopsight.store import DataStore, round_lock
from hopsight.store.files import store_error
from hopsight.types import (
    FunnelRow,
    Record,
    Rejection,
    RoundRecord,
    SnapshotRecord,
    content_hash,
)
from hopsight.wiki.ingest import choice, same_source
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.sources import source_name
from hopsight.wiki.stored import stored_snapshot
from hopsight.workspace import Workspace

log = logging.getLogger("hopsight.stages")

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Made:
    """What a stage made: records by data set, the figures of the stage, and what to show of it.

    `reasons` counts what was rejected, where one rejection stands for many; else rows are counted.
    """

    stage: str
    entered: int
    kept: int
    rejected: tuple[Rejection, ...]
    outputs: Mapping[str, Sequence[Record]]
    model: str | None = None
    preview: str = ""
    reasons: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, stage: str, staged: Staged[Any], outputs: Mapping[str, Sequence[Record]], **more: Any
    ) -> "Made":
        """From a stage's result."""
        return cls(stage, staged.entered, len(staged.kept), staged.rejected, outputs, **more)


@dataclass(frozen=True, slots=True)
class Round:
    """One round as its stages see it."""

    workspace: Workspace
    config: RoundConfig
    workers: int
    executor: Executor
    run_id: str
    logger: Any
    models: ModelSettings
    judge: JudgeSetup
    benches: Callable[[str], BenchSettings]

    @property
    def key(self) -> str:
        """The round's four digits."""
        return self.config.round

    @property
    def store(self) -> DataStore:
        """The sealed data sets."""
        return self.workspace.store

    @property
    def fingerprint(self) -> str:
        """Hash of what decides the round's bytes, the models behind its roles included."""
        models = {role: self.models.identity(role) for role in self.models.endpoints}
        plain = fingerprint(self.config)
        return content_hash([plain, models]) if models else plain

    def name_of(self, role: str) -> str:
        """Who answers for a role: an endpoint's name, or that of rules."""
        return str(getattr(self.config.models, role))

    @property
    def sampling(self) -> Sampling:
        """How a model's turns are drawn."""
        return Sampling(**self.config.harness.sampling.model_dump())

    def read(self, name: str, record_type: type[R]) -> list[R]:
        """A data set of this round. Raises StoreError with the asset to materialize first."""
        return self.store.read(name, self.key, record_type)

    def snapshot(self) -> Snapshot:
        """The wiki."""
        return stored_snapshot(self.store)

    def source(self) -> SnapshotRecord:
        """What the stored snapshot was read from."""
        return self.store.read("snapshots", SNAPSHOT_ROUND, SnapshotRecord)[0]

    def check_configuration(self) -> None:
        """Refuse to mix two configurations or two wikis in one round. Raises ConfigError."""
        stored = self.read("round_configs", RoundRecord)[0]
        if stored.fingerprint != self.fingerprint:
            raise ConfigError(
                f"round {self.key} was begun with another configuration",
                "undo the change, materialize the whole round again (`hopsight run --round "
                f"{self.key}`), or put the change into a new round",
            )
        source, named = self.source(), self.config.source
        if not same_source(self.config, source):
            raise ConfigError(
                f"the stored snapshot was read from {source.dump} {source.version}".rstrip()
                + f", and round {self.key} names {source_name(named)} {named.version}".rstrip(),
                "materialize wiki_scan, link_graph, wiki_snapshot and search_index again",
            )
        if source.choice != choice(self.config, source.articles):
            raise ConfigError(
                f"the stored snapshot holds {source.pages:,} of {source.articles:,} articles that "
                f"were chosen for another configuration than that of round {self.key}",
                "materialize link_graph, wiki_snapshot and search_index again",
            )


def run_stage(
    context: dg.AssetExecutionContext,
    workspace: WorkspaceResource,
    stage: Callable[[Round], Made],
    *,
    begins: bool = False,
) -> dg.MaterializeResult[Any]:
    """Run one stage of the round that is the partition, store what it made, and report it.

    `begins` is True for the one asset that fixes the round's configuration. A HopsightError
    becomes a failure that says cause and remedy; repeating would not help.
    """

    def checked(round_: Round) -> Made:
        if begins:
            check_settings(round_.models, os.environ)
            harness = round_.config.harness
            check_bench(round_.benches("policy_rollouts"), Toolset(harness.tools, harness.dialect))
        else:
            round_.check_configuration()
        return stage(round_)

    return _run(context, workspace, checked, serves_all=False)


def run_snapshot_stage(
    context: dg.AssetExecutionContext,
    workspace: WorkspaceResource,
    stage: Callable[[Round], Made],
) -> dg.MaterializeResult[Any]:
    """Run a stage that serves all rounds. The source is that of the run's round, else the newest.

    Raises dg.Failure as `run_stage` does.
    """
    return _run(context, workspace, stage, serves_all=True)


def _run(
    context: dg.AssetExecutionContext,
    workspace: WorkspaceResource,
    stage: Callable[[Round], Made],
    *,
    serves_all: bool,
) -> dg.MaterializeResult[Any]:
    """Lock, run, write, report; the one place where an error becomes a failure that is told."""
    began = time.monotonic()
    name = context.asset_key.path[-1]
    try:
        round_ = _open(context, workspace)
        key = SNAPSHOT_ROUND if serves_all else round_.key
        with round_lock(round_.workspace.root, f"{key}-{name}"):
            log.info("event=stage_begins stage=%s", name, extra={"stage": name})
            made = stage(round_)
            cost = stage_cost(round_.models, made.stage)
            _write(round_, made, key, time.monotonic() - began, cost)
    except HopsightError as error:
        raise dg.Failure(str(error), allow_retries=False) from error
    except OSError as error:
        told = store_error(error, workspace.workspace.root)
        raise dg.Failure(str(told), allow_retries=False) from error
    return _report(made, time.monotonic() - began, cost)


def _open(context: dg.AssetExecutionContext, workspace: WorkspaceResource) -> Round:
    """The run's round; a run without one, of assets that serve all rounds, takes the newest."""
    key = context.partition_key if context.has_partition_key else workspace.newest_round()
    config = workspace.config(key)
    return Round(
        workspace.workspace,
        config,
        workspace.workers,
        workspace.executor(),
        context.run.run_id,
        context.log,
        workspace.model_settings(config),
        workspace.judge(config),
        partial(workspace.bench_settings, config),
    )


def _write(round_: Round, made: Made, key: str, seconds: float, cost: CostRow | None) -> None:
    store = round_.store
    for name, records in made.outputs.items():
        store.write(name, key, records, record_type=DATASETS[name])
    store.write(f"rejections_{made.stage}", key, made.rejected, record_type=Rejection)
    store.write(f"funnel_{made.stage}", key, [_funnel_row(made)], record_type=FunnelRow)
    records = [record for records in made.outputs.values() for record in records]
    rows = rows_for(
        [*records, *made.rejected],
        stage=made.stage,
        round=key,
        run_id=round_.run_id,
        made_at=datetime.now(UTC),
        model=made.model,
        seed=round_.config.seed,
        cost_usd=cost.usd if cost else 0.0,
        seconds=seconds,
    )
    store.write(f"provenance_{made.stage}", key, rows, record_type=ProvenanceRow)


def _funnel_row(made: Made) -> FunnelRow:
    return FunnelRow.of(made.stage, made.entered, made.kept, _counts(made))


def _counts(made: Made) -> dict[str, int]:
    if made.reasons:
        return dict(made.reasons)
    staged: Staged[Any] = Staged(made.entered, (), made.rejected)
    return staged.reasons()


def _spent(cost: CostRow | None) -> dict[str, Any]:
    """Money, tokens and calls of models; calls without a known price are told, never guessed."""
    if cost is None:
        return {"cost_usd": 0.0}
    told = {"cost_usd": cost.usd, "tokens": cost.tokens, "model calls": cost.calls}
    return told | ({"calls of unknown price": cost.unknown} if cost.unknown else {})


def _report(made: Made, seconds: float, cost: CostRow | None) -> dg.MaterializeResult[Any]:
    rejected = sum(_counts(made).values())
    log.info(
        "event=stage_ends stage=%s entered=%d kept=%d rejected=%d seconds=%.1f",
        made.stage,
        made.entered,
        made.kept,
        rejected,
        seconds,
        extra={"stage": made.stage, "figures": (made.kept, rejected, seconds)},
    )
    metadata: dict[str, Any] = {
        "entered": made.entered,
        "kept": made.kept,
        "rejected": rejected,
        "seconds": round(seconds, 2),
        **_spent(cost),
        **made.extra,
    }
    if made.rejected:
        metadata["rejected by reason"] = dg.MetadataValue.md(reasons_table(_counts(made)))
    if made.preview:
        metadata["preview"] = dg.MetadataValue.md(made.preview)
    first = next(iter(made.outputs), None)
    if first is not None:
        metadata["dagster/column_schema"] = column_schema(DATASETS[first])
        metadata["dagster/row_count"] = len(made.outputs[first])
    return dg.MaterializeResult(metadata=metadata)
