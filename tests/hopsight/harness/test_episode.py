import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hopsight.config import DEFAULT_TOOLS
from hopsight.errors import Outcome, ProviderError
from hopsight.harness import AssistantTurn, Episode, EpisodeView, Limits, run_episode
from hopsight.search import PageHit
from hopsight.types import Observation, StopReason, Task, ToolCall, Trajectory
from tests.hopsight.harness import world as w

GOOD = w.call("web_search", '{"query": "Alda"}')
EMPTY = w.call("web_search", '{"query": "zyzzyva"}')
NO_OP = w.call("rotate", '{"image": "0", "degrees": 0}')
BAD = w.call("web_search", "{")
UNKNOWN = w.call("teleport", "{}")
NOTHING = AssistantTurn(text="Hm.")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def play(
    world: w.World,
    script: Sequence[AssistantTurn],
    backend: Any = None,
    **limits: Any,
) -> Trajectory:
    policy = w.Scripted(script)
    return asyncio.run(
        run_episode(
            world.task(), policy, world.setting(Limits(**limits), backend), 7, "q_1", sample=2
        )
    )


def flat(trajectory: Trajectory) -> list[Observation]:
    return [item for turn in trajectory.turns for item in turn.observations]


def test_an_answer_ends_the_episode_and_the_record_says_all(world: w.World) -> None:
    done = play(world, [w.turn(GOOD, text="I look."), w.answer("Grey Sea")])
    assert (done.stop_reason, done.final_answer) == (StopReason.ANSWERED, "Grey Sea")
    assert (done.question_id, done.policy, done.sample, done.seed) == ("q_1", "scripted", 2, 7)
    assert (done.usage.model_calls, done.usage.tool_calls, done.usage.images) == (2, 1, 1)
    assert done.turns[0].text == "I look."
    assert done.fatal_step is None


def test_an_answer_beside_a_call_is_not_final(world: w.World) -> None:
    done = play(world, [w.turn(GOOD, text="<answer>a</answer>"), w.answer("b")])
    assert (done.final_answer, len(done.turns)) == ("b", 2)


def test_calls_of_one_turn_keep_order_and_handles_follow_it(world: w.World) -> None:
    calls = (
        w.call("visit", json.dumps({"url": f"{w.HOST}Bergen"})),
        BAD,
        w.call("flip", '{"image": "<image:0>", "direction": "vertical"}'),
        w.call("visual_search", '{"image": "<image:0>"}'),
    )
    done = play(world, [w.turn(*calls), w.answer("a")])
    first = done.turns[0]
    assert [item.call_id for item in first.observations] == [c.call_id for c in first.calls]
    assert [item.images for item in first.observations] == [(1,), (), (2,), (3,)]
    assert [entry.call_id for entry in done.bank[1:]] == [first.calls[i].call_id for i in (0, 2, 3)]
    assert (done.bank[2].parent, done.bank[3].same_as) == (0, 0)
    assert "<image:3> (the same picture as <image:0>)" in first.observations[3].text


def test_every_call_has_an_id_of_its_own(world: w.World) -> None:
    same = w.call("web_search", '{"query": "a"}', call_id="x")
    done = play(world, [w.turn(same, same), w.turn(same), w.answer("a")])
    ids = [call.call_id for turn in done.turns for call in turn.calls]
    assert len(set(ids)) == 3
    assert ids[0] == "x"


@pytest.mark.parametrize(
    ("script", "reason", "step"),
    [
        ([w.turn(BAD), w.turn(UNKNOWN), w.turn(BAD)], StopReason.FATAL, 0),
        ([w.turn(GOOD), w.turn(BAD), w.turn(BAD), w.turn(BAD)], StopReason.FATAL, 1),
        ([w.turn(BAD), w.turn(BAD, EMPTY), w.turn(BAD, BAD, BAD)], StopReason.FATAL, 2),
        ([w.turn(GOOD, BAD), w.turn(BAD), w.turn(BAD)], StopReason.FATAL, 0),
        ([w.turn(BAD), w.turn(BAD), w.turn(NO_OP), w.answer("a")], StopReason.ANSWERED, None),
        ([w.turn(BAD), w.turn(BAD), w.turn(EMPTY), w.answer("a")], StopReason.ANSWERED, None),
        ([w.turn(BAD), w.turn(BAD), w.answer("a")], StopReason.ANSWERED, None),
    ],
)
def test_three_errors_in_a_row_are_fatal_from_the_turn_where_they_begin(
    world: w.World, script: list[AssistantTurn], reason: StopReason, step: int | None
) -> None:
    done = play(world, script)
    assert (done.stop_reason, done.fatal_step) == (reason, step)


class Flaky:
    offers = frozenset(DEFAULT_TOOLS)

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        raise ProviderError("the provider is down", "wait")


def test_errors_of_providers_alone_are_infrastructure(world: w.World) -> None:
    done = play(world, [w.turn(GOOD)], backend=Flaky())
    assert (done.stop_reason, done.fatal_step) == (StopReason.INFRA_FATAL, 0)
    mixed = play(world, [w.turn(GOOD), w.turn(BAD), w.turn(GOOD)], backend=Flaky())
    assert mixed.stop_reason is StopReason.FATAL


def test_a_retry_after_a_failure_is_no_repeat(world: w.World) -> None:
    done = play(world, [w.turn(GOOD), w.turn(GOOD), w.answer("a")], backend=Flaky())
    assert [item.repeat for item in flat(done)] == [False, False]


def test_the_same_call_and_the_same_pixels_are_repeats(world: w.World) -> None:
    look = [w.call("visual_search", f'{{"image": "{n}"}}') for n in ("0", "<image:0>", "1")]
    spaced = w.call("web_search", '{ "max_results": 5, "query": "Alda" }')
    script = [w.turn(look[0]), w.turn(look[1]), w.turn(look[2]), w.turn(GOOD), w.turn(spaced)]
    done = play(world, [*script, w.answer("a")])
    assert [item.repeat for item in flat(done)] == [False, True, True, False, True]


def test_endless_repetition_has_its_own_reason(world: w.World) -> None:
    done = play(world, [w.turn(GOOD)], max_repeats=3)
    assert (done.stop_reason, len(done.turns)) == (StopReason.REPETITION, 4)


def test_a_turn_with_neither_call_nor_answer_is_told_once(world: w.World) -> None:
    done = play(world, [NOTHING, w.answer("a")])
    assert "neither a tool call nor an answer" in str(done.turns[0].notice)
    assert done.stop_reason is StopReason.ANSWERED
    again = play(world, [NOTHING, w.turn(GOOD), NOTHING])
    assert (again.stop_reason, again.final_answer) == (StopReason.NO_ANSWER, None)
    assert len(again.turns) == 3


def searches(count: int) -> list[AssistantTurn]:
    return [w.turn(w.call("web_search", json.dumps({"query": f"Alda {n}"}))) for n in range(count)]


def test_the_turn_limit_is_announced_then_enforced(world: w.World) -> None:
    done = play(world, searches(9), max_turns=4)
    assert (done.stop_reason, len(done.turns)) == (StopReason.TURN_LIMIT, 4)
    notices = [turn.notice or "" for turn in done.turns]
    assert notices[0] == ""
    assert "Only 2 turns" in notices[1]
    assert "last turn" in notices[2]


def test_a_last_turn_may_still_answer(world: w.World) -> None:
    done = play(world, [*searches(3), w.answer("a")], max_turns=4)
    assert done.stop_reason is StopReason.ANSWERED


def test_the_call_limit_is_announced_then_enforced(world: w.World) -> None:
    done = play(world, searches(9), max_calls=3)
    assert (done.stop_reason, done.usage.tool_calls) == (StopReason.CALL_LIMIT, 3)
    assert "No tool calls are left" in str(done.turns[2].notice)
    assert flat(done)[-1].text == "Not run: the episode's limit of 3 calls is reached."
    answered = play(world, [*searches(3), w.answer("a")], max_calls=3)
    assert answered.stop_reason is StopReason.ANSWERED


def test_a_turn_with_too_many_calls_runs_the_first_ones(world: w.World) -> None:
    done = play(world, [w.turn(*[GOOD] * 5), w.answer("a")], max_calls_per_turn=2)
    assert [item.outcome for item in flat(done)] == [Outcome.OK] * 2 + [Outcome.NO_OP] * 3
    assert "a turn may hold 2 calls" in flat(done)[-1].text
    assert done.usage.tool_calls == 2


def test_a_full_context_is_announced_then_ends_the_episode(world: w.World) -> None:
    def sized(tokens: int) -> AssistantTurn:
        return AssistantTurn(text="", calls=(GOOD,), prompt_ids=(1,) * tokens)

    script = [sized(10), sized(85), sized(100)]
    done = play(world, script, max_context_tokens=100)
    assert done.stop_reason is StopReason.CONTEXT_LIMIT
    assert [bool(turn.notice) for turn in done.turns] == [False, True, False]
    assert done.usage.prompt_tokens == 195


def test_the_image_budget_leaves_pictures_out_and_says_so(world: w.World) -> None:
    visit = w.call("visit", json.dumps({"url": f"{w.HOST}Alda"}))
    done = play(world, [w.turn(visit), w.answer("a")], max_images=0)
    assert len(done.bank) == 1
    assert "[picture left out: the limit of 0 is reached]" in flat(done)[0].text
    assert flat(done)[0].images == ()


class Slow:
    name = "slow"

    def begin(self, seed: int) -> "Slow":
        return self

    async def act(self, view: EpisodeView) -> AssistantTurn:
        await asyncio.sleep(30)
        return NOTHING


class Failing(Slow):
    async def act(self, view: EpisodeView) -> AssistantTurn:
        raise ProviderError("the model is down", "wait")


def test_a_policy_that_gives_no_turn_in_time_or_fails_is_infrastructure(
    world: w.World,
) -> None:
    limits = Limits(wall_clock_s=0.02)
    for policy, reason in (
        (Slow(), StopReason.POLICY_FAILED),
        (Failing(), StopReason.POLICY_FAILED),
    ):
        done = asyncio.run(run_episode(world.task(), policy, world.setting(limits), 1, "q", 0))
        assert (done.stop_reason, done.turns) == (reason, ())


def test_the_clock_is_enforced_and_never_recorded(world: w.World) -> None:
    def at(*moments: float) -> Trajectory:
        clock = iter(moments)
        last = moments[-1]
        episode = Episode(
            world.task(), world.setting(Limits(wall_clock_s=10)), 1,
            clock=lambda: next(clock, last),
        )  # fmt: skip
        for turn in (*searches(2), w.answer("a")):
            if not episode.done:
                asyncio.run(episode.take(turn))
        return episode.trajectory("q", "p", 0)

    assert at(0, 1, 2).model_dump_json() == at(5, 6, 7, 8, 9).model_dump_json()
    late = at(0, 1, 2, 3, 11)
    assert (late.stop_reason, late.final_answer) == (StopReason.TIME_LIMIT, None)


def test_equal_episodes_give_equal_bytes(world: w.World) -> None:
    policy = w.Walker()
    one, two = (
        asyncio.run(run_episode(world.task(), policy, world.setting(), 5, "q", 0)) for _ in range(2)
    )
    assert one.model_dump_json() == two.model_dump_json()
    assert Trajectory.model_validate_json(one.model_dump_json()) == one


def test_a_view_shows_task_tools_and_pixels_and_no_question(world: w.World) -> None:
    episode = Episode(world.task(), world.setting(), 1)
    view = episode.view()
    assert view.pixels(0) == world.images.bytes(world.shown[0].sha256)
    assert (view.remaining.turns, view.warning, view.turns) == (50, None, ())
    assert {"zoom_in", "visual_search"} <= {spec.name for spec in view.tools}
    assert "question" not in set(view.__slots__)


def test_an_episode_can_be_stopped_from_outside_and_takes_nothing_more(world: w.World) -> None:
    episode = Episode(world.task(), world.setting(), 1)
    episode.stop(StopReason.CANCELLED)
    assert episode.trajectory("q", "p", 0).stop_reason is StopReason.CANCELLED
    with pytest.raises(ValueError, match="has ended"):
        asyncio.run(episode.take(NOTHING))


TURNS = st.lists(
    st.builds(
        AssistantTurn,
        text=st.text(st.characters(), max_size=30) | st.just("<answer>\ud800<image:0></answer>"),
        calls=st.lists(
            st.builds(
                ToolCall,
                call_id=st.sampled_from(["", "a", "call_0_0"]),
                name=st.sampled_from(["visit", "zoom_in", "web_search", "nope"]),
                arguments=st.sampled_from(['{"query": "Alda"}', '{"image": "3"}', "{", "[]"]),
            ),
            max_size=3,
        ).map(tuple),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TURNS)
def test_whatever_the_model_writes_the_episode_ends_with_a_reason_and_can_be_stored(
    world: w.World, script: list[AssistantTurn]
) -> None:
    done = play(world, script, max_turns=8)
    assert done.stop_reason in StopReason
    assert [len(turn.calls) for turn in done.turns] == [len(t.observations) for t in done.turns]
    assert Trajectory.model_validate_json(done.model_dump_json()).id == done.id
    assert (done.final_answer is not None) == (done.stop_reason is StopReason.ANSWERED)


def test_a_task_without_pictures_can_be_played(world: w.World) -> None:
    done = asyncio.run(
        run_episode(
            Task(text="Where?", images=()), w.Scripted([w.answer("a")]), world.setting(), 1, "q", 0
        )
    )  # fmt: skip
    assert done.bank == ()
