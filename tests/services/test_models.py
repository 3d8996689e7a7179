"""What Hopsight asks of models, asked of a real one: a small text model behind llama.cpp.

It sees no pictures and calls no tools by itself, and it is often wrong. What is tested is that
what it says becomes checked values or refusals with a reason, never something in between.
"""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
import yaml
from pydantic import Field

from hopsight.harness import Limits, run_episode
from hopsight.harness.policies import STYLES, ChatPolicy, Sampling
from hopsight.harness.policies.chatml import ChatMl
from hopsight.harness.policies.token_servers import LLAMA_CPP, HttpTokenServer, LlamaCppTokenizer
from hopsight.harness.policies.tokens import TokenPolicy
from hopsight.judge import (
    JudgeModel,
    Judgment,
    Labelled,
    Panel,
    Unjudged,
    judge_text,
    read_labelled,
    rule,
)
from hopsight.llm.chat import ChatMessage, ChatRequest
from hopsight.llm.service import Complete, ModelSettings, open_models
from hopsight.llm.structured import Refused, ask
from hopsight.net import Fetcher, FetchLimits
from hopsight.types import Part, StopReason, Trajectory
from tests.hopsight.harness import world as w
from tests.services.llama import MODEL, Llama, llama

LABELLED = Path(__file__).resolve().parents[1] / "hopsight" / "judge" / "labelled.jsonl"
PAIRS = 12
COMMAND = Path(sys.executable).with_name("hopsight")
CONFIGURATION = 'round: "0001"\nseed: 1\n'


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Llama]:
    with llama(tmp_path_factory.mktemp("llama") / "server.log") as running:
        yield running


def settings(server: Llama, folder: Path) -> ModelSettings:
    endpoint = server.endpoint()
    return ModelSettings(folder, "services", {"judge": endpoint, "policy": endpoint})


def check(
    server: Llama, folder: Path, capabilities: list[str]
) -> "subprocess.CompletedProcess[str]":
    """`hopsight models check` over a models.yaml that declares so much."""
    endpoint = {"base_url": server.url, "model": MODEL, "capabilities": capabilities}
    file = {"endpoints": {"local": endpoint}, "roles": {"policy": "local", "judge": "local"}}
    (folder / "rounds").mkdir()
    (folder / "rounds" / "0001.yaml").write_text(CONFIGURATION)
    (folder / "models.yaml").write_text(yaml.safe_dump(file))
    variables = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "HOPSIGHT_DATA": str(folder / "data"),
        "HOPSIGHT_ROUNDS": str(folder / "rounds"),
        "HOPSIGHT_MODELS": str(folder / "models.yaml"),
    }
    return subprocess.run(
        [COMMAND, "models", "check"],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_check_finds_what_the_model_can_do(server: Llama, tmp_path: Path) -> None:
    ran = check(server, tmp_path, ["json_schema", "seed"])
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stderr == ""
    for role in ("policy", "judge"):
        (line,) = re.findall(rf"^{role} .*$", ran.stdout, re.MULTILINE)
        assert re.search(r"text, json_schema, logprobs +tools, pictures +[0-9.]+ s +yes$", line)
    assert "hint: local has logprobs" in ran.stdout


def test_check_refuses_pictures_that_are_declared_and_not_there(
    server: Llama, tmp_path: Path
) -> None:
    ran = check(server, tmp_path, ["json_schema", "pictures", "tools"])
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert re.search("^error: policy: pictures are declared and not there", ran.stdout, re.M)
    assert re.search("^error: policy: tools are declared and not there", ran.stdout, re.M)


class River(Part):
    """A structured answer with a bounded text, a choice and a range."""

    name: str = Field(min_length=1, max_length=40)
    continent: Literal["Africa", "Asia", "Europe"]
    length_km: int = Field(ge=100, le=10_000)


def test_an_answer_asked_for_by_schema_is_a_checked_value(server: Llama, tmp_path: Path) -> None:
    text = "Describe the river Danube: its name, its continent, and its length in kilometres."
    request = ChatRequest(messages=(ChatMessage(role="user", content=(text,)),), max_tokens=120)

    async def main() -> River | Refused:
        async with open_models(settings(server, tmp_path)) as models:
            complete = models.complete("judge", "test", "r1")
            assert complete is not None
            return await ask(complete, request, River)

    found = asyncio.run(main())
    assert isinstance(found, River), found
    assert found.continent == "Europe"


def open_pairs() -> list[Labelled]:
    """Labelled pairs that rules leave to a model, spread over the set."""
    left = [
        item
        for item in read_labelled(LABELLED)
        if rule(item.answer, item.gold, item.aliases).outcome is None
    ]
    return left[:: max(1, len(left) // PAIRS)][:PAIRS]


def test_the_judge_gives_a_checked_verdict_on_whatever_rules_leave_open(
    server: Llama, tmp_path: Path
) -> None:
    items = open_pairs()
    assert len(items) == PAIRS

    async def main() -> list[Judgment | Unjudged]:
        async with open_models(settings(server, tmp_path)) as models:
            complete = models.complete("judge", "test", "pairs")
            assert complete is not None
            panel = Panel((JudgeModel(MODEL, complete),), max_tokens=300)
            asked = [judge_text(i.question, i.gold, i.aliases, i.answer, panel) for i in items]
            return await asyncio.gather(*asked)

    found = asyncio.run(main())
    lost = [each for each in found if isinstance(each, Unjudged)]
    assert [each for each in lost if each.reason == "judge_failed"] == []
    judged = [each for each in found if isinstance(each, Judgment)]
    assert all(len(each.votes) == 1 for each in judged)
    assert len(judged) >= PAIRS - 1, lost
    right = sum(
        isinstance(each, Judgment) and each.outcome == item.label
        for each, item in zip(found, items, strict=True)
    )
    sys.stdout.write(f"the judge agrees with {right} of {PAIRS} labels\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_policy_plays_short_episodes_that_end_in_a_typed_way(
    server: Llama, tmp_path: Path, seed: int
) -> None:
    world = w.make_world(tmp_path / "world")
    limits = Limits(max_turns=4, wall_clock_s=900.0)

    async def main() -> Trajectory:
        async with open_models(settings(server, tmp_path / "calls")) as models:

            def ask_for(record: str) -> Complete:
                complete = models.complete("policy", "test", record)
                assert complete is not None
                return complete

            policy = ChatPolicy(
                "small", ask_for, STYLES["action"], sees=False, sampling=Sampling(max_tokens=300)
            )
            task = world.task("The picture shows a river. Into which sea does it flow?")
            return await run_episode(task, policy, world.setting(limits), seed, "q_1", 0)

    played = asyncio.run(main())
    assert played.stop_reason in {
        StopReason.ANSWERED,
        StopReason.NO_ANSWER,
        StopReason.TURN_LIMIT,
        StopReason.FATAL,
    }
    assert not played.stop_reason.is_infrastructure
    assert 1 <= len(played.turns) <= 4
    assert Trajectory.model_validate_json(played.model_dump_json()) == played
    assert played.turns[0].weights == MODEL
    assert played.usage.prompt_tokens > 0
    assert (played.stop_reason is StopReason.ANSWERED) == (played.final_answer is not None)
    for turn in played.turns:
        assert len(turn.observations) == len(turn.calls)


def test_a_token_policy_plays_with_the_very_ids_that_were_sampled(
    server: Llama, tmp_path: Path
) -> None:
    world = w.make_world(tmp_path / "world")
    base = server.url.removesuffix("/v1")
    limits = FetchLimits(piece_s=300.0, whole_s=600.0)
    own = frozenset({base.removeprefix("http://")})

    async def main() -> tuple[Trajectory, list[str]]:
        async with Fetcher(limits, allow_hosts=own) as fetcher:
            tokenizer = LlamaCppTokenizer(base, fetcher)
            policy = TokenPolicy(
                "tokens",
                HttpTokenServer(base, LLAMA_CPP, fetcher),
                tokenizer,
                ChatMl(picture=None),
                Sampling(max_tokens=60),
            )
            task = world.task("The picture shows a river. Into which sea does it flow?")
            setting = world.setting(Limits(max_turns=2, wall_clock_s=900.0))
            played = await run_episode(task, policy, setting, 1, "q_1", 0)
            return played, [await tokenizer.decode(turn.response_ids) for turn in played.turns]

    played, written = asyncio.run(main())
    assert not played.stop_reason.is_infrastructure
    for turn, text in zip(played.turns, written, strict=True):
        assert len(turn.response_ids) == len(turn.logprobs) > 0
        assert turn.text in text
        assert turn.weights == MODEL
    for before, after in zip(played.turns, played.turns[1:], strict=False):
        whole = before.prompt_ids + before.response_ids
        assert after.prompt_ids[: len(whole)] == whole
