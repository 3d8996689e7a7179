"""Rolling out within a budget: the worst case of a batch is reserved before it is played."""

from collections.abc import Sequence

from hopsight.budget import Budget
from hopsight.harness.rollout import Progress, RolloutJob, Stage, run_rollouts
from hopsight.store import Journal
from hopsight.types import Trajectory

BATCH = 64
"""Episodes reserved for at once: small enough to come close to a limit before stopping."""


def roll_out(
    jobs: Sequence[RolloutJob],
    stage: Stage,
    workers: int,
    journal: Journal,
    budget: Budget,
    price: float,
    progress: Progress | None = None,
) -> list[Trajectory]:
    """Play all jobs; trajectories in the order of `RolloutJob.order`.

    Every turn counts as a model call, which costs at most `price` US dollars. Raises
    BudgetExceeded before a batch could pass a limit; what was played stays in the journal, and
    with a higher limit only the rest is played.
    """
    if not budget.limited:
        return run_rollouts(jobs, stage, workers, journal, progress)
    ordered = sorted(jobs, key=lambda job: job.order)
    played: list[Trajectory] = []
    for begin in range(0, len(ordered), BATCH):
        batch = ordered[begin : begin + BATCH]
        worst = len(batch) * stage.limits.max_turns
        budget.reserve(worst, worst * price)
        done = run_rollouts(batch, stage, workers, journal, progress)
        unspent = worst - sum(each.usage.model_calls for each in done)
        budget.refund(unspent, unspent * price)
        played += done
    return played
