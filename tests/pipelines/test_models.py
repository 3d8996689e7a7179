"""`models check`, `models costs`, and what a preview says of cost, against a server on loopback."""

import asyncio
import json
import os
import re
import shutil
import threading

import pytest
import yaml
from PIL import Image
from typer.testing import CliRunner

from hopsight.budget import BudgetExceeded
from hopsight.errors import SourceError
from hopsight.judge.environment import JUDGE_VARIABLES
from pipelines.commands import app
from pipelines.terminal import console
from tests.llm_server import MODEL, LlmServer
from tests.loop.fixtures import SMALL_CONFIGURATION
from tests.loop.place import Place, with_world_of
from tests.pipelines.told import CONTROL

KEY = "sk-live-77d1c0ffee"
PRICE = {
    "input_per_million": 100,
    "output_per_million": 1000,
    "as_of": "2026-11-01",
    "source": "a test",
}

SEEN = ("text, tools, logprobs", "json_schema, pictures")
"""What the echoing server has, and what it has not."""


@pytest.fixture
def server():
    """A server in a thread of its own."""
    running, ready, end = LlmServer(), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve():
        async with running.running():
            ready.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(10)
    yield running
    loop.call_soon_threadsafe(end.set)
    thread.join(10)
    loop.close()


@pytest.fixture
def place(tmp_path):
    return Place.make(tmp_path / "place", "seed: 1\n")


@pytest.fixture
def hopsight(monkeypatch):
    """Runs the command in this process, as a person in `place` would."""
    monkeypatch.setattr(console, "width", 160)  # whatever the terminal of the tests is like
    for name in (*JUDGE_VARIABLES, "OPENAI_API_KEY", "TOGETHER_AI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def run(place, *arguments, status=0, **more):
        for name, value in place.environment(ECHO_KEY=KEY, **more).items():
            if os.environ.get(name) != value:
                monkeypatch.setenv(name, value)
        monkeypatch.setenv("HOPSIGHT_MODELS", str(place.root / "models.yaml"))
        ran = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
        assert ran.exit_code == status, ran.output
        assert not CONTROL.search(ran.output)
        assert KEY not in ran.output
        return ran.stdout

    return run


def name_models(place, server, roles, **values):
    """Write models.yaml: one endpoint, and the roles that it answers for."""
    known = {"base_url": server.url, "model": MODEL, "key_env": "ECHO_KEY", "attempts": 2}
    file = {"endpoints": {"here": known | values}, "roles": dict.fromkeys(roles, "here")}
    (place.root / "models.yaml").write_text(yaml.safe_dump(file))


def rows(told):
    """Lines of the table by role."""
    return {line.split("  ")[0]: line.strip() for line in told.splitlines() if "  " in line}


def test_check_tells_what_each_role_s_model_can_do_and_tries_an_endpoint_once(
    place, server, hopsight
):
    name_models(place, server, ["policy", "judge"], capabilities=["tools"], price=PRICE)
    told = hopsight(place, "models", "check")
    for role in ("policy", "judge"):
        line = rows(told)[role]
        cells = re.split(" {2,}", line)
        assert cells[1:6] == ["here", MODEL, "tools", *SEEN]
        assert re.fullmatch(r"[0-9]+\.[0-9]{2} s", cells[6])
        assert cells[7:] == ["yes"]
    assert "rules answer" in rows(told)["generator"]
    assert "hint: here has logprobs" in told
    assert server.asked.total() == 5

    costs = hopsight(place, "models", "costs")
    assert costs.startswith("Round 0001: 5 calls, ")
    tokens = server.prompt_tokens + server.completion_tokens
    dollars = (100 * server.prompt_tokens + 1000 * server.completion_tokens) / 1_000_000
    assert re.search(rf"^probe +judge +5 +{tokens:,} +{dollars:.6f} +0 +0 +0 +0$", costs, re.M)


def test_check_fails_with_cause_and_remedy_where_a_role_cannot_be_answered(place, server, hopsight):
    name_models(place, server, ["policy", "captioner"], capabilities=["tools", "pictures"])
    told = hopsight(place, "models", "check", status=1)
    for role in ("policy", "captioner"):
        assert re.search(rf"^error: {role}: pictures are declared and not there: .* — ", told, re.M)
        assert rows(told)[role].endswith("NO")

    server.always = "key_in_error"
    told = hopsight(place, "models", "check", status=1)
    assert "error: policy: unauthorised: status 401, wrong key: Bearer [secret]" in told
    assert "failed: unauthorised 1" in hopsight(place, "models", "costs")


def test_what_infrastructure_kept_from_being_tried_is_not_told_as_missing(place, server, hopsight):
    name_models(place, server, ["policy"], capabilities=["tools", "logprobs"])
    server.faults.extend([None, None, None, "error_503"])
    told = hopsight(place, "models", "check", status=1)
    assert "logprobs (not known)" in rows(told)["policy"]
    assert "error: policy: logprobs are declared and could not be tried: overloaded" in told


def test_a_judge_of_the_environment_and_its_fallbacks_are_checked_too(place, server, hopsight):
    judge = {"JUDGE_MODEL": MODEL, "JUDGE_URL": server.url, "JUDGE_FALLBACK_MODELS": "spare"}
    told = hopsight(place, "models", "check", status=1, **judge)
    assert re.search(rf"^judge +environment +{MODEL} ", told, re.M)
    assert re.search(r"^judge, fallback 1 +environment +spare ", told, re.M)
    gateway = {
        "JUDGE_MODEL": "",
        "JUDGE_API_BASE_URL": "http://gateway.example",
        "JUDGE_APP_ID": "1",
        "JUDGE_APP_KEY": KEY,
        "JUDGE_MODEL_MARKER": "m",
    }
    told = hopsight(place, "models", "check", status=1, **gateway)
    assert "error: judge: JUDGE_API_BASE_URL names a gateway" in told


def test_where_rules_answer_nothing_is_called_and_nothing_is_written(place, hopsight):
    told = hopsight(place, "models", "check")
    assert len(re.findall(r"rules answer *$", told, re.M)) == 11
    assert "nothing is spent" in hopsight(place, "models", "costs")
    assert list(place.data.iterdir()) == []


@pytest.fixture
def spoilt(small_round, small_dump, tmp_path):
    """A place with a stored wiki whose pictures are gone: read again, it would have no seed."""
    (tmp_path / "pictures").mkdir()
    for file in ("dump.xml", "pictures/pictures.jsonl"):
        shutil.copy(small_dump / file, tmp_path / file)
    configuration = SMALL_CONFIGURATION.format(folder=tmp_path)
    return with_world_of(small_round, tmp_path / "spoilt", configuration)


def test_a_preview_reads_the_stored_wiki_and_shows_what_a_fresh_one_would(
    spoilt, small_dump, tmp_path, hopsight
):
    fresh = Place.make(tmp_path / "fresh", SMALL_CONFIGURATION.format(folder=small_dump))
    told = hopsight(spoilt, "preview", "--limit", "3")
    assert told.count("  answer  ") >= 1
    assert "Projected cost: nothing: rules answer" in told
    assert hopsight(fresh, "preview", "--limit", "3") == told
    assert list(fresh.data.iterdir()) == []


def test_a_preview_does_not_show_the_stored_wiki_for_another_of_its_name(
    spoilt, tmp_path, hopsight
):
    (tmp_path / "dump.xml").write_text("no export")
    with pytest.raises(SourceError, match="no MediaWiki export"):
        hopsight(spoilt, "preview", "--limit", "3")


def test_a_preview_projects_the_cost_of_the_whole_from_what_its_questions_cost(
    spoilt, server, hopsight
):
    name_models(spoilt, server, ["prober", "teacher"], price=PRICE)
    before = spoilt.contents()
    told = hopsight(spoilt, "preview", "--limit", "4")
    shown = told.count("  answer  ")
    assert shown == server.asked.total() > 1
    whole = -(-shown * 24 // 4)
    assert f"measured on {shown} of about {whole} questions" in told
    assert f"bound: {2 * whole} episodes of 50 calls" in told
    spent = (100 * server.prompt_tokens + 1000 * server.completion_tokens) / 1_000_000
    (figure,) = re.findall(r"probe_results \(prober\): \$([0-9.]+) \(", told)
    assert float(figure) == pytest.approx(spent / shown * whole, abs=1e-4)
    assert "Not in it: calls that are repeated after failures" in told
    assert spoilt.contents() == before

    assert hopsight(spoilt, "preview", "--limit", "4") == told
    assert server.asked.total() == shown  # answers are kept, and paid for once
    assert f"Previews of round 0001: {shown} calls" in hopsight(spoilt, "models", "costs")


def test_a_preview_asks_the_generator_and_tells_what_it_rejects_and_costs(spoilt, server, hopsight):
    name_models(spoilt, server, ["generator"], price=PRICE)
    told = hopsight(spoilt, "preview", "--limit", "3")
    assert server.asked.total() >= 3  # it writes no question, is told so, and is asked again
    assert "rejected by grounded_questions: generator_refused 3" in told
    assert "grounded_questions (generator): $" in told
    assert "measured on 3 of about 24 questions" in told
    assert "linked_questions" not in told


def test_a_preview_tells_what_imported_rows_cost_and_come_to(spoilt, server, tmp_path, hopsight):
    name_models(spoilt, server, ["generator"], price=PRICE)
    Image.new("RGB", (600, 600), "red").save(tmp_path / "a.png")
    row = {"question": "Which code?", "answer": "7", "image": "a.png", "reasoning": "It has 7."}
    lines = [json.dumps(row | {"reasoning": f"It has {n}."}) + "\n" for n in range(5)]
    (tmp_path / "seeds.jsonl").write_text("".join(lines))
    path = spoilt.rounds / "0001.yaml"
    files = f"{{imported: {{files: [{tmp_path / 'seeds.jsonl'}]}}}}"
    path.write_text(f"{path.read_text()}refine: {files}\n")
    told = hopsight(spoilt, "preview", "--limit", "2")
    assert "rejected by imported_seeds: nothing" in told
    assert "rejected by linked_questions: step_refused 2" in told
    assert "The whole round wants 24 paths and 5 imported rows" in told
    assert re.search(r"linked_questions \(generator\): \$.*; measured on 2 of about 5 ", told)


def test_a_preview_stops_before_the_budget_is_passed(spoilt, server, hopsight):
    name_models(spoilt, server, ["prober"], price=PRICE)
    path = spoilt.rounds / "0001.yaml"
    path.write_text(f"{path.read_text()}budget: {{max_usd: 0.000001}}\n")
    with pytest.raises(BudgetExceeded, match="max_usd"):
        hopsight(spoilt, "preview", "--limit", "2")
    assert server.asked.total() == 0
