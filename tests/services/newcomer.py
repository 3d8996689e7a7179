"""A newcomer's folders, and a real `hopsight dev` over them."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from hopsight.config import render_default_config

COMMAND = Path(sys.executable).with_name("hopsight")
LOCATION = {
    "repositoryLocationName": "pipelines.definitions",
    "repositoryName": "__repository__",
}
ENDS = {"SUCCESS", "FAILURE", "CANCELED"}
START_S = 90.0
RUN_S = 300.0

LAUNCH = """
mutation Launch($params: ExecutionParams!) {
  launchPipelineExecution(executionParams: $params) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
  }
}"""
RUNS = "{ runsOrError(limit: 50) { ... on Runs { results { runId status jobName } } } }"
FAILURES = """
query Failures($run: ID!) {
  logsForRun(runId: $run) {
    ... on EventConnection {
      events {
        ... on ExecutionStepFailureEvent { stepKey error { message } }
        ... on RunFailureEvent { message }
      }
    }
  }
}"""


@dataclass(frozen=True, slots=True)
class Site:
    """One newcomer's folders: Dagster's home, data, and round configurations."""

    root: Path

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def environment(self) -> dict[str, str]:
        own = {
            "DAGSTER_HOME": str(self.home),
            "HOPSIGHT_DATA": str(self.data),
            "HOPSIGHT_ROUNDS": str(self.root / "rounds"),
            "COLUMNS": "200",
        }
        return {**os.environ, **own}

    def prepare(self, paths: int) -> "Site":
        """Write a small round 0001: `paths` are wanted, all else as a newcomer gets it."""
        self.home.mkdir(parents=True)
        (self.root / ".env").touch()  # else one is written that names this folder the home
        text = render_default_config()
        wanted = next(line for line in text.splitlines() if line.startswith("  paths: "))
        (self.root / "rounds").mkdir()
        small = text.replace(wanted, f"  paths: {paths}")
        (self.root / "rounds" / "0001.yaml").write_text(small, encoding="utf-8")
        return self

    def start(self, *arguments: str, log: Path) -> "subprocess.Popen[bytes]":
        """Start the command in a session of its own, where Ctrl-C has its usual meaning."""
        # A background shell hands down SIGINT ignored, and then nothing stops the UI.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with log.open("wb") as out:
            return subprocess.Popen(
                [COMMAND, *arguments],
                cwd=self.root,
                env=self.environment,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


class Ui:
    """`hopsight dev` over a site, and what its page asks of it."""

    def __init__(self, site: Site) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = site.root / f"dev-{self.port}.log"
        self.process = site.start("dev", "--port", str(self.port), log=self.log)
        self._await_start()

    def _await_start(self) -> None:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                httpx.get(f"{self.address}/server_info", timeout=5).raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.3)
            else:
                return
        self.kill_all()
        pytest.fail(f"the UI did not come up:\n{self.said}")

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def ask(self, query: str, **variables: Any) -> Mapping[str, Any]:
        """One request to the UI's own GraphQL API."""
        body = {"query": query, "variables": variables}
        answer = httpx.post(f"{self.address}/graphql", json=body, timeout=60).json()
        assert "errors" not in answer, json.dumps(answer["errors"])
        return dict(answer["data"])

    def launch(self, job: str, key: str) -> str:
        """Launch a job for a round as the launch dialog does; gives the run's id."""
        tags = [{"key": "dagster/partition", "value": key}]
        params = {
            "selector": {**LOCATION, "jobName": job},
            "runConfigData": {},
            "executionMetadata": {"tags": tags},
        }
        launched = self.ask(LAUNCH, params=params)["launchPipelineExecution"]
        assert launched["__typename"] == "LaunchRunSuccess", launched
        return str(launched["run"]["runId"])

    def runs(self) -> dict[str, str]:
        """Status by run, newest first."""
        results = self.ask(RUNS)["runsOrError"]["results"]
        return {each["runId"]: each["status"] for each in results}

    def wait(self, run: str) -> str:
        """The status that a run ends with."""
        deadline = time.monotonic() + RUN_S
        while time.monotonic() < deadline:
            status = self.runs()[run]
            if status in ENDS:
                return status
            time.sleep(0.5)
        pytest.fail(f"run {run} did not end within {RUN_S:.0f} s:\n{self.said}")

    def failures(self, run: str) -> dict[str, str]:
        """What the failed steps of a run say; the run's own words under ""."""
        events = self.ask(FAILURES, run=run)["logsForRun"]["events"]
        steps = {each["stepKey"]: each["error"]["message"] for each in events if "stepKey" in each}
        return {**steps, "": " ".join(each["message"] for each in events if "message" in each)}

    def stop(self) -> int:
        """Ctrl-C; gives the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)

    def kill_all(self) -> None:
        """kill -9 for the UI and everything that it started, runs included."""
        for pid in session(self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(30)
        await_end(self.process.pid)


def session(leader: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of = path.read_text("ascii", "replace").rpartition(")")[2].split()[:4]
        except OSError:
            continue  # it has ended meanwhile
        if int(of) == leader and state != "Z":
            found.append(int(path.parent.name))
    return found


def await_end(leader: int) -> None:
    """Wait until no process of a session lives; what was killed takes a moment to die."""
    deadline = time.monotonic() + 30
    while left := session(leader):
        assert time.monotonic() < deadline, f"still there: {left}"
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
