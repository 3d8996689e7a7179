import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from pipelines.reaper import lives, reap, told

# One run in a process of its own: it says when its step has begun, then waits to be killed.
RUN = """
import sys, time
import dagster as dg

@dg.op(pool="gpu")
def work():
    print("begun", flush=True)
    time.sleep(120)

@dg.job(executor_def=dg.in_process_executor, tags={"dagster/partition": "0007"})
def long_job():
    work()

with dg.DagsterInstance.from_config(sys.argv[1]) as instance:
    long_job.execute_in_process(
        instance=instance,
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
    )
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "dagster.yaml").write_text(
        "telemetry: {enabled: false}\nconcurrency: {pools: {default_limit: 1}}\n"
    )
    return tmp_path


@pytest.fixture
def instance(home: Path) -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.from_config(str(home)) as opened:
        opened.event_log_storage.set_concurrency_slots("gpu", 1)
        yield opened


@pytest.fixture
def worker(home: Path, instance: dg.DagsterInstance) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", RUN, str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        yield process
        process.kill()


def claimed(instance: dg.DagsterInstance) -> int:
    return len(instance.event_log_storage.get_concurrency_info("gpu").claimed_slots)


def test_a_run_whose_process_lives_is_left_alone(
    instance: dg.DagsterInstance, worker: "subprocess.Popen[str]"
) -> None:
    assert reap(instance) == []
    assert [run.status for run in instance.get_runs()] == [dg.DagsterRunStatus.STARTED]
    assert claimed(instance) == 1


def test_a_killed_run_is_reported_failed_and_its_slot_is_freed(
    instance: dg.DagsterInstance, worker: "subprocess.Popen[str]"
) -> None:
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert [run.status for run in instance.get_runs()] == [dg.DagsterRunStatus.STARTED]
    reaped = reap(instance)
    assert [told(run) for run in reaped] == [f"long_job of round 0007 ({reaped[0].run_id[:8]})"]
    assert [run.status for run in instance.get_runs()] == [dg.DagsterRunStatus.FAILURE]
    assert claimed(instance) == 0
    assert reap(instance) == []


def test_a_process_that_ended_and_was_not_waited_for_does_not_live() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as ended:
        assert ended.stdout is not None
        ended.stdout.read()
        deadline = time.monotonic() + 10
        while lives(ended.pid, time.time()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not lives(ended.pid, time.time())


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="only Linux tells when one began")
def test_a_number_that_was_given_to_a_later_process_does_not_count() -> None:
    assert lives(os.getpid(), time.time())
    assert not lives(os.getpid(), time.time() - 10 * 24 * 3600)
