"""Many episodes, whoever plays them: the same trajectories in the same order."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, Protocol

from hopsight.errors import StoreError
from hopsight.harness.bank import Pictures
from hopsight.harness.episode import run_episode
from hopsight.harness.executors import Executor
from hopsight.harness.guard import LeakGuard
from hopsight.harness.limits import Limits
from hopsight.harness.policy import Policy
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models, ModelSettings, open_models
from hopsight.store import Journal
from hopsight.types import Task, Trajectory, content_hash

VERSION: Final = 4
"""Raised when the harness plays equal jobs differently, so that no stale episode is reused."""


@dataclass(frozen=True, slots=True)
class RolloutJob:
    """One episode to play. Only `task` and `seed` reach the policy.

    `guard` knows the answer, so that no tool shows a page that holds question and answer.
    """

    question_id: str
    task: Task
    policy_name: str
    sample: int
    seed: int
    guard: LeakGuard | None = None

    @property
    def order(self) -> tuple[str, str, int]:
        """Where its trajectory stands in the result."""
        return (self.question_id, self.policy_name, self.sample)


@dataclass(frozen=True, slots=True)
class Stage:
    """What the episodes are played with: the work that an executor does for each job.

    Workers receive it pickled: give top-level functions.

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

    def key(self, job: RolloutJob) -> str:
        """Hash of everything that decides the episode and its record."""
        who = [job.question_id, job.task.id, job.policy_name, job.sample, job.seed]
        guard = None if job.guard is None else [job.guard.question, job.guard.answers]
        limits = self.limits.model_dump(mode="json")
        tools = [self.tools.names, self.tools.dialect]
        return content_hash([VERSION, who, guard, limits, tools, self.inputs])

    def is_done(self, record: bytes) -> bool:
        """An episode that infrastructure ended said nothing, and is owed again."""
        return not Trajectory.model_validate_json(record).stop_reason.is_infrastructure

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Callable[[RolloutJob], Awaitable[bytes]]]:
        """Open models and workbench; gives what plays a job to the end and records it."""
        async with open_models(self.models) as models, self.open_bench() as bench:
            setting = Setting(bench, self.make_images(), self.limits, self.tools)
            policies: dict[str, Policy] = {}

            async def play(job: RolloutJob) -> bytes:
                name = job.policy_name
                if name not in policies:
                    policies[name] = self.make_policy(name, models)
                trajectory = await run_episode(
                    *(job.task, policies[name], setting, job.seed, job.question_id, job.sample),
                    guard=job.guard,
                )
                return trajectory.model_dump_json().encode()

            yield play


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
    executor: Executor,
    journal: Journal,
    progress: Progress | None = None,
) -> list[Trajectory]:
    """Play all jobs that the journal does not hold yet; trajectories sorted by `order`.

    Episodes that infrastructure ended are played again: they said nothing. Neither order nor bytes
    depend on the executor. What was finished before an error stays in the journal, and a further
    call owes the rest. Raises what `Executor.run` does.
    """
    ordered = sorted(jobs, key=lambda job: job.order)
    keys = [stage.key(job) for job in ordered]
    if len(set(keys)) < len(keys):
        raise ValueError("two rollout jobs are equal")
    found = journal.load()
    owed = [
        job
        for job, key in zip(ordered, keys, strict=True)
        if key not in found or not stage.is_done(found[key])
    ]
    if owed:
        executor.run(owed, stage, journal, _telling(progress, len(owed)))
        found = journal.load()
    missing = sum(key not in found for key in keys)
    if missing:
        raise StoreError(
            f"{missing} episodes were played and are not in {journal.folder}",
            "see that every worker sees that folder, then run again: only these are played",
        )
    return [Trajectory.model_validate_json(found[key]) for key in keys]


def played(jobs: Sequence[RolloutJob], stage: Stage, journal: Journal) -> list[Trajectory]:
    """The trajectories of jobs that the journal holds and that are not owed, by `order`."""
    found = journal.load()
    ordered = sorted(jobs, key=lambda job: job.order)
    records = [found.get(stage.key(job)) for job in ordered]
    return [
        Trajectory.model_validate_json(record)
        for record in records
        if record is not None and stage.is_done(record)
    ]


def _telling(progress: Progress | None, owed: int) -> Callable[[], None]:
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, owed)

    return tell
