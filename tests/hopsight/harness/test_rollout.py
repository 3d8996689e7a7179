import functools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hopsight.errors import HopsightError
from hopsight.harness import Limits, RolloutJob, Stage, episode_seed, run_rollouts
from hopsight.store import Journal
from hopsight.types import ImageRef, Trajectory
from tests.hopsight.harness import world as w

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


def stage(world: w.World, deadly: bool = False, inputs: str = "") -> Stage:
    return Stage(
        make_policy=w.make_deadly_policy if deadly else w.make_policy,
        open_bench=functools.partial(w.open_bench, world.root),
        make_images=functools.partial(w.open_images, world.root),
        limits=Limits(),
        inputs=inputs,
    )


def text(trajectories: list[Trajectory]) -> list[str]:
    return [trajectory.model_dump_json() for trajectory in trajectories]


@pytest.fixture(scope="module")
def clean(world: w.World, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return text(run_rollouts(jobs(world), stage(world), 1, Journal(tmp_path_factory.mktemp("j"))))


def test_results_are_sorted_whatever_the_order_of_the_jobs(
    world: w.World, clean: list[str], tmp_path: Path
) -> None:
    found = run_rollouts(jobs(world)[::-1], stage(world), 1, Journal(tmp_path))
    assert text(found) == clean
    assert [(t.question_id, t.sample) for t in found[:3]] == [("q_0", 0), ("q_0", 1), ("q_1", 0)]


def test_two_processes_give_the_same_bytes_as_one(
    world: w.World, clean: list[str], tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    found = run_rollouts(
        jobs(world),
        stage(world),
        2,
        Journal(tmp_path),
        lambda done, owed: told.append((done, owed)),
    )
    assert text(found) == clean
    assert told == [(n, 16) for n in range(1, 17)]
    assert len(list(tmp_path.glob("*.journal"))) == 2


def test_what_is_in_the_journal_is_not_played_again(
    world: w.World, clean: list[str], tmp_path: Path
) -> None:
    run_rollouts(jobs(world)[:5], stage(world), 1, Journal(tmp_path))
    told: list[int] = []
    found = run_rollouts(
        jobs(world), stage(world), 1, Journal(tmp_path), lambda done, owed: told.append(owed)
    )
    assert text(found) == clean
    assert told == [11] * 11


def test_finished_episodes_of_other_inputs_are_not_reused(world: w.World, tmp_path: Path) -> None:
    run_rollouts(jobs(world)[:2], stage(world), 1, Journal(tmp_path))
    told: list[int] = []
    run_rollouts(
        jobs(world)[:2], stage(world, inputs="new index"), 1, Journal(tmp_path),
        lambda done, owed: told.append(owed),
    )  # fmt: skip
    assert told == [2, 2]


def test_a_worker_that_dies_is_named_and_what_was_finished_stays(
    world: w.World, clean: list[str], tmp_path: Path
) -> None:
    with pytest.raises(HopsightError, match=r"worker \d \(pid \d+\) ended with code -9"):
        run_rollouts(jobs(world, 1), stage(world, deadly=True), 2, Journal(tmp_path))
    kept = len(Journal(tmp_path).load())
    assert 4 <= kept < 8  # the other worker's share is four
    told: list[int] = []
    found = run_rollouts(
        jobs(world, 1), stage(world), 2, Journal(tmp_path), lambda done, owed: told.append(owed)
    )
    assert text(found) == clean[::2]
    assert told == [8 - kept] * (8 - kept)


SCRIPT = """
import sys
from pathlib import Path
from hopsight.harness.backends.local import LocalBackend
from hopsight.store import Journal
from hopsight.harness import run_rollouts
from tests.hopsight.harness import test_rollout as t, world as w
root = Path(sys.argv[1])
images = w.open_images(root)
world = w.World(root, LocalBackend(root / "index"), images, t.shown(root))
run_rollouts(t.jobs(world, samples=12), t.stage(world), 1, Journal(Path(sys.argv[2])))
"""


def shown(root: Path) -> tuple[ImageRef, ...]:
    from tests.hopsight.search import drawing

    images = w.open_images(root)
    return tuple(
        images.put(drawing.png(drawing.scene(n)), f"{w.HOST}{n}", "CC0-1.0", "tests")
        for n in (1, 2)
    )


def test_a_run_killed_in_the_middle_owes_only_what_is_missing(
    world: w.World, tmp_path: Path
) -> None:
    folder = tmp_path / "journal"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(world.root), str(folder)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if sum(path.stat().st_size for path in folder.glob("*.journal")) > 20_000:
            break
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = len(Journal(folder).load())
    assert 0 < kept < 96
    told: list[int] = []
    many = jobs(world, samples=12)
    found = run_rollouts(
        many, stage(world), 1, Journal(folder), lambda done, owed: told.append(owed)
    )
    assert told == [96 - kept] * (96 - kept)
    fresh = run_rollouts(many, stage(world), 1, Journal(tmp_path / "fresh", sync=False))
    assert text(found) == text(fresh)


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


def test_equal_jobs_are_refused(world: w.World, tmp_path: Path) -> None:
    job = jobs(world)[0]
    with pytest.raises(ValueError, match="equal"):
        run_rollouts([job, job], stage(world), 1, Journal(tmp_path))
