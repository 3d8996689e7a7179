"""The tool loop: one kind of episode for synthesis, RL rollouts and evaluation."""

from hopsight.harness.bank import ImageBank, Pictures
from hopsight.harness.episode import Episode, run_episode
from hopsight.harness.limits import Limits
from hopsight.harness.policy import (
    AssistantTurn,
    EpisodeView,
    Policy,
    PolicySession,
    Remaining,
    ToolSpec,
)
from hopsight.harness.rollout import (
    RolloutJob,
    Stage,
    episode_seed,
    run_rollouts,
)

__all__ = [
    "AssistantTurn",
    "Episode",
    "EpisodeView",
    "ImageBank",
    "Limits",
    "Pictures",
    "Policy",
    "PolicySession",
    "Remaining",
    "RolloutJob",
    "Stage",
    "ToolSpec",
    "episode_seed",
    "run_episode",
    "run_rollouts",
]
