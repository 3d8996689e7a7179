"""Many episodes, in one process or several: the same trajectories in the same order."""

import asyncio
import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Final, Protocol

from hopsight.errors import HopsightError
from hopsight.harness.bank import Pictures
from hopsight.harness.episode import run_episode
from hopsight.harness.limits import Limits
from hopsight.harness.policy import Policy
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models, ModelSettings, open_models
from hopsight.store import Journal
from hopsight.types import Task, Trajectory, content_hash
from hopsight.waiting import all_done

VERSION: Final = 2
"""Raised when the harness plays equal jobs differently, so that no stale episode is reused."""

CONCURRENT: Final = 64


@dataclass(frozen=True, slots=True)
class RolloutJob:
    """One episode to play. Only `task` and `seed` reach the policy."""

    question_id: str
    task: Task
    policy_name: str
    sample: int
    seed: int

    @property
    def order(self) -> tuple[str, str, int]:
        """Where its trajectory stands in the result."""
        return (self.question_id, self.policy_name, self.sample)


@dataclass(frozen=True, slots=True)
class Stage:
    """What the episodes are played with. Workers receive it pickled: give top-level functions.

    `inputs` names all else that decides an episode (fingerprint of the index, version of the
    policies, the model behind one); finished episodes of other inputs are not reused.
    """

    make_policy: Callable[[str, Models], Policy]
    open_bench: Callable[[], AbstractAsyncContextManager[Workbench]]
    make_images: Callable[[], Pictures]
    limits: Limits
    inputs: str = ""
    tools: Toolset = field(default_factory=Toolset)
    models: ModelSettings = field(default_factory=ModelSettings.of_rules)


class Progress(Protocol):
    """Is told after each episode how many of the owed ones are done."""

    def __call__(self, done: int, owed: int) -> None:
        """`done` counts from 1 to `owed`."""
        ...


def episode_seed(task: Task, policy: str, sample: int, round_seed: int) -> int:
    """The seed of an episode, below 2**60: never from the question's id or its gold answer."""
    return int(content_hash([task.id, policy, sample, round_seed])[:15], 16)


def run_rollouts(
    jobs: Sequence[RolloutJob],
    stage: Stage,
    workers: int,
    journal: Journal,
    progress: Progress | None = None,
) -> list[Trajectory]:
    """Play all jobs that the journal does not hold yet; trajectories sorted by `order`.

    Episodes that infrastructure ended are played again: they said nothing. Neither order nor
    bytes depend on `workers`. A worker that dies is a HopsightError that names
    it; what it and the others finished stays in the journal, and a further call owes the rest.
    """
    keys = {job_key(job, stage): job for job in sorted(jobs, key=lambda job: job.order)}
    if len(keys) < len(jobs):
        raise ValueError("two rollout jobs are equal")
    found = journal.load()
    owed = [job for key, job in keys.items() if key not in found or _is_lost(found[key])]
    if owed and workers > 1:
        _in_processes(owed, stage, min(workers, len(owed)), journal.folder, progress)
    elif owed:
        _in_this_process(owed, stage, journal, progress)
    if owed:
        found = journal.load()
    return [Trajectory.model_validate_json(found[key]) for key in keys]


def _is_lost(payload: bytes) -> bool:
    return Trajectory.model_validate_json(payload).stop_reason.is_infrastructure


def job_key(job: RolloutJob, stage: Stage) -> str:
    """Hash of everything that decides the episode and its record."""
    limits = stage.limits.model_dump(mode="json")
    who = [job.question_id, job.task.id, job.policy_name, job.sample, job.seed]
    return content_hash([VERSION, who, limits, stage.tools.names, stage.inputs])


def _in_this_process(
    owed: Sequence[RolloutJob], stage: Stage, journal: Journal, progress: Progress | None
) -> None:
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, len(owed))

    asyncio.run(_play(owed, stage, journal, tell))


async def _play(
    jobs: Sequence[RolloutJob], stage: Stage, journal: Journal, tell: Callable[[], None]
) -> None:
    """Play jobs side by side; each is in the journal before it counts as done."""
    waiting = iter(jobs)

    async def lane(policies: Mapping[str, Policy], setting: Setting) -> None:
        for job in waiting:
            try:
                trajectory = await run_episode(
                    job.task,
                    policies[job.policy_name],
                    setting,
                    job.seed,
                    job.question_id,
                    job.sample,
                )
            except BaseException:
                list(waiting)  # nothing is left for the other lanes to begin
                raise
            journal.append(job_key(job, stage), trajectory.model_dump_json().encode())
            tell()

    async with open_models(stage.models) as models, stage.open_bench() as bench:
        setting = Setting(bench, stage.make_images(), stage.limits, stage.tools)
        names = sorted({job.policy_name for job in jobs})
        policies = {name: stage.make_policy(name, models) for name in names}
        # Not a TaskGroup: that would wrap an error, and the user is told errors as they are.
        await all_done(lane(policies, setting) for _ in range(min(CONCURRENT, len(jobs))))


def _in_processes(
    owed: Sequence[RolloutJob],
    stage: Stage,
    workers: int,
    folder: Path,
    progress: Progress | None,
) -> None:
    # Spawned, not forked: a fork copies locks and threads of libraries in unknown states.
    context = multiprocessing.get_context("spawn")
    pipes: dict[Connection, int] = {}
    processes = []
    for number in range(workers):
        ours, theirs = context.Pipe(duplex=False)
        share = list(owed[number::workers])
        process = context.Process(
            target=_worker, args=(share, stage, folder, theirs), name=f"rollout-{number}"
        )
        process.start()
        theirs.close()  # so that the end of the worker ends the pipe
        pipes[ours] = number
        processes.append(process)
    try:
        faults = _listen(pipes, len(owed), progress)
        for process in processes:
            process.join()
    finally:
        for process in processes:
            process.kill()
            process.join()
    lost = [
        f"worker {number} (pid {process.pid}) ended with code {process.exitcode}"
        + (f": {faults[number]}" if number in faults else "")
        for number, process in enumerate(processes)
        if process.exitcode != 0
    ]
    if lost:
        raise HopsightError(
            "; ".join(lost), "run again: finished episodes are kept and only the rest is played"
        )


def _listen(pipes: dict[Connection, int], owed: int, progress: Progress | None) -> dict[int, str]:
    """Follow the workers until each has closed its pipe; what they say went wrong."""
    done = 0
    faults: dict[int, str] = {}
    while pipes:
        for pipe in wait(list(pipes)):
            assert isinstance(pipe, Connection)
            try:
                message: str | None = pipe.recv()
            except EOFError:
                del pipes[pipe]
                pipe.close()
                continue
            if message is not None:
                faults[pipes[pipe]] = message
                continue
            done += 1
            if progress is not None:
                progress(done, owed)
    return faults


def _worker(jobs: Sequence[RolloutJob], stage: Stage, folder: Path, pipe: Connection) -> None:
    journal = Journal(folder)
    try:
        asyncio.run(_play(jobs, stage, journal, lambda: pipe.send(None)))
    except HopsightError as error:
        pipe.send(str(error))
        raise SystemExit(1) from None
    finally:
        journal.close()
