"""The remote backend against our own server, and against answers of any other."""

import asyncio
import json

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from hopsight.errors import ConfigError, PictureError, ProviderError, StoreError
from hopsight.harness.backends.remote import RemoteBackend
from hopsight.net import BlockedAddress, Fetcher, FetchLimits
from hopsight.serve import Served, create_app
from hopsight.store import ImageStore
from tests.hopsight.harness.world import make_world
from tests.hopsight.serve.serving import Failing, listening

TOKEN = "0123456789abcdef"
ALDA = "https://wiki.example/wiki/Alda"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return make_world(tmp_path_factory.mktemp("world"))


def fetcher_for(url: str) -> Fetcher:
    return Fetcher(FetchLimits(), allow_hosts=frozenset({url.removeprefix("http://")}))


def against(app, use):
    async def once():
        async with listening(app) as url, fetcher_for(url) as fetcher:
            return await use(url, fetcher)

    return asyncio.run(once())


def test_it_answers_as_the_backend_behind_the_server_does(world, tmp_path):
    store = ImageStore(tmp_path)
    data = world.images.bytes(world.shown[0].sha256)

    async def use(url, fetcher):
        remote = await RemoteBackend.connect(url, fetcher, store, TOKEN)
        await remote.prove_pixels()
        return (
            remote.offers,
            await remote.web_search("river Alda", 3),
            await remote.image_search("Alda", 3),
            await remote.visual_search(data, 3),
            await remote.visit(ALDA),
            await remote.visit("https://wiki.example/wiki/None"),
        )

    app = create_app(Served(world.backend, pictures=world.images), token=TOKEN)
    found = against(app, use)
    local = world.backend

    async def expected():
        return (
            local.offers,
            await local.web_search("river Alda", 3),
            await local.image_search("Alda", 3),
            await local.visual_search(data, 3),
            await local.visit(ALDA),
            None,
        )

    assert found == asyncio.run(expected())
    assert store.bytes(world.shown[0].sha256) == data  # stored before it was named


def test_a_picture_that_is_none_is_the_callers_fault(world, tmp_path):
    async def use(url, fetcher):
        remote = await RemoteBackend.connect(url, fetcher, ImageStore(tmp_path))
        with pytest.raises(PictureError):
            await remote.visual_search(b"no picture", 3)

    against(create_app(Served(world.backend, pictures=world.images)), use)


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (ProviderError("down", "x"), ProviderError),
        (StoreError("damaged", "x"), ProviderError),
        (BlockedAddress("not public", "x"), BlockedAddress),
    ],
)
def test_a_failure_behind_the_server_is_a_failure_here(error, raised, tmp_path, monkeypatch):
    monkeypatch.setattr("hopsight.harness.backends.remote.TRIES", 1)

    async def use(url, fetcher):
        remote = await RemoteBackend.connect(url, fetcher, ImageStore(tmp_path))
        with pytest.raises(raised):
            await remote.web_search("a", 3)
        with pytest.raises(raised):
            await remote.visit("a")

    against(create_app(Served(Failing(error))), use)


def foreign(answers: list[Response]) -> FastAPI:
    """A server of others that speaks `/retrieve` alone."""
    app = FastAPI()
    app.state.asked = []

    @app.post("/retrieve")
    async def retrieve(request: Request):
        app.state.asked.append(await request.json())
        return answers.pop(0)

    return app


def asked_of(answers: list[Response], query: str = "a"):
    app = foreign(answers)

    async def use(url, fetcher):
        return await RemoteBackend(url, fetcher).web_search(query, 2)

    return against(app, use), app.state.asked


def test_it_is_a_client_of_search_r1_and_mm_deepresearch_servers():
    document = {"id": "17", "contents": '"Alda"\nAlda is a river.\nIt is long.'}
    body = {"result": [[{"document": document, "score": 0.87}]]}
    (hit,), asked = asked_of([JSONResponse(body)], "river")
    assert asked == [{"queries": ["river"], "topk": 2, "return_scores": True}]
    assert (hit.url, hit.title, hit.score) == ("17", "Alda", 0.87)
    assert hit.snippet == "Alda is a river.\nIt is long."


def test_connect_takes_a_server_that_speaks_retrieve_alone(tmp_path):
    app = foreign([JSONResponse({"result": [[]]}), JSONResponse({"detail": "no"}, 404)])

    async def use(url, fetcher):
        remote = await RemoteBackend.connect(url, fetcher, ImageStore(tmp_path))
        with pytest.raises(ProviderError):
            await RemoteBackend.connect(url, fetcher, ImageStore(tmp_path))
        return remote.offers

    assert against(app, use) == {"web_search"}


def test_what_may_pass_is_tried_again_as_the_server_asks():
    later = JSONResponse({"error": "busy"}, 503, {"Retry-After": "0.01"})
    found, asked = asked_of([later, JSONResponse({"result": [[]]})])
    assert (found, len(asked)) == ([], 2)


@pytest.mark.parametrize(
    "answer",
    [
        Response("no json"),
        Response("[" * 100_000),
        JSONResponse({"result": []}),
        JSONResponse({"result": [[], []]}),
        JSONResponse({"result": [["document"]]}),
        JSONResponse({"result": [[{"document": {}, "score": "high"}]]}),
        Response('{"result": [[{"document": {}, "score": NaN}]]}'),
        JSONResponse({"detail": "Not Found"}, 404),
        JSONResponse({"detail": "x"}, 302, {"location": "http://169.254.169.254/"}),
        JSONResponse({"detail": "x"}, 503, {"Retry-After": "100000"}),
    ],
)
def test_an_answer_of_another_form_is_a_failure_and_never_empty(answer):
    with pytest.raises(ProviderError):
        asked_of([answer])


def test_a_picture_that_comes_as_another_one_is_refused(world, tmp_path):
    app = create_app(Served(world.backend, pictures=world.images))
    other = world.images.bytes(world.shown[1].sha256)

    class Swapped:
        def bytes(self, sha256):
            return other

        def put(self, *_):
            raise AssertionError

    app = create_app(Served(world.backend, pictures=Swapped()))

    async def use(url, fetcher):
        remote = await RemoteBackend.connect(url, fetcher, ImageStore(tmp_path))
        with pytest.raises(ProviderError, match="another one"):
            await remote.image_search("Alda", 3)

    against(app, use)


def test_pixels_that_are_replaced_on_the_way_are_noticed():
    app = FastAPI()

    @app.post("/self_test")
    async def self_test(request: Request):
        return {"sha256": "0" * 64, "format": "PNG", "width": 64, "height": 64, "grid": []}

    async def use(url, fetcher):
        with pytest.raises(ProviderError, match="did not arrive"):
            await RemoteBackend(url, fetcher).prove_pixels()

    against(app, use)


def test_an_address_that_may_not_be_asked_is_a_matter_of_configuration():
    async def once():
        async with Fetcher() as fetcher:
            with pytest.raises(ConfigError, match="allow_hosts"):
                await RemoteBackend("http://127.0.0.1:9000", fetcher).web_search("a", 1)

    asyncio.run(once())


def test_the_token_is_not_told():
    told = JSONResponse({"error": {"code": "x", "message": f"bad token {TOKEN}"}}, 401)
    app = foreign([told])

    async def use(url, fetcher):
        with pytest.raises(ProviderError) as failure:
            await RemoteBackend(url, fetcher, token=TOKEN).web_search("a", 1)
        return str(failure.value)

    assert TOKEN not in against(app, use)
    assert json.loads(bytes(told.body))["error"]["message"].endswith(TOKEN)
