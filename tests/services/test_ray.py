"""Episodes on a Ray cluster of two nodes, one of which is killed in the middle."""

import functools
import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from hopsight.budget import BudgetExceeded
from hopsight.config.models import Endpoint
from hopsight.errors import ConfigError, HopsightError
from hopsight.harness import Limits, RolloutJob, Stage, episode_seed, run_rollouts
from hopsight.harness.executors import InProcess, OnRay
from hopsight.harness.policies import Sampling
from hopsight.llm.ledger import SpendLimits
from hopsight.llm.service import ModelSettings
from hopsight.policies import make_policy
from hopsight.store import Journal
from hopsight.types import Trajectory
from tests.hopsight.harness import world as w

EPISODES = 60
STORE_BYTES = 80_000_000


@dataclass(frozen=True)
class Server:
    """A chat server in a process of its own, and what it has counted."""

    port: int

    @property
    def endpoint(self) -> Endpoint:
        url = f"http://127.0.0.1:{self.port}/v1"
        return Endpoint(base_url=url, model="echo-1", capabilities=())

    @property
    def asked(self) -> int:
        with urlopen(f"http://127.0.0.1:{self.port}/count") as answer:
            return sum(json.load(answer)["asked"].values())


@pytest.fixture
def server() -> Iterator[Server]:
    command = [sys.executable, "-m", "tests.llm_server", "--delay", "0.6"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Server(int(process.stdout.readline()))
        process.stdin.close()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes on this machine: a raylet, an object store and workers each."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    utils = importlib.import_module("ray.cluster_utils")
    small = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
    made = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **small})
    made.second = made.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
    made.wait_for_nodes()
    yield made
    made.shutdown()


def kill_node(node: Any) -> int:
    """End the processes of a node as a power cut does; how many there were."""
    raylet = node.all_processes["raylet"][0].process.pid
    family = [raylet, *children(raylet)]
    for pid in family:
        os.kill(pid, signal.SIGKILL)
    return len(family)


def kill_actors(node: Any) -> int:
    """End the workers of a node that goes on; how many there were."""
    raylet = node.all_processes["raylet"][0].process.pid
    actors = [
        pid for pid in children(raylet) if b"_Actor" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    for pid in actors:
        os.kill(pid, signal.SIGKILL)
    return len(actors)


def children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def jobs(world: w.World) -> list[RolloutJob]:
    tasks = [world.task(f"Where does it end, {number}?") for number in range(EPISODES)]
    return [
        RolloutJob(f"q_{number:03}", task, "echo", 0, episode_seed(task, "echo", 0, 1))
        for number, task in enumerate(tasks)
    ]


def stage(world: w.World, server: Server, folder: Path, calls: int | None) -> Stage:
    return Stage(
        functools.partial(make_policy, "policy", "rollouts", Sampling()),
        functools.partial(w.open_bench, world.root),
        functools.partial(w.open_images, world.root),
        Limits(),
        models=ModelSettings(
            folder, "0001", {"policy": server.endpoint}, limits=SpendLimits(calls=calls)
        ),
    )


def text(trajectories: list[Trajectory]) -> list[str]:
    return [trajectory.model_dump_json() for trajectory in trajectories]


def test_with_one_node_killed_the_union_is_exact_and_the_shared_budget_holds(
    world: w.World,
    server: Server,
    cluster: Any,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    alone = stage(world, server, tmp_path / "alone", None)
    clean = text(run_rollouts(jobs(world), alone, InProcess(), Journal(tmp_path / "one")))
    before = server.asked
    limit = before * 2 // 3
    ray = OnRay(2, lanes=4, address=cluster.address)  # one on each node: each has room for one
    folder = tmp_path / "journal"
    killed: list[int] = []

    def kill_second_node(done: int, owed: int) -> None:
        if not killed and done >= 15 and len(list(folder.glob("*.journal"))) == 2:
            killed.append(kill_node(cluster.second))

    tight = stage(world, server, tmp_path / "shared", limit)
    with pytest.raises(BudgetExceeded, match=f"of {limit} calls are spent"):
        run_rollouts(jobs(world), tight, ray, Journal(folder), kill_second_node)
    assert killed[0] > 1  # the raylet and what it had started
    assert caplog.text.count("event=worker_lost") == 1
    spent = server.asked - before
    assert limit - 4 <= spent <= limit  # what the lost lanes had open counts as spent
    kept = Journal(folder).load()
    assert 15 <= len(kept) < EPISODES
    assert {payload.decode() for payload in kept.values()} <= set(clean)

    told: list[int] = []

    def kill_actors_of_first(done: int, owed: int) -> None:
        told.append(owed)
        if done == 5:
            killed.append(kill_actors(cluster.head_node))

    raised = stage(world, server, tmp_path / "shared", 2 * before)
    found = run_rollouts(jobs(world), raised, ray, Journal(folder), kill_actors_of_first)
    assert killed[1] == 1
    # One more where the cluster took a while to see that its second node is gone.
    assert caplog.text.count("event=worker_lost") in (2, 3)
    assert text(found) == clean
    assert told == [EPISODES - len(kept)] * (EPISODES - len(kept))
    # Answers are kept when they come: only calls that were under way are made again.
    assert before <= server.asked - before <= before + 2 * 4


def test_a_cluster_that_is_not_there_is_told(world: w.World, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no Ray cluster at '127\.0\.0\.1:1'"):
        executor = OnRay(1, address="127.0.0.1:1")
        run_rollouts(jobs(world)[:1], made(world), executor, Journal(tmp_path))


def made(world: w.World) -> Stage:
    return Stage(
        w.make_policy,
        functools.partial(w.open_bench, world.root),
        functools.partial(w.open_images, world.root),
        Limits(),
    )


def test_a_cluster_without_room_is_told_in_time(
    world: w.World, cluster: Any, tmp_path: Path
) -> None:
    executor = OnRay(1, address=cluster.address, cpus=64, start_s=5)
    with pytest.raises(HopsightError, match="no worker was ready within 5 s"):
        run_rollouts(jobs(world)[:1], made(world), executor, Journal(tmp_path))
