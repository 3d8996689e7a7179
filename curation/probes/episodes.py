"""Playing a probe: one episode for each question, in the harness of the rollouts."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from typing import Final

from curation.probes.begun import BegunWith
from curation.probes.kinds import BLANK_PICTURE, IMAGE_SEARCH, TEXT_ONLY, TEXT_SEARCH, Probe
from curation.probes.outcomes import STAGE
from curation.rolling import roll_out
from hopsight.budget import Budget
from hopsight.harness.bank import Pictures
from hopsight.harness.executors import Executor
from hopsight.harness.guard import LeakGuard
from hopsight.harness.limits import Limits
from hopsight.harness.policies import Sampling
from hopsight.harness.policy import Policy
from hopsight.harness.rollout import Progress, RolloutJob, Stage, episode_seed
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models, ModelSettings
from hopsight.policies import make_policy
from hopsight.reference.agents import strong_agent
from hopsight.reference.policies import PRICE_PER_CALL
from hopsight.reference.shortcuts import TextOnly, one_image_search, one_text_search
from hopsight.store import Journal
from hopsight.types import Question, Trajectory

_RULES: Final[dict[str, Policy]] = {
    TEXT_SEARCH.name: one_text_search(),
    IMAGE_SEARCH.name: one_image_search(),
    TEXT_ONLY.name: TextOnly(),
    BLANK_PICTURE.name: strong_agent(),
}


@dataclass(frozen=True, slots=True)
class Ground:
    """What all probes of a round are played with.

    `prober` is the endpoint's name, or any name where rules probe. `limits` and `tools` are those
    of a rollout, which a probe narrows. `inputs` names all else that decides an episode, as in
    `Stage`. `journal` gives that of a probe by its name; `budget` is shared by all of them.
    """

    prober: str
    sampling: Sampling
    models: ModelSettings
    open_bench: Callable[[], AbstractAsyncContextManager[Workbench]]
    make_images: Callable[[], Pictures]
    limits: Limits
    tools: tuple[str, ...]
    inputs: str
    seed: int
    executor: Executor
    journal: Callable[[str], Journal]
    budget: Budget


def play(
    probe: Probe, questions: Sequence[Question], ground: Ground, progress: Progress | None = None
) -> list[Trajectory]:
    """One episode of the probe for each question, in the order of their ids.

    What the journal holds is not played again. Raises BudgetExceeded, or what the executor does.
    """
    stage = Stage(
        partial(prober_policy, probe, ground.sampling),
        ground.open_bench,
        ground.make_images,
        probe.limits(ground.limits),
        inputs=f"{probe.name} {ground.inputs}",
        tools=Toolset(probe.tools(ground.tools)),
        models=ground.models,
    )
    pictures = ground.make_images()
    jobs = [_job(probe, question, ground, pictures) for question in questions]
    journal = ground.journal(probe.name)
    return roll_out(jobs, stage, ground.executor, journal, ground.budget, PRICE_PER_CALL, progress)


def prober_policy(probe: Probe, sampling: Sampling, name: str, models: Models) -> Policy:
    """Who plays a probe: the prober's model, or the rule that tries this shortcut."""
    if models.endpoint("prober") is None:
        return _RULES[probe.name]
    policy = make_policy("prober", STAGE, sampling, name, models)
    return policy if probe.search is None else BegunWith(policy, probe.search)


def _job(probe: Probe, question: Question, ground: Ground, pictures: Pictures) -> RolloutJob:
    task = probe.task(question.task, pictures)
    by_model = "prober" in ground.models.endpoints
    name = ground.prober if by_model else _RULES[probe.name].name
    return RolloutJob(
        question.id,
        task,
        name,
        0,
        episode_seed(task, name, 0, ground.seed),
        LeakGuard(question.text, (question.answer, *question.answer_aliases)),
    )
