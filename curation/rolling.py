"""Rolling out within a budget: the worst case of a batch is reserved before it is played."""

from collections.abc import Sequence
from functools import partial

from hopsight.budget import Budget, BudgetExceeded
from hopsight.harness.executors import Executor
from hopsight.harness.rollout import Progress, RolloutJob, Stage, played, run_rollouts
from hopsight.store import Journal
from hopsight.types import Trajectory


def roll_out(
    jobs: Sequence[RolloutJob],
    stage: Stage,
    executor: Executor,
    journal: Journal,
    budget: Budget,
    price: float,
    progress: Progress | None = None,
) -> list[Trajectory]:
    """Play all jobs; trajectories in the order of `RolloutJob.order`.

    Every turn counts as a model call, which costs at most `price` US dollars. What the journal
    holds counts as it was. Of the rest, as many episodes as fit at their worst are reserved and
    played side by side; what they did not use goes back, for the next ones. Raises BudgetExceeded
    where not one more fits; what was played stays in the journal, and with a higher limit only the
    rest is played.
    """
    if not budget.limited:
        return run_rollouts(jobs, stage, executor, journal, progress)
    done = played(jobs, stage, journal)
    made = sum(each.usage.model_calls for each in done)
    budget.reserve(made, made * price)
    finished = {(each.question_id, each.policy, each.sample) for each in done}
    owed = sorted((job for job in jobs if job.order not in finished), key=lambda job: job.order)
    begun = 0
    while begun < len(owed):
        worst = stage.limits.max_turns
        try:
            size = _reserved(budget, len(owed) - begun, worst, price)
        except BudgetExceeded as error:
            raise BudgetExceeded(
                f"{len(done)} of {len(jobs)} episodes are played, and one more may take "
                f"{worst} calls: {error.cause}",
                error.remedy,
            ) from error
        batch = owed[begun : begun + size]
        tell = progress and partial(_tell, progress, begun, len(owed))
        new = run_rollouts(batch, stage, executor, journal, tell)
        unspent = size * worst - sum(each.usage.model_calls for each in new)
        budget.refund(unspent, unspent * price)
        begun += size
        done += new
    return sorted(done, key=lambda each: (each.question_id, each.policy, each.sample))


def _reserved(budget: Budget, most: int, worst: int, price: float) -> int:
    """Reserve for as many episodes as fit, or at least for half as many; returns their number.

    Raises BudgetExceeded where none fits.
    """
    size = most
    while True:
        try:
            budget.reserve(size * worst, size * worst * price)
        except BudgetExceeded:
            if size == 1:
                raise
            size = (size + 1) // 2
        else:
            return size


def _tell(progress: Progress, before: int, owed: int, done: int, _: int) -> None:
    progress(before + done, owed)
