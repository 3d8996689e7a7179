"""What the wiki asks of its clients, and how a wiki that cannot be used is told."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from hopsight.errors import SourceError
from hopsight.wiki.api import crawl
from hopsight.wiki.api.transport import PoliteTransport, Readdressed
from tests.hopsight.wiki.api.conftest import source
from tests.hopsight.wiki.api.fake_wiki import BASE, Reply, maxlag

HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.fixture(autouse=True)
def small(wiki):
    wiki.add("A", "See [[B]].").add("B", "b")


def test_every_request_says_who_asks(wiki, run):
    run("A", links="listed")
    assert len(wiki.agents) == 2  # wikipedia-api adds its own name
    assert all(agent.startswith("Hopsight/") for agent in wiki.agents)
    assert all("(us@example.org)" in agent for agent in wiki.agents)


def test_every_question_names_the_lag_that_is_too_much(wiki, run):
    run("A", links="listed", maxlag=9)
    assert {params["maxlag"] for _, params in wiki.requests} == {"9"}
    assert {path for path, _ in wiki.requests} == {"/w/api.php"}


@pytest.mark.parametrize(
    ("trouble", "pause"),
    [
        (maxlag("7"), 7.0),
        (Reply({"error": {"code": "maxlag", "info": "lagged"}}), 1.0),
        (Reply({"error": {"code": "readonly", "info": "closed"}}), 1.0),
        (Reply({"error": {"code": "ratelimited", "info": "slow"}}), 1.0),
        (Reply(b"slow down", 429, {"Retry-After": "11"}), 11.0),
        (Reply(b"slow down", 429), 1.0),
        (Reply(b"<html>", 503, {"Retry-After": "3", **HTML}), 3.0),
        (Reply(b"<html>", 502, HTML), 1.0),
        (Reply(b"x", 503, {"Retry-After": "soon"}), 1.0),
    ],
)
def test_a_busy_wiki_is_waited_for(wiki, run, waits, trouble, pause):
    wiki.troubles = [trouble]
    run("A")
    assert waits == [pause]


def test_pauses_double_while_nothing_is_said_of_them(wiki, run, waits):
    wiki.troubles = [Reply(b"", 503) for _ in range(4)]
    run("A")
    assert waits == [1.0, 2.0, 4.0, 8.0]


def test_a_date_to_come_back_at_is_kept(wiki, run, waits):
    then = datetime.now(UTC) + timedelta(seconds=50)
    wiki.troubles = [Reply(b"", 503, {"Retry-After": format_datetime(then, usegmt=True)})]
    run("A")
    assert len(waits) == 1 and 40 < waits[0] <= 50


def test_the_other_client_waits_too(wiki, run, waits):
    def lag(params):
        if params.get("prop") == "links" and not waits:
            wiki.troubles.append(maxlag("4"))

    wiki.before = lag
    run("A", "B", links="listed")
    assert waits == [4.0]


def test_a_connection_that_breaks_is_tried_again(wiki, run, waits):
    def cut(params):
        if params.get("prop") == "info" and not waits:
            wiki.troubles.append(httpx.ReadTimeout("no answer"))

    wiki.before = cut
    run("A")
    assert waits == [1.0]


def test_a_pause_holds_back_every_request():
    seen = []

    async def scenario():
        resumed = asyncio.Event()

        async def sleep(seconds):
            await resumed.wait()

        def send(request):
            seen.append(request.url.path)
            return httpx.Response(503 if seen == ["/1"] else 200)

        polite = PoliteTransport(httpx.MockTransport(send), source(), sleep)
        first = asyncio.create_task(
            polite.handle_async_request(httpx.Request("GET", BASE[:17] + "/1"))
        )
        while not seen:
            await asyncio.sleep(0)
        second = asyncio.create_task(
            polite.handle_async_request(httpx.Request("GET", BASE[:17] + "/2"))
        )
        for _ in range(20):
            await asyncio.sleep(0)
        held = list(seen)
        resumed.set()
        await asyncio.gather(first, second)
        return held

    assert asyncio.run(scenario()) == ["/1"]
    assert sorted(seen) == ["/1", "/1", "/2"]


def test_no_more_requests_are_under_way_than_allowed():
    now, most = 0, 0

    async def scenario():
        async def send(request):
            nonlocal now, most
            now += 1
            most = max(most, now)
            await asyncio.sleep(0)
            now -= 1
            return httpx.Response(200)

        polite = PoliteTransport(httpx.MockTransport(send), source(concurrency=3))
        asks = [polite.handle_async_request(httpx.Request("GET", BASE)) for _ in range(20)]
        await asyncio.gather(*asks)

    asyncio.run(scenario())
    assert most == 3


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (Reply(b"<html>Please log in</html>", headers=HTML), "an HTML page"),
        (Reply(b"<html>Not found</html>", 404, HTML), "set base_url"),
        (Reply(b"<html>Login</html>", 401, HTML), "wants a login"),
        (Reply(b"no", 403), "wants a login or bars this client"),
        (
            Reply(b"", 301, {"Location": "https://elsewhere.test/api.php"}),
            "redirects to https://else",
        ),
        (Reply({"error": {"code": "readapidenied", "info": "You need read permission"}}), "login"),
        (Reply({"error": {"code": "badvalue", "info": "Unrecognized value"}}), "badvalue"),
        (Reply({"error": "odd"}), "refuses a question"),
        (Reply([1, 2]), "no JSON object"),
        (Reply({"query": [1]}), "query is no object"),
        (Reply({"query": {}}), "siteinfo names no namespaces"),
        (Reply({"query": {"namespaces": {"x": {"name": ""}}, "general": {}}}), "namespaces"),
        (Reply({"query": {"namespaces": {}, "general": {"sitename": "a\0b"}}}), "control"),
        (Reply({"query": {}, "continue": {"a": "1"}}), "does not advance"),
        (Reply(b'{"query": ', headers={"Content-Type": "application/json"}), "instead of JSON"),
        (httpx.ConnectError("Name or service not known"), "wiki.test does not answer"),
        (httpx.ConnectTimeout("timed out"), "check base_url and the network"),
        (Reply(b"", 429, {"Retry-After": "86400"}), "asks for a pause of 86400 s"),
    ],
)
def test_a_wiki_that_cannot_be_used_is_told(wiki, run, waits, trouble, told):
    wiki.troubles = [trouble] * 2
    with pytest.raises(SourceError, match=told) as caught:
        run("A")
    assert caught.value.remedy
    assert waits == []


@pytest.mark.parametrize("trouble", [maxlag(), Reply(b"<html>", 503, HTML)])
def test_a_wiki_that_stays_busy_is_told_and_can_be_tried_later(wiki, run, waits, trouble):
    wiki.troubles = [trouble] * 4
    with pytest.raises(SourceError, match=r"stays busy.*run again"):
        run("A", retries=3)
    assert len(waits) == 3
    run("A", retries=3)


def test_an_error_told_to_the_other_client_ends_the_crawl(wiki, run):
    def deny(params):
        if params.get("prop") == "links":
            wiki.troubles.append(Reply({"error": {"code": "readapidenied", "info": "no"}}))

    wiki.before = deny
    wiki.add("C", "[[A]]")
    with pytest.raises(SourceError, match="login"):
        run("A", "C", links="listed")


def test_an_answer_without_end_is_cut_off(wiki, run, monkeypatch):
    monkeypatch.setattr("hopsight.wiki.api.transport.MAX_ANSWER", 1000)
    wiki.troubles = [Reply(b" " * 2000)]
    with pytest.raises(SourceError, match="without end"):
        run("A")


def test_another_address_keeps_the_question():
    seen = []

    def send(request):
        seen.append(request)
        return httpx.Response(200)

    async def ask():
        there = Readdressed(httpx.MockTransport(send), "http://127.0.0.1:8080/w/api.php")
        async with httpx.AsyncClient(transport=there) as client:
            await client.get("https://en.wikipedia.org/w/api.php", params={"titles": "Ä|B&c"})

    asyncio.run(ask())
    assert str(seen[0].url) == "http://127.0.0.1:8080/w/api.php?titles=%C3%84%7CB%26c"
    assert seen[0].headers["host"] == "127.0.0.1:8080"


def test_a_server_that_is_not_there_is_told_at_once(tmp_path, unused_port):
    config = source().model_copy(update={"base_url": f"http://127.0.0.1:{unused_port}/api.php"})
    with pytest.raises(SourceError, match=r"127\.0\.0\.1 does not answer \(ConnectError"):
        crawl(config, tmp_path)


def test_an_answer_that_trickles_in_for_ever_is_given_up(tmp_path):
    class Trickle(httpx.AsyncByteStream):
        async def __aiter__(self):
            while True:
                yield b" "
                await asyncio.sleep(0.01)

        async def aclose(self):
            pass

    endless = httpx.MockTransport(lambda _: httpx.Response(200, stream=Trickle()))
    config = source(timeout_s=0.01)
    with pytest.raises(SourceError, match="TimeoutError"):
        crawl(config, tmp_path, transport=endless)
