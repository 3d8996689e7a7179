from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.rolling import roll_out
from hopsight.budget import Budget, BudgetExceeded
from hopsight.config import DEFAULT_TOOLS
from hopsight.harness.backends import PageText
from hopsight.harness.executors import InProcess
from hopsight.harness.limits import Limits
from hopsight.harness.policy import AssistantTurn, EpisodeView
from hopsight.harness.rollout import Progress, RolloutJob, Stage
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models
from hopsight.search import ImageHit, PageHit
from hopsight.store import ImageStore, Journal
from hopsight.types import ImageRef, Task, Trajectory


class EmptyWeb:
    """A backend of a world without pages."""

    offers = frozenset(DEFAULT_TOOLS)

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        return []

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        return []

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        return []

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        return []

    async def fetch_image(self, url: str) -> ImageRef | None:
        return None

    async def visit(self, url: str) -> PageText | None:
        return None


class Knowing:
    """Answers in its first turn."""

    name = "knowing"

    def begin(self, seed: int) -> "Knowing":
        return self

    async def act(self, view: EpisodeView) -> AssistantTurn:
        return AssistantTurn("<answer>42</answer>")


@asynccontextmanager
async def empty_bench() -> AsyncIterator[Workbench]:
    yield Workbench(EmptyWeb())


def make_policy(name: str, models: Models) -> Knowing:
    return Knowing()


def jobs(count: int) -> list[RolloutJob]:
    tasks = [Task(text=f"question {n}", images=()) for n in range(count)]
    return [RolloutJob(f"q_{n:04}", task, "knowing", 0, n) for n, task in enumerate(tasks)]


def stage(folder: Path) -> Stage:
    return Stage(make_policy, empty_bench, partial(ImageStore, folder), Limits(max_turns=10))


def roll(
    count: int, folder: Path, budget: Budget, price: float = 0.0, progress: Progress | None = None
) -> list[Trajectory]:
    journal = Journal(folder / "journal")
    return roll_out(jobs(count), stage(folder), InProcess(), journal, budget, price, progress)


def kept(folder: Path) -> int:
    return len(Journal(folder / "journal").load())


def test_episodes_are_played_until_not_one_more_fits_at_its_worst(tmp_path: Path) -> None:
    budget = Budget(max_calls=70)
    with pytest.raises(BudgetExceeded) as caught:
        roll(100, tmp_path, budget)
    # One call an episode is used, and one may take ten: after 61 there are nine left.
    assert kept(tmp_path) == budget.calls == 61
    assert caught.value.cause == (
        "61 of 100 episodes are played, and one more may take 10 calls: 10 calls wanted, and 61 of "
        "70 calls are reserved or made"
    )
    assert "budget.max_calls" in caught.value.remedy


@given(limit=st.integers(0, 120), count=st.integers(1, 60))
@settings(max_examples=25, deadline=None)
def test_what_is_played_depends_on_the_limit_alone(
    tmp_path_factory: pytest.TempPathFactory, limit: int, count: int
) -> None:
    folder = tmp_path_factory.mktemp("roll")
    fit = max(0, limit - 9)
    budget = Budget(max_calls=limit)
    if count > fit:
        with pytest.raises(BudgetExceeded):
            roll(count, folder, budget)
    else:
        assert len(roll(count, folder, budget)) == count
    assert kept(folder) == budget.calls == min(count, fit)


def test_what_fits_one_by_one_is_not_refused_as_a_whole(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    done = roll(64, tmp_path, Budget(73), progress=lambda n, of: told.append((n, of)))
    assert [each.question_id for each in done] == [job.question_id for job in jobs(64)]
    assert told == [(number, 64) for number in range(1, 65)]


def test_a_limit_that_is_met_again_says_the_same(tmp_path: Path) -> None:
    messages = []
    for _ in range(2):
        with pytest.raises(BudgetExceeded) as caught:
            roll(100, tmp_path, Budget(70))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert kept(tmp_path) == 61


def test_a_raised_limit_plays_only_the_rest(tmp_path: Path) -> None:
    with pytest.raises(BudgetExceeded):
        roll(100, tmp_path, Budget(70))
    for budget in (Budget(), Budget(1000)):
        told: list[int] = []
        done = roll(100, tmp_path, budget, progress=lambda n, of, told=told: told.append(of))
        assert len(done) == 100
        assert told == ([39] * 39 if not budget.limited else [])


def test_dollars_are_reserved_at_the_price_of_a_call(tmp_path: Path) -> None:
    budget = Budget(max_usd=0.7)
    with pytest.raises(BudgetExceeded, match=r"61 of 100 episodes.*the next call may cost \$0\.1"):
        roll(100, tmp_path, budget, price=0.01)
    assert budget.usd == pytest.approx(0.61)
