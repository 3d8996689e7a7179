"""The routes of the search server."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hopsight.errors import ConfigError, ProviderError, StoreError
from hopsight.llm.failures import ModelError, Reason
from hopsight.net import BlockedAddress
from hopsight.serve import Served, ServeSettings, create_app
from tests.hopsight.harness.world import make_world
from tests.hopsight.serve.serving import Failing, client_of, text_of

ALDA = "https://wiki.example/wiki/Alda"
TOKEN = "0123456789abcdef"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return make_world(tmp_path_factory.mktemp("world"))


def served(world) -> Served:
    return Served(world.backend, pictures=world.images)


def ask(app, path: str, body=None, **headers: str):
    async def once():
        async with client_of(app, **headers) as client:
            return await (client.get(path) if body is None else client.post(path, json=body))

    return asyncio.run(once())


@pytest.mark.parametrize("scores", [True, False])
@pytest.mark.parametrize("queries", [["river Alda"], ["river Alda", "zzqx", "founded 1070"]])
def test_retrieve_gives_one_list_for_each_query_with_scores_and_without(world, queries, scores):
    body = {"queries": queries, "topk": 2, "return_scores": scores}
    answer = ask(create_app(served(world)), "/retrieve", body)
    assert answer.status_code == 200
    result = answer.json()["result"]
    assert len(result) == len(queries)
    first = result[0][0]
    document = first["document"] if scores else first
    assert (document["id"], document["title"]) == (ALDA, "Alda")
    assert document["contents"].startswith("Alda\nAlda is a river.")
    if scores:
        assert [x["score"] for x in result[0]] == sorted(x["score"] for x in result[0])[::-1]
    if len(queries) > 1:
        assert result[1] == []
        assert result[2] != []


def test_retrieve_without_topk_gives_the_default_number(world):
    answer = ask(create_app(served(world)), "/retrieve", {"queries": ["sea city river"]})
    assert 0 < len(answer.json()["result"][0]) <= 3


def test_pictures_are_found_and_fetched(world):
    app, sha256 = create_app(served(world)), world.shown[0].sha256
    data = world.images.bytes(sha256)
    by_pixels = ask(app, "/visual_search", {"image": text_of(data)}).json()["result"]
    by_words = ask(app, "/image_search", {"query": "Alda"}).json()["result"]
    assert by_pixels[0]["image"]["sha256"] == by_words[0]["image"]["sha256"] == sha256
    assert by_pixels[0]["page_url"] == ALDA
    picture = ask(app, f"/image/{sha256}")
    assert (picture.content, picture.headers["content-type"]) == (data, "image/png")
    assert ask(app, f"/image/{'0' * 64}").json()["error"]["code"] == "no_picture"
    assert ask(app, "/image/..%2f..%2fetc%2fpasswd").status_code in (404, 422)


def test_a_page_is_read_and_a_missing_one_is_null(world):
    app = create_app(served(world))
    page = ask(app, "/visit", {"url": ALDA}).json()["page"]
    assert page["title"] == "Alda"
    assert page["images"][0]["sha256"] == world.shown[0].sha256
    answer = ask(app, "/visit", {"url": "https://wiki.example/wiki/None"})
    assert (answer.status_code, answer.json()) == (200, {"page": None})


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ProviderError("the provider is down", "wait"), 503, "provider_failed"),
        (ModelError(Reason.TIMEOUT, "no answer"), 504, "timeout"),
        (TimeoutError(), 504, "timeout"),
        (StoreError("/secret/folder is damaged", "mend"), 503, "not_working"),
        (BlockedAddress("the host is not public", "x"), 403, "blocked"),
        (ZeroDivisionError("a bug"), 500, "internal"),
    ],
)
def test_a_failure_is_an_error_status_and_never_an_empty_list(error, status, code):
    app = create_app(Served(Failing(error)))
    for path, body in (
        ("/retrieve", {"queries": ["a", "b"]}),
        ("/web_search", {"query": "a"}),
        ("/image_search", {"query": "a"}),
        ("/visual_search", {"image": "AAAA"}),
        ("/visit", {"url": "a"}),
    ):
        answer = ask(app, path, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert "bug" not in answer.text


def test_a_search_that_takes_too_long_is_stopped():
    class Slow(Failing):
        async def web_search(self, query, k):
            await asyncio.sleep(30)

    app = create_app(Served(Slow(ValueError())), ServeSettings(timeout_s=0.05))
    assert ask(app, "/retrieve", {"queries": ["a"]}).status_code == 504


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/retrieve", {"queries": []}),
        ("/retrieve", {"queries": ["a"] * 4_097}),
        ("/retrieve", {"queries": ["a" * 2_001]}),
        ("/retrieve", {"queries": ["a"], "topk": 101}),
        ("/retrieve", {"queries": ["a"], "topk": 0}),
        ("/retrieve", {"queries": "a"}),
        ("/retrieve", {"queries": ["a"], "more": 1}),
        ("/image_search", {"query": ""}),
        ("/visual_search", {"image": "no base64!"}),
        ("/visual_search", {"image": text_of(b"no picture")}),
        ("/visual_search", {"image": "A" * 4_000}),
        ("/visit", {"url": "a" * 2_001}),
    ],
)
def test_what_is_out_of_bounds_is_refused_in_words(world, path, body):
    app = create_app(served(world), ServeSettings(max_picture_bytes=1_024))
    answer = ask(app, path, body)
    assert answer.status_code == 422
    assert set(answer.json()["error"]) == {"code", "message"}
    assert "object at 0x" not in answer.text


@given(body=st.binary(max_size=200))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_body_gets_a_typed_answer(world, body):
    async def once():
        async with client_of(create_app(served(world))) as client:
            return await client.post(
                "/retrieve", content=body, headers={"content-type": "application/json"}
            )

    answer = asyncio.run(once())
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"]


def test_what_is_not_served_says_so(world):
    app = create_app(served(world))
    for path, body in (
        ("/scholar_search", {"query": "a"}),
        ("/lens", {"data_id": "1"}),
    ):
        answer = ask(app, path, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_served")
    offers = ask(app, "/health").json()["offers"]
    assert offers == sorted({*world.backend.offers, "retrieve"})
    assert ask(app, "/nowhere", {}).json()["error"]["code"] == "not_found"


def test_a_token_is_asked_for_and_health_is_open(world):
    app = create_app(served(world), token=TOKEN)
    body = {"queries": ["Alda"]}
    assert ask(app, "/retrieve", body).status_code == 401
    assert ask(app, "/retrieve", body, Authorization="Bearer wrong").status_code == 401
    assert ask(app, "/retrieve", body, Authorization=f"Bearer {TOKEN}").status_code == 200
    assert ask(app, "/metrics").status_code == 401
    assert ask(app, "/health").status_code == 200


def test_a_server_that_everybody_reaches_needs_a_token_or_a_word(world):
    public = ServeSettings(host="0.0.0.0")
    with pytest.raises(ConfigError, match="no token"):
        create_app(served(world), public)
    create_app(served(world), public, token=TOKEN)
    create_app(served(world), ServeSettings(host="0.0.0.0", open_to_all=True))


def test_a_foreign_name_for_this_machine_is_refused(world):
    app = create_app(served(world))
    assert ask(app, "/health", Host="evil.example").status_code == 421
    assert ask(app, "/health", Host="localhost:9000").status_code == 200
    assert ask(app, "/health", Host="[::1]:9000").status_code == 200


def test_a_large_body_is_refused_before_it_is_read_whole(world):
    app = create_app(served(world), ServeSettings(max_body_bytes=1_024))
    given_parts = 0

    async def parts():
        nonlocal given_parts
        for _ in range(1_000):
            given_parts += 1
            yield b" " * 512

    async def once():
        async with client_of(app) as client:
            return await client.post("/retrieve", content=parts())

    answer = asyncio.run(once())
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert given_parts < 10


def test_more_requests_than_allowed_are_sent_away():
    class Waiting(Failing):
        async def web_search(self, query, k):
            await asyncio.sleep(0.2)
            return []

    app = create_app(Served(Waiting(ValueError())), ServeSettings(max_in_flight=2))

    async def many():
        async with client_of(app) as client:
            body = {"queries": ["a"]}
            asked = (client.post("/retrieve", json=body) for _ in range(5))
            return await asyncio.gather(*asked)

    answers = asyncio.run(many())
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503, 503, 503]
    refused = next(answer for answer in answers if answer.status_code == 503)
    assert (refused.json()["error"]["code"], refused.headers["retry-after"]) == ("overloaded", "1")


def test_the_self_test_tells_what_arrived(world):
    data = world.images.bytes(world.shown[0].sha256)
    told = ask(create_app(served(world)), "/self_test", {"image": text_of(data)}).json()
    assert told["sha256"] == world.shown[0].sha256
    assert (told["width"], told["height"]) == (world.shown[0].width, world.shown[0].height)
    other = ask(
        create_app(served(world)),
        "/self_test",
        {"image": text_of(world.images.bytes(world.shown[1].sha256))},
    ).json()
    assert other["grid"] != told["grid"]


def test_a_form_of_a_foreign_page_is_no_request(world):
    async def once():
        async with client_of(create_app(served(world))) as client:
            return await client.post(
                "/retrieve", content='{"queries": ["a"]}', headers={"content-type": "text/plain"}
            )

    assert asyncio.run(once()).status_code == 422


def test_health_answers_in_a_crowd():
    app = create_app(Served(Failing(ValueError())), ServeSettings(max_in_flight=1))

    async def many():
        async with client_of(app) as client:
            asked = (client.get("/health") for _ in range(5))
            return await asyncio.gather(*asked)

    assert [answer.status_code for answer in asyncio.run(many())] == [200] * 5
