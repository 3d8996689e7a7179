"""Watching one episode, and trying tools before a round, as a person does."""

import json

import pytest
import yaml

from hopsight.types import Question, Trajectory
from tests.loop.place import ROUND
from tests.pipelines.told import CONTROL, told_in_one_line


@pytest.fixture(scope="module")
def question(small_round) -> Question:
    stored: list[Question] = small_round.store.read("grounded_questions", ROUND, Question)
    return stored[0]


def test_a_stored_question_is_played_before_one_s_eyes_and_saved(small_round, question, tmp_path):
    path = tmp_path / "played.json"
    ran = small_round.run("episode", question.id, "--role", "teacher", "--save", str(path))
    assert ran.returncode == 0, ran.stderr
    assert not CONTROL.search(ran.stdout)
    played = Trajectory.model_validate_json(path.read_text())
    assert played.task == question.task
    assert ran.stdout.startswith(f"<image:0> {question.text[:40]}")
    assert ran.stdout.count("\nturn ") == len(played.turns)
    assert f"stopped  {played.stop_reason}" in ran.stdout
    assert "→ visual_search" in ran.stdout
    assert "← ok <image:1>" in ran.stdout


def test_a_question_of_one_s_own_may_be_a_file_with_a_picture_beside_it(
    small_round, question, tmp_path
):
    shown = small_round.workspace.images.bytes(question.images[0].sha256)
    (tmp_path / "shown.png").write_bytes(shown)
    file = tmp_path / "asked.json"
    file.write_text(json.dumps({"question": "What is shown here?", "images": ["shown.png"]}))
    ran = small_round.run("episode", str(file), "--role", "teacher")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("<image:0> What is shown here?")


def test_what_cannot_be_played_is_told_in_one_line(small_round, tmp_path):
    (tmp_path / "no.json").write_text("[]")
    (tmp_path / "no.png").write_bytes(b"no picture")
    for arguments in (
        (str(tmp_path / "no.json"),),
        ("What?", "--image", str(tmp_path / "no.png")),
        ("What?", "--image", str(tmp_path / "missing.png")),
        ("What?", "--role", "judge"),
        ("q_0000000000000000",),
        (" ",),
    ):
        told_in_one_line(small_round.run("episode", *arguments))


def test_check_tries_every_tool_and_its_pixels_and_tells_what_fails(small_round):
    ran = small_round.run("check")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Tools of round 0001, searches by local" in ran.stdout
    for tool in ("web_search", "visual_search", "visit", "zoom_in"):
        line = next(line for line in ran.stdout.splitlines() if line.startswith(tool))
        assert line.split()[1] == "yes", line


def test_a_tool_that_nothing_serves_stops_a_round_before_it_begins(small_round):
    path = small_round.rounds / "0007.yaml"
    config = yaml.safe_load((small_round.rounds / f"{ROUND}.yaml").read_text())
    config |= {"round": "0007", "harness": {"tools": ["web_search", "scholar_search"]}}
    path.write_text(yaml.safe_dump(config))
    try:
        told = told_in_one_line(small_round.run("check", "--round", "0007"))
        assert "scholar_search has no backend that serves it" in told
    finally:
        path.unlink()
