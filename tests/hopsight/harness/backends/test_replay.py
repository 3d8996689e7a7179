"""Recorded once, replayed for nothing."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager

import pytest

from hopsight.errors import ProviderError, StoreError
from hopsight.harness.backends.live import open_live
from hopsight.harness.backends.replay import ReplayBackend
from hopsight.net import Fetcher
from hopsight.providers import Tape, tools_of
from hopsight.store.images import ImageStore
from tests.hopsight.providers.places import ENVIRON, outcome, picture, providers_file, run, shown
from tests.provider_server import ProviderServer, Reply

CHOSEN = {"search": "serper", "pages": "jina", "image_host": "github"}


def full_server() -> ProviderServer:
    server = ProviderServer(
        organic=[{"title": "a", "link": "https://a.example", "snippet": "s"}],
        papers=[{"title": "p", "link": "https://p.example"}],
        read={"https://a.example/": {"title": "A", "content": "Text"}},
    )
    server.pages["/web/0.png"] = shown(picture("red"))
    return server


@asynccontextmanager
async def recording(tmp_path, server, **more):
    """A live backend that records, against a server that runs already."""
    file = providers_file(server, **(CHOSEN | more)).model_copy(
        update={"recordings": tmp_path / "tape"}
    )
    found = {"title": "m", "link": "https://m.example", "imageUrl": f"{server.url}/web/0.png"}
    server.images = server.matches = [found]
    async with (
        Fetcher(allow_hosts=frozenset({server.place})) as web,
        open_live(file, ENVIRON, web, ImageStore(tmp_path / "p")) as backend,
    ):
        yield backend


def questions(backend, server):
    """One call of each tool."""
    return {
        "web_search": backend.web_search("q", 3),
        "scholar_search": backend.scholar_search("q", 3),
        "image_search": backend.image_search("q", 3),
        "visual_search": backend.visual_search(picture("navy"), 3),
        "visit": backend.visit("https://a.example/"),
        "fetch_image": backend.fetch_image(f"{server.url}/web/0.png"),
    }


async def answers(backend, server):
    return {name: await outcome(call) for name, call in questions(backend, server).items()}


def identities(server, **more):
    return tools_of(providers_file(server, **(CHOSEN | more)), ENVIRON)


def test_what_was_recorded_is_replayed_without_one_request(tmp_path):
    async def main():
        async with full_server().running() as server, recording(tmp_path, server) as backend:
            first = await answers(backend, server)
            assert backend.offers == set(first)
            asked = len(server.seen)
            again = await answers(backend, server)
            assert (backend.asked, backend.hits) == (6, 6)
            assert len(server.seen) == asked
        with Tape(tmp_path / "tape") as tape:
            replay = ReplayBackend(tape, identities(server))
            assert replay.offers == set(first)
            return first, again, await answers(replay, server), len(tape)

    first, again, replayed, count = run(main)
    assert not [answer for answer in first.values() if isinstance(answer, Exception) or not answer]
    assert first == again == replayed
    assert count == 6


def test_the_same_picture_is_answered_by_its_hash(tmp_path):
    async def main():
        async with full_server().running() as server, recording(tmp_path, server) as backend:
            data = picture("navy")
            await backend.visual_search(data, 3)
            asked = server.counts["serper"], server.counts["github"]
            await backend.visual_search(bytes(bytearray(data)), 3)
            same = server.counts["serper"], server.counts["github"]
            await backend.visual_search(picture("navy", (65, 48)), 3)
            other = server.counts["serper"]
        return asked, same, other

    asked, same, other = run(main)
    assert asked == same == (1, 2)
    assert other == 2


def test_at_once_the_same_question_is_asked_once(tmp_path):
    async def main():
        server = full_server()
        server.delay = 0.05
        async with server.running(), recording(tmp_path, server) as backend:
            hits = await asyncio.gather(*(backend.web_search("q", 3) for _ in range(20)))
        return hits, server.counts["serper"]

    hits, asked = run(main)
    assert asked == 1
    assert all(each == hits[0] for each in hits)


def test_every_parameter_tells_questions_apart(tmp_path):
    async def main():
        async with full_server().running() as server:
            async with recording(tmp_path, server) as backend:
                await backend.web_search("q", 3)
                await backend.web_search("q", 4)
                await backend.web_search("q ", 3)
                await backend.scholar_search("q", 3)
            async with recording(tmp_path, server, where={"country": "at"}) as backend:
                await backend.web_search("q", 3)
            async with recording(tmp_path, server, search="serpapi") as backend:
                await backend.web_search("q", 3)
            async with recording(tmp_path, server, pages="plain") as backend:
                await backend.web_search("q", 3)
                assert backend.hits == 1, "who reads pages does not matter to a search"
        return server.counts["serper"] + server.counts["serpapi"]

    assert run(main) == 6


@pytest.mark.parametrize(
    ("tool", "named"),
    [
        ("web_search", "web_search(query='q', k=3)"),
        ("visit", "visit(url='https://a.example/')"),
        ("visual_search", "visual_search(image="),
    ],
)
def test_a_miss_in_replay_names_the_question_and_asks_nobody(tmp_path, tool, named):
    async def main():
        server = ProviderServer()
        async with server.running():
            with Tape(tmp_path) as tape:
                asked = await answers(ReplayBackend(tape, identities(server)), server)
        return asked[tool], server.seen

    error, seen = run(main)
    assert isinstance(error, ProviderError)
    assert f"not recorded: {named}" in error.cause
    assert not seen


def test_failures_and_empty_answers_are_not_recorded(tmp_path):
    async def main():
        server = full_server()
        server.read["https://gone.example/"] = {"content": "Gone", "httpStatus": 410}
        async with server.running():
            async with recording(tmp_path, server) as backend:
                server.organic = []
                assert await backend.web_search("q", 3) == []
                assert await backend.visit("https://gone.example/") is None
                assert await backend.fetch_image(f"{server.url}/web/none.png") is None
                server.faults.extend([Reply(200, b"")] * 3)
                failed = await outcome(backend.scholar_search("q", 3))
                server.organic = [{"title": "b", "link": "https://b.example"}]
                later = await backend.web_search("q", 3)
                paper = await backend.scholar_search("q", 3)
            with Tape(tmp_path / "tape") as tape:
                return failed, later, paper, len(tape)

    failed, later, paper, count = run(main)
    assert isinstance(failed, ProviderError)
    assert [hit.title for hit in later] == ["b"]
    assert [hit.title for hit in paper] == ["p"]
    assert count == 2


def test_two_processes_may_record_on_one_tape_and_the_first_answer_stands(tmp_path):
    with Tape(tmp_path) as one, Tape(tmp_path) as other:
        question = {"tool": "visit", "url": "x"}
        one.keep(question, "1")
        other.keep(question, "2")
        assert one.find(question) == other.find(question) == "1"


def test_a_tape_that_is_damaged_says_so(tmp_path):
    async def asked():
        with Tape(tmp_path) as tape:
            tape.keep({"tool": "web_search", "from": "", "query": "q", "k": 3}, '[{"url": 1}]')
            return await outcome(ReplayBackend(tape, {}).web_search("q", 3))

    error = run(asked)
    assert isinstance(error, StoreError)
    assert "web_search(query='q', k=3)" in error.cause
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "answers.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError):
        Tape(tmp_path / "other")
    with sqlite3.connect(tmp_path / "answers.sqlite") as db:
        db.execute("PRAGMA user_version=7")
    db.close()
    with pytest.raises(StoreError, match="format 7"):
        Tape(tmp_path)
