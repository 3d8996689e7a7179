"""Runs that were killed: nothing marks them ended, so this does, before the UI starts.

A run whose process was killed says STARTED for ever and keeps its slot in a pool, and the next run
waits behind it. The events of a run name its processes; where none of them lives, the run is over.
"""

import os
from pathlib import Path

import dagster as dg
from dagster import DagsterEventType, DagsterRun, DagsterRunStatus, EventLogEntry, RunsFilter
from dagster._core.launcher.default_run_launcher import DefaultRunLauncher

SAID = "Its process was killed before it could report. Launch it again: finished work is reused."

UNDER_WAY = [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING]
NAMES_A_PROCESS = {
    DagsterEventType.ENGINE_EVENT,
    DagsterEventType.RUN_START,
    DagsterEventType.STEP_START,
}
CLOCK_SLACK_S = 2.0
"""The boot time that Linux tells is whole seconds."""


def reap(instance: dg.DagsterInstance) -> list[DagsterRun]:
    """Report the killed runs as failed and free their slots; gives them, oldest first.

    Runs that no event names a process of are left to Dagster's run monitoring, and so are all
    runs where a launcher starts them on other machines.
    """
    if not isinstance(instance.run_launcher, DefaultRunLauncher):
        return []
    under_way = instance.get_runs(RunsFilter(statuses=UNDER_WAY), ascending=True)
    killed = [run for run in under_way if _was_killed(instance, run)]
    for run in killed:
        instance.report_run_failed(run, SAID)
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
    return killed


def _was_killed(instance: dg.DagsterInstance, run: DagsterRun) -> bool:
    seen: dict[int, float] = {}
    for entry in instance.all_logs(run.run_id, of_type=NAMES_A_PROCESS):
        pid = _process_of(entry)
        if pid is not None:
            seen[pid] = max(entry.timestamp, seen.get(pid, 0.0))
    return bool(seen) and not any(lives(pid, at) for pid, at in seen.items())


def _process_of(entry: EventLogEntry) -> int | None:
    event = entry.dagster_event
    if event is None:
        return None
    if event.pid is not None:
        return event.pid
    told = event.engine_event_data.metadata.get("pid") if event.is_engine_event else None
    text = "" if told is None else str(told.value)
    return int(text) if text.isdigit() else None


def lives(pid: int, at: float) -> bool:
    """Whether the process that was `pid` at the time `at` (seconds since the epoch) still lives.

    A later process may have been given the same number: where the system tells when it began
    (Linux), that decides. A process that has ended and was not waited for does not live.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it lives, as somebody else
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return True
    state, ticks = fields[0], int(fields[19])
    return state not in "ZX" and _boot_time() + ticks / os.sysconf("SC_CLK_TCK") <= (
        at + CLOCK_SLACK_S
    )


def _boot_time() -> float:
    lines = Path("/proc/stat").read_text("ascii").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("btime "))


def told(run: DagsterRun) -> str:
    """A reaped run in one line."""
    began = run.tags.get("dagster/partition")
    which = f" of round {began}" if began else ""
    return f"{run.job_name}{which} ({run.run_id[:8]})"
