"""The card of a finished round: what it cost, whose pictures it shows, under which licence."""

import asyncio
import logging
import os
import shutil
from dataclasses import replace
from functools import partial

import pytest
import yaml

from assets.card import write_cards
from assets.wiring import Round
from assets.workspace import WorkspaceResource
from hopsight.config.models import Endpoint
from hopsight.llm.call_store import CallStore
from hopsight.llm.chat import TokenUse
from hopsight.llm.ledger import Ask, Granted, Status
from hopsight.types import ExportRow, Question
from tests.loop.place import ROUND


@pytest.fixture
def finished(small_round, tmp_path):
    """A finished round of one's own."""
    data, rounds = tmp_path / "data", tmp_path / "rounds"
    # Files are replaced by renaming, never written into: links to them are safe.
    shutil.copytree(small_round.data, data, copy_function=os.link)
    shutil.copytree(small_round.rounds, rounds)
    resource = WorkspaceResource(data=str(data), rounds=str(rounds))
    config = resource.config(ROUND)
    return Round(
        resource.workspace,
        config,
        1,
        resource.executor(),
        "run",
        logging.getLogger(__name__),
        resource.model_settings(config),
        resource.judge(config),
        partial(resource.bench_settings, config),
    )


def written(round_, name="README.md"):
    return (round_.workspace.exports(ROUND) / name).read_text()


async def spend(store, stage, cost):
    """One paid call of a stage; `cost` in billionths of a dollar, None where nobody knows it."""
    ask = Ask(ROUND, store.owner, stage, "policy", "r", "place", f"{stage}{cost}", 1, 10, cost)
    granted = await store.reserve(ask, None, lambda gone: None)
    assert isinstance(granted, Granted)
    await store.settle(granted.call, Status.PAID, TokenUse(prompt=5, completion=5), cost)


def test_the_cost_is_that_of_the_round_s_stages(finished, tmp_path):
    async def some(store):
        await spend(store, "policy_rollouts", 1_250_000_000)
        await spend(store, "policy_rollouts", 500_000_000)
        await spend(store, "rollout_verdicts", 250_000_000)
        await spend(store, "fuzzed_questions", None)
        await spend(store, "check", 9_000_000_000)  # no stage of the round

    endpoint = Endpoint(base_url="http://127.0.0.1:1/v1", model="m")
    settings = replace(finished.models, endpoints={"policy": endpoint})
    with CallStore(settings.folder, settings.scope) as store:
        asyncio.run(some(store))
    write_cards(replace(finished, models=settings))
    assert "2.00 US dollars, 4 paid model calls; 1 of them" in written(finished)


def test_every_exported_picture_is_attributed_beside_the_card(finished):
    write_cards(finished)
    told = written(finished, "ATTRIBUTION.md")
    questions = finished.read("curated_questions", Question)
    shown = {image.sha256 for each in questions for image in each.images}
    for name in ("sft_rows", "rl_rows", "eval_rows"):
        shown |= {sha256 for row in finished.read(name, ExportRow) for sha256 in row.images}
    lines = [line.split(" | ") for line in told.splitlines() if line.startswith("| ")][2:]
    assert {line[0].removeprefix("| ") for line in lines} == shown
    assert all(line[1] for line in lines)


def test_a_wiki_of_others_is_not_given_away_as_cc0(finished, mini_round):
    write_cards(finished)
    assert yaml.safe_load(written(finished).split("---")[1])["license"] == "other"
    free = (mini_round.exports / "README.md").read_text()
    assert yaml.safe_load(free.split("---")[1])["license"] == "cc0-1.0"


def test_what_the_round_found_is_on_the_card(finished):
    write_cards(finished)
    card = written(finished)
    for title in ("Difficulty", "Probes", "Leaks while searching", "Pictures", "Cost"):
        assert f"\n## {title}\n" in card
    assert "unknown" not in card.split("## Difficulty")[1].split("##")[0]
