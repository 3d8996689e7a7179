from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from curation.rolling import BATCH, roll_out
from hopsight.budget import Budget, BudgetExceeded
from hopsight.harness.backends import PageText
from hopsight.harness.limits import Limits
from hopsight.harness.policy import AssistantTurn, EpisodeView
from hopsight.harness.rollout import RolloutJob, Stage
from hopsight.harness.toolset import DEFAULT
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models
from hopsight.search import ImageHit, PageHit
from hopsight.store import ImageStore, Journal
from hopsight.types import ImageRef, Task


class EmptyWeb:
    """A backend of a world without pages."""

    offers = frozenset(DEFAULT)

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


def test_a_limit_stops_before_the_batch_whose_worst_case_would_pass_it(tmp_path: Path) -> None:
    budget = Budget(max_calls=BATCH * 10 + BATCH * 9)
    with pytest.raises(BudgetExceeded, match="max_calls"):
        roll_out(
            jobs(20 * BATCH), stage(tmp_path), 1, Journal(tmp_path / "journal"), budget, price=0.0
        )
    # One call an episode is used; a batch needs 640 in reserve, so ten batches leave too little.
    played = len(Journal(tmp_path / "journal").load())
    assert played == budget.calls == 10 * BATCH


def test_a_raised_limit_plays_only_the_rest(tmp_path: Path) -> None:
    wanted = jobs(2 * BATCH)
    with pytest.raises(BudgetExceeded):
        roll_out(
            wanted, stage(tmp_path), 1, Journal(tmp_path / "journal"), Budget(BATCH * 10), price=0.0
        )
    before = Journal(tmp_path / "journal").load()
    told: list[int] = []
    done = roll_out(
        wanted,
        stage(tmp_path),
        1,
        Journal(tmp_path / "journal"),
        Budget(),
        0.0,
        lambda finished, owed: told.append(owed),
    )
    assert len(before) == BATCH
    assert len(done) == 2 * BATCH
    assert set(told) == {BATCH}


def test_dollars_are_reserved_at_the_price_of_a_call(tmp_path: Path) -> None:
    budget = Budget(max_usd=6.5)
    with pytest.raises(BudgetExceeded, match="max_usd"):
        roll_out(
            jobs(3 * BATCH), stage(tmp_path), 1, Journal(tmp_path / "journal"), budget, price=0.01
        )
    assert budget.usd == pytest.approx(0.64)
