"""Running a round in this process, with the same assets as the UI."""

import logging
from pathlib import Path

import dagster as dg
from dagster._core.instance.ref import InstanceRef
from dagster_shared.error import SerializableErrorInfo
from sqlalchemy.exc import OperationalError

from assets.workspace import PARTITIONS
from hopsight.errors import HopsightError, StoreError
from hopsight.store import round_lock
from hopsight.store.files import store_error
from pipelines.definitions import definitions
from pipelines.jobs import full_round
from pipelines.settings import use_home, workspace_from_environment
from pipelines.terminal import STAGE_LOGGER, stage_lines

UNCAPTURED = {
    "compute_logs": {
        "module": "dagster._core.storage.noop_compute_log_manager",
        "class": "NoOpComputeLogManager",
    }
}
LOOK = "open `hopsight dev` and look at the run"


def run_round(key: str, *, workers: int | None, limit: int, max_usd: float | None) -> None:
    """Materialize every asset for one round. Raises the HopsightError that stopped it."""
    workspace = workspace_from_environment(workers, limit, max_usd)
    workspace.config(key)  # a wrong configuration is told before anything starts
    home = use_home()
    lines = stage_lines()
    try:
        with round_lock(Path(workspace.data), key), _instance(home) as instance:
            instance.add_dynamic_partitions(str(PARTITIONS.name), [key])
            job = definitions(workspace).resolve_job_def(full_round.name)
            result = job.execute_in_process(
                partition_key=key,
                instance=instance,
                raise_on_error=False,
                run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            )
    except OperationalError as error:
        raise StoreError(
            f"Dagster cannot write to {home} ({error.orig})",
            "free some space, see that this user may write there, and run again; what was stored "
            "is intact",
        ) from error
    except OSError as error:
        raise store_error(error, home) from error
    finally:
        logging.getLogger(STAGE_LOGGER).removeHandler(lines)
    if not result.success:
        raise _what_stopped(result)


def _instance(home: Path) -> dg.DagsterInstance:
    """Dagster as its home configures it, but for one thing: what a step prints goes to the screen.

    Dagster would turn the streams of this process into files while a step runs, and nobody could
    follow the progress. The UI's own runs keep their logs.
    """
    return dg.DagsterInstance.from_ref(InstanceRef.from_dir(str(home), overrides=UNCAPTURED))


def _what_stopped(result: dg.ExecuteInProcessResult) -> HopsightError:
    for event in result.all_events:
        if event.is_step_failure:
            failure = event.step_failure_data
            said = failure.user_failure_data.description if failure.user_failure_data else None
            told = said or _innermost(failure.error)
            cause, _, remedy = told.partition(" — ")
            return HopsightError(f"{event.step_key}: {cause}", remedy or LOOK)
    return HopsightError("the run failed", LOOK)


def _innermost(error: SerializableErrorInfo | None) -> str:
    """What an unforeseen exception says: its cause, not the engine's wrapping."""
    while error is not None and error.cause is not None:
        error = error.cause
    return error.message.strip() if error is not None else "no reason given"
