"""Probes are episodes of the harness: shown less, allowed less, in a journal and a budget."""

import asyncio

import pytest

from curation.probes import PROBES, play, prober_policy
from curation.probes.begun import BegunWith
from curation.probes.blank import GREY
from hopsight.budget import Budget, BudgetExceeded
from hopsight.config.models import Endpoint
from hopsight.harness.executors import InProcess, Processes
from hopsight.harness.limits import Limits
from hopsight.harness.policies import ChatPolicy, Sampling
from hopsight.harness.policy import EpisodeView, Remaining
from hopsight.llm.service import ModelSettings, open_models
from hopsight.search.pixels import open_picture
from hopsight.store import ImageStore, Journal
from tests.curation.planted import PLANTED, SOUND, TOOLS, ground

QUESTIONS = (SOUND, *PLANTED.values())


def played(home, folder, name, questions=QUESTIONS, **changes):
    journal = Journal(folder)
    return play(PROBES[name], questions, ground(home, journal=lambda _: journal, **changes))


@pytest.mark.parametrize("name", PROBES)
def test_every_question_is_an_episode_that_stays_within_its_limits(atlas_home, tmp_path, name):
    probe, rollout = PROBES[name], Limits()
    found = played(atlas_home, tmp_path, name)
    assert {each.question_id for each in found} == {each.id for each in QUESTIONS}
    allowed = probe.limits(rollout)
    for each in found:
        called = {call.name for turn in each.turns for call in turn.calls}
        assert called <= set(probe.tools(TOOLS))
        assert each.usage.tool_calls <= allowed.max_calls < rollout.max_calls
        assert each.usage.model_calls <= allowed.max_turns
        assert not each.stop_reason.is_infrastructure


@pytest.mark.parametrize("name", ["text_search", "image_search"])
def test_one_search_is_made_and_after_it_pages_are_read(atlas_home, tmp_path, name):
    for each in played(atlas_home, tmp_path, name):
        first, *others = [call.name for turn in each.turns for call in turn.calls]
        assert first == PROBES[name].search
        assert set(others) <= {"visit"}


def test_the_picture_is_withheld(atlas_home, tmp_path):
    for each in played(atlas_home, tmp_path, "text_only"):
        assert each.task.images == ()
        assert all(entry.call_id is not None for entry in each.bank)


def test_a_blank_picture_has_the_size_of_the_other_and_one_colour(atlas_home, tmp_path):
    store = ImageStore(atlas_home)
    for each in played(atlas_home, tmp_path, "blank_picture"):
        (image,) = each.task.images
        (original,) = next(q for q in QUESTIONS if q.id == each.question_id).images
        assert image.sha256 != original.sha256
        assert (image.width, image.height) == (original.width, original.height)
        pixels = open_picture(store.bytes(image.sha256)).convert("RGB")
        assert pixels.getcolors() == [(image.width * image.height, GREY)]


def test_what_is_in_the_journal_is_not_played_again(atlas_home, tmp_path):
    first = played(atlas_home, tmp_path, "text_search", QUESTIONS[:2])
    segments = sorted(tmp_path.rglob("*.journal"))
    again = played(atlas_home, tmp_path, "text_search", QUESTIONS[:2])
    assert again == first
    assert sorted(tmp_path.rglob("*.journal")) == segments
    assert len(Journal(tmp_path).load()) == 2


def test_the_budget_is_kept_and_what_was_played_stays(atlas_home, tmp_path):
    worst = PROBES["text_search"].limits(Limits()).max_turns
    with pytest.raises(BudgetExceeded):
        played(atlas_home, tmp_path, "text_search", budget=Budget(max_calls=worst + 1))
    assert len(Journal(tmp_path).load()) >= 1
    with pytest.raises(BudgetExceeded):
        played(atlas_home, tmp_path / "none", "text_search", budget=Budget(max_calls=worst - 1))


def test_processes_play_the_same_episodes(atlas_home, tmp_path):
    here = played(atlas_home, tmp_path / "a", "text_only", executor=InProcess())
    there = played(atlas_home, tmp_path / "b", "text_only", executor=Processes(1))
    assert there == here


def test_a_probe_asks_no_more_than_a_rollout_may():
    limits = PROBES["text_only"].limits(Limits(max_calls=3, max_turns=2))
    assert (limits.max_calls, limits.max_turns) == (3, 2)


def test_a_model_is_given_the_search_of_a_probe_and_plays_on(tmp_path):
    endpoint = Endpoint(base_url="http://127.0.0.1:1/v1", model="m")
    settings = ModelSettings(tmp_path, "0001", {"prober": endpoint})

    async def played():
        async with open_models(settings) as models:
            searched, looked_for = (
                prober_policy(PROBES[name], Sampling(), "asked", models)
                for name in ("image_search", "text_only")
            )
            return searched, looked_for, await searched.begin(1).act(view())

    searched, looked_for, turn = asyncio.run(played())
    assert isinstance(searched, BegunWith)
    assert isinstance(searched.policy, ChatPolicy)
    assert isinstance(looked_for, ChatPolicy)
    assert searched.name == looked_for.name == "asked"
    (call,) = turn.calls
    assert (call.name, call.arguments) == ("visual_search", '{"image": "<image:0>"}')


def view(turns=(), tools=()):
    return EpisodeView(SOUND.task, turns, tools, Remaining(4, 3), None, lambda handle: b"")
