import asyncio
import functools
import os
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hopsight.errors import StoreError
from hopsight.harness import Limits, Policy, RolloutJob, Stage, episode_seed, run_rollouts
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.executors import Executor, InProcess, Processes
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models
from hopsight.search import PageHit
from hopsight.store import Journal
from hopsight.types import StopReason, Trajectory
from tests.hopsight.harness import world as w

HERE = InProcess()
NUMBERS = ("one two three four five six seven eight").split()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def jobs(world: w.World, samples: int = 2) -> list[RolloutJob]:
    made = []
    for question, number in enumerate(NUMBERS):
        task = world.task(f"Where does it end, {number}?")
        for sample in range(samples):
            seed = episode_seed(task, "walker", sample, 1)
            made.append(RolloutJob(f"q_{question}", task, "walker", sample, seed))
    return made


def stage(world: w.World, inputs: str = "", limits: Limits | None = None) -> Stage:
    return Stage(
        make_policy=w.make_policy,
        open_bench=functools.partial(w.open_bench, world.root),
        make_images=functools.partial(w.open_images, world.root),
        limits=limits or Limits(),
        inputs=inputs,
    )


def text(trajectories: list[Trajectory]) -> list[str]:
    return [trajectory.model_dump_json() for trajectory in trajectories]


@pytest.fixture(scope="module")
def clean(world: w.World, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return text(
        run_rollouts(jobs(world), stage(world), HERE, Journal(tmp_path_factory.mktemp("j")))
    )


def test_results_are_sorted_whatever_the_order_of_the_jobs(
    world: w.World, clean: list[str], tmp_path: Path
) -> None:
    found = run_rollouts(jobs(world)[::-1], stage(world), HERE, Journal(tmp_path))
    assert text(found) == clean
    assert [(t.question_id, t.sample) for t in found[:3]] == [("q_0", 0), ("q_0", 1), ("q_1", 0)]


def test_two_processes_give_the_same_bytes_as_one(
    world: w.World, clean: list[str], tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    found = run_rollouts(
        jobs(world),
        stage(world),
        Processes(2),
        Journal(tmp_path),
        lambda done, owed: told.append((done, owed)),
    )
    assert text(found) == clean
    assert told == [(n, 16) for n in range(1, 17)]
    # A worker that starts late may find nothing left to play.
    assert len(list(tmp_path.glob("*.journal"))) in (1, 2)


def test_what_is_in_the_journal_is_not_played_again(
    world: w.World, clean: list[str], tmp_path: Path
) -> None:
    run_rollouts(jobs(world)[:5], stage(world), HERE, Journal(tmp_path))
    told: list[int] = []
    found = run_rollouts(
        jobs(world), stage(world), HERE, Journal(tmp_path), lambda done, owed: told.append(owed)
    )
    assert text(found) == clean
    assert told == [11] * 11


def test_finished_episodes_of_other_inputs_are_not_reused(world: w.World, tmp_path: Path) -> None:
    run_rollouts(jobs(world)[:2], stage(world), HERE, Journal(tmp_path))
    told: list[int] = []
    run_rollouts(
        jobs(world)[:2], stage(world, inputs="new index"), HERE, Journal(tmp_path),
        lambda done, owed: told.append(owed),
    )  # fmt: skip
    assert told == [2, 2]


def counted(begun: Path, name: str, models: Models) -> Policy:
    return Counted(begun, w.Walker(name))


@dataclass(frozen=True)
class Counted:
    """Tells a file of every episode that it begins: a count that the harness has no part in."""

    begun: Path
    inner: w.Walker

    @property
    def name(self) -> str:
        return self.inner.name

    def begin(self, seed: int) -> w.WalkerSession:
        handle = os.open(self.begun, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{seed}\n".encode())
        os.close(handle)
        return self.inner.begin(seed)


SCRIPT = """
import pickle, sys
from pathlib import Path
from hopsight.harness import run_rollouts
from hopsight.store import Journal

if __name__ == "__main__":
    jobs, stage, executor = pickle.loads(Path(sys.argv[1]).read_bytes())
    run_rollouts(jobs, stage, executor, Journal(Path(sys.argv[2])))
"""


def run_and_kill(given: object, folder: Path, tmp_path: Path) -> None:
    """Play in a process of its own, and kill that in the middle; returns when all have ended."""
    (tmp_path / "given").write_bytes(pickle.dumps(given))
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "given"), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            if sum(path.stat().st_size for path in folder.glob("*.journal")) > 250_000:
                break
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        assert process.stdout is not None
        process.stdout.read()  # ends when the last worker has: each inherits it


@pytest.mark.parametrize("executor", [InProcess(8), Processes(2, 4)], ids=["here", "two"])
def test_of_200_episodes_killed_in_the_middle_none_is_lost_and_none_is_played_twice(
    world: w.World, tmp_path: Path, executor: Executor
) -> None:
    begun, folder = tmp_path / "begun", tmp_path / "journal"
    many = jobs(world, samples=25)
    plain = stage(world)
    counting = replace(plain, make_policy=functools.partial(counted, begun))
    run_and_kill((many, counting, executor), folder, tmp_path)
    kept = set(Journal(folder).load())
    assert 20 < len(kept) < 180
    told: list[int] = []
    found = run_rollouts(
        many, counting, InProcess(8), Journal(folder), lambda done, owed: told.append(owed)
    )
    assert told == [200 - len(kept)] * (200 - len(kept))
    times = Counter(int(line) for line in begun.read_text().split())
    assert all(times[job.seed] == 1 for job in many if counting.key(job) in kept)
    in_flight = [job for job in many if times[job.seed] != 1]
    assert len(in_flight) <= 8
    assert all(times[job.seed] == 2 for job in in_flight)
    fresh = run_rollouts(many, plain, InProcess(), Journal(tmp_path / "fresh"))
    assert text(found) == text(fresh)


class Stuck(LocalBackend):
    """Never answers a search for words."""

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        await asyncio.sleep(3600)
        return []


@asynccontextmanager
async def stuck_bench(root: Path) -> AsyncIterator[Workbench]:
    yield Workbench(Stuck(root / "index"))


def test_the_time_limits_of_tools_and_episodes_are_enforced(world: w.World, tmp_path: Path) -> None:
    short = Limits(tool_timeout_s=0.05, fatal_after=1)
    made = replace(
        stage(world, limits=short), open_bench=functools.partial(stuck_bench, world.root)
    )
    found = run_rollouts(jobs(world, 1)[:2], made, HERE, Journal(tmp_path / "tool"))
    slow = [
        seen.text for turn in found[0].turns for seen in turn.observations if "long" in seen.text
    ]
    assert slow == ["Error (transient): web_search took too long and was stopped"]
    assert [each.stop_reason for each in found] == [StopReason.INFRA_FATAL] * 2
    short = Limits(wall_clock_s=0.2)
    made = replace(
        stage(world, limits=short), open_bench=functools.partial(stuck_bench, world.root)
    )
    found = run_rollouts(jobs(world, 1)[:2], made, HERE, Journal(tmp_path / "episode"))
    assert [each.stop_reason for each in found] == [StopReason.TIME_LIMIT] * 2


def test_the_seed_depends_on_task_policy_sample_and_round_alone(world: w.World) -> None:
    task, other = world.task("a"), world.task("b")
    seeds = {
        episode_seed(task, "p", 0, 1),
        episode_seed(other, "p", 0, 1),
        episode_seed(task, "r", 0, 1),
        episode_seed(task, "p", 1, 1),
        episode_seed(task, "p", 0, 2),
    }
    assert len(seeds) == 5
    assert episode_seed(task, "p", 0, 1) == episode_seed(world.task("a"), "p", 0, 1)


class Nobody:
    """Does nothing, and says that it did."""

    def run(self, items, work, journal, tell) -> None:
        for _ in items:
            tell()


def test_episodes_that_were_played_and_not_kept_are_missed(world: w.World, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="16 episodes were played and are not in"):
        run_rollouts(jobs(world), stage(world), Nobody(), Journal(tmp_path))


def test_equal_jobs_are_refused(world: w.World, tmp_path: Path) -> None:
    job = jobs(world)[0]
    with pytest.raises(ValueError, match="equal"):
        run_rollouts([job, job], stage(world), HERE, Journal(tmp_path))
