"""The routes of the review page."""

import asyncio
import json
import shutil

import pytest

from curation.review import standing
from hopsight.chains import changed
from hopsight.errors import ConfigError
from hopsight.serve import ServeSettings
from hopsight.types import Difficulty, PassRate, SplitAssignment
from pipelines.review import create_app, open_material
from pipelines.review.app import FILES, MAX_BODY, PAGE
from tests.curation.review.rounds import ROUND, curate, make_round, questions, reworded
from tests.hopsight.serve.serving import HERE, client_of

TOKEN = "0123456789abcdef"
LOCAL = ServeSettings(max_body_bytes=MAX_BODY)
FIRST = questions()[0]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return make_round(tmp_path_factory.mktemp("round"))


@pytest.fixture
def material(workspace):
    """The one round, with nothing decided."""
    shutil.rmtree(workspace.root / "review", ignore_errors=True)
    found = open_material(workspace, ROUND)
    yield found
    found.close()


@pytest.fixture
def app(material):
    return create_app(material, LOCAL)


def ask(app, path, body=None, **headers):
    async def once():
        async with client_of(app, **headers) as client:
            return await (client.get(path) if body is None else client.post(path, json=body))

    return asyncio.run(once())


def test_the_queue_holds_every_question_once(app):
    told = ask(app, "/api/queue").json()
    assert sorted(item["id"] for item in told["items"]) == sorted(q.id for q in questions())
    assert {item["decision"] for item in told["items"]} == {None}
    assert told["reasons"][0] == "chain_inconsistent"


def test_a_question_is_told_with_chain_evidence_and_figures(tmp_path):
    workspace = make_round(tmp_path)
    curate(workspace, [FIRST])
    rate = PassRate(question_id=FIRST.id, policy="weak", n=4, graded=4, correct=1)
    workspace.store.write("pass_rates", ROUND, [rate], record_type=PassRate)
    split = SplitAssignment(question_id=FIRST.id, anchor=1, split="rl", band="some")
    workspace.store.write("split_assignments", ROUND, [split], record_type=SplitAssignment)
    hard = Difficulty(question_id=FIRST.id, hops=2, expanded=1, blurred=2, visualized=0, total=5.0)
    workspace.store.write("difficulties", ROUND, [hard], record_type=Difficulty)
    app = create_app(open_material(workspace, ROUND), LOCAL)
    told = ask(app, f"/api/questions/{FIRST.id}").json()
    assert (told["text"], told["answer"]) == (FIRST.text, FIRST.answer)
    assert told["rates"] == [{"policy": "weak", "correct": 1, "graded": 4}]
    assert (told["difficulty"]["blurred"], told["difficulty"]["total"]) == (2, 5.0)
    assert told["split"] == {"name": "rl", "band": "some"}
    assert told["steps"][0]["clue"] is None
    for step in told["steps"][1:]:
        assert step["clue"]["relation"]
        assert step["evidence"][0]["role"] == "states the step"
        for each in step["evidence"]:
            assert each["stands"]
            assert each["url"].startswith("https://example.org/")
            assert each["span"][1] - each["span"][0] == len(each["sentence"])
    assert FIRST.answer in told["answer_evidence"]["sentence"]


def test_figures_of_a_question_that_got_a_worse_picture_are_told(tmp_path):
    workspace = make_round(tmp_path)
    image = changed(FIRST.images[0], sha256="0" * 64)
    worse = changed(FIRST, images=(image,), parent_id=FIRST.id)
    curate(workspace, [worse])
    rate = PassRate(question_id=worse.id, policy="weak", n=4, graded=4, correct=1)
    workspace.store.write("pass_rates", ROUND, [rate], record_type=PassRate)
    split = SplitAssignment(question_id=worse.id, anchor=1, split="rl", band="some")
    workspace.store.write("split_assignments", ROUND, [split], record_type=SplitAssignment)
    app = create_app(open_material(workspace, ROUND), LOCAL)
    assert [item["id"] for item in ask(app, "/api/queue").json()["items"]] == [FIRST.id]
    told = ask(app, f"/api/questions/{FIRST.id}").json()
    assert told["rates"] == [{"policy": "weak", "correct": 1, "graded": 4}]
    assert told["split"] == {"name": "rl", "band": "some"}


def test_evidence_that_does_not_stand_in_the_stored_page_is_told(material):
    subjects = material.desk.subjects
    chain = subjects.chains[FIRST.chain_id]
    page = material.world.page(chain.answer_evidence.page_id)
    material.world._pages[page.page_id] = page.model_copy(update={"text": f"x{page.text}"})
    told = ask(create_app(material, LOCAL), f"/api/questions/{FIRST.id}").json()
    material.world._pages[page.page_id] = page
    assert not told["answer_evidence"]["stands"]
    assert told["answer_evidence"]["before"] == ""


def test_decisions_are_kept_and_the_last_one_stands(app, material):
    for choice in ("accept", "withdraw", "accept"):
        body = {"question_id": FIRST.id, "decision": choice, "reviewer": "Ada"}
        assert ask(app, "/api/decisions", body).status_code == 201
    told = ask(app, f"/api/questions/{FIRST.id}").json()["decision"]
    assert (told["decision"], told["reviewer"], told["number"]) == ("accept", "Ada", 3)
    assert ask(app, "/api/queue").json()["items"][-1]["id"] == FIRST.id
    assert list(standing(material.desk.journal.load())) == [FIRST.id]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"decision": "edit", "text": f"{reworded(FIRST)[:-1]} of {FIRST.answer}?"},
         "answer_in_question"),
        ({"decision": "edit", "text": "   "}, "empty_text"),
        ({"decision": "edit", "text": FIRST.text}, "same_text"),
        ({"decision": "edit"}, "invalid_request"),
        ({"decision": "reject"}, "invalid_request"),
        ({"decision": "accept", "question_id": "q_" + "0" * 16}, "unknown_question"),
        ({"decision": "accept", "question_id": 5}, "invalid_request"),
        ({"decision": "accept", "mood": "good"}, "invalid_request"),
        (["accept"], "invalid_request"),
    ],
)  # fmt: skip
def test_what_cannot_stand_is_refused_with_the_reason_and_not_kept(app, material, body, code):
    if isinstance(body, dict):
        body = {"question_id": FIRST.id, **body}
    answer = ask(app, "/api/decisions", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
    assert material.desk.journal.load() == ()


def test_pictures_of_questions_are_served_and_no_others(app, material):
    (image,) = FIRST.images
    answer = ask(app, f"/picture/{image.sha256}")
    assert answer.headers["content-type"] == "image/png"
    assert answer.content == material.workspace.images.bytes(image.sha256)
    data = answer.content + b"more"
    stranger = material.workspace.images.put(data, "", "CC0-1.0", "nobody")
    assert ask(app, f"/picture/{stranger.sha256}").status_code == 404
    assert ask(app, "/picture/..%2f..%2fmanifest.json").status_code in (404, 422)


def test_the_page_loads_nothing_from_elsewhere(app):
    for path, name in FILES.items():
        answer = ask(app, path)
        assert answer.status_code == 200
        assert answer.content == (PAGE / name).read_bytes()
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "http" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
    assert {path.name for path in PAGE.iterdir()} == set(FILES.values())
    for file in PAGE.glob("*.js"):
        assert "innerHTML" not in file.read_text()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"origin": HERE}, 201),
        ({"origin": HERE, "sec-fetch-site": "same-origin"}, 201),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example", "origin": "http://evil.example"}, 421),
    ],
)
def test_a_page_of_another_site_decides_nothing(app, material, headers, status):
    body = {"question_id": FIRST.id, "decision": "accept"}
    assert ask(app, "/api/decisions", body, **headers).status_code == status
    assert len(material.desk.journal.load()) == (status == 201)


def test_a_form_of_another_page_is_no_decision(app, material):
    async def once():
        body = json.dumps({"question_id": FIRST.id, "decision": "accept"})
        async with client_of(app) as client:
            kind = {"Content-Type": "text/plain"}
            return await client.post("/api/decisions", content=body, headers=kind)

    assert asyncio.run(once()).status_code == 422
    assert material.desk.journal.load() == ()


def test_a_large_body_is_refused(app):
    body = {"question_id": FIRST.id, "decision": "accept", "note": "n" * MAX_BODY}
    assert ask(app, "/api/decisions", body).status_code == 413


def test_beyond_this_machine_a_token_is_needed(material):
    everywhere = ServeSettings(host="0.0.0.0")
    with pytest.raises(ConfigError, match="no token is set"):
        create_app(material, everywhere)
    app = create_app(material, everywhere, token=TOKEN)
    for path in ("/", "/api/queue", f"/?token={TOKEN[:-1]}x", "/api/queue?token=" + TOKEN):
        assert ask(app, path).status_code == 401
    signed = ask(app, f"/?token={TOKEN}")
    assert (signed.status_code, signed.headers["location"]) == (303, "/")
    cookie = signed.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    given = cookie.split(";")[0]
    assert ask(app, "/api/queue", cookie=given).status_code == 200
    assert ask(app, "/api/queue", cookie=given[:-1]).status_code == 401
    assert ask(app, "/api/queue", authorization=f"Bearer {TOKEN}").status_code == 200


def test_a_damaged_picture_is_no_wrong_answer(app, material):
    (image,) = FIRST.images
    path = material.workspace.images.path(image.sha256)
    sound = path.read_bytes()
    path.write_bytes(b"broken")
    answer = ask(app, f"/picture/{image.sha256}")
    path.write_bytes(sound)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_working")
