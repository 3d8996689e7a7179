"""Rolling out a reference agent on questions, and what came of it for each question."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from curation.verdicts import judge_all
from hopsight.harness.benches import local_bench
from hopsight.harness.executors import InProcess
from hopsight.harness.limits import Limits
from hopsight.harness.policies import Sampling
from hopsight.harness.rollout import RolloutJob, Stage, episode_seed, run_rollouts
from hopsight.policies import make_policy
from hopsight.store import ImageStore, Journal
from hopsight.types import Question, Trajectory

IMAGE_TOOLS = frozenset(
    "image_search visual_search fetch_image zoom_in rotate flip sharpen super_resolution "
    "perspective_correct layout_parsing".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where episodes are played: the folder of the index, the root of the pictures, a scratch."""

    index: Path
    pictures: Path
    scratch: Path


@dataclass(frozen=True, slots=True)
class Played:
    """Means over the rollouts of one question; `images` is the share of calls that take or bring
    pictures."""

    accuracy: float
    turns: float
    calls: float
    images: float


def play(
    place: Place, questions: Sequence[Question], policy: str, samples: int, seed: int = 1
) -> list[Played]:
    """Play every question `samples` times, in this process; one row a question, in order."""
    jobs = [
        RolloutJob(q.id, q.task, policy, n, episode_seed(q.task, policy, n, seed))
        for q in questions
        for n in range(samples)
    ]
    stage = Stage(
        partial(make_policy, "policy", "rollouts", Sampling()),
        partial(local_bench, place.index),
        partial(ImageStore, place.pictures),
        Limits(),
    )
    trajectories = run_rollouts(jobs, stage, InProcess(), Journal(place.scratch / policy))
    verdicts = judge_all(questions, trajectories)
    right = {each.trajectory_id for each in verdicts if each.outcome == "correct"}
    return [
        _played([each for each in trajectories if each.question_id == question.id], right)
        for question in questions
    ]


def _played(rollouts: Sequence[Trajectory], right: set[str]) -> Played:
    return Played(
        accuracy=fmean(each.id in right for each in rollouts),
        turns=fmean(each.usage.model_calls for each in rollouts),
        calls=fmean(each.usage.tool_calls for each in rollouts),
        images=fmean(map(_image_share, rollouts)),
    )


def _image_share(trajectory: Trajectory) -> float:
    calls = [call.name for turn in trajectory.turns for call in turn.calls]
    return fmean(name in IMAGE_TOOLS for name in calls) if calls else 0.0
