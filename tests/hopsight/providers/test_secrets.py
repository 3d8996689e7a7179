"""Keys are in no error, log, recorded answer or file, whatever a service repeats."""

import json
import logging
import traceback

from hopsight.config.providers import ProvidersFile, ServiceLimits
from hopsight.harness.backends.live import open_live
from hopsight.llm.failures import Reason
from hopsight.net import Fetcher, FetchLimits
from hopsight.providers.keys import Secret
from hopsight.providers.service import Service
from hopsight.store.images import ImageStore
from tests.hopsight.providers.places import ENVIRON, outcome, picture, providers_file, run, shown
from tests.provider_server import KEY, SECRET, TOKEN, ProviderServer, Reply

SECRETS = (KEY, TOKEN, SECRET)
OWN = {"github": TOKEN, "s3": SECRET, "template": TOKEN}


def echoing(server, host):
    """Answers and refusals that repeat the keys that were sent."""
    echo = f"you sent {KEY} and {OWN[host]}\nforged=line"
    server.organic = [{"title": echo, "link": f"https://a.example/?k={KEY}", "snippet": echo}]
    server.papers = server.organic
    server.read = {"https://a.example/": {"title": echo, "content": echo}}
    server.pages["/web/0.png"] = shown(picture())
    found = {"title": echo, "link": f"https://m.example/{KEY}"}
    address = f"{server.url}/web/0.png"
    server.images = server.matches = [
        found | {"imageUrl": address, "original": address, "image": address}
    ]
    return [
        Reply(401, {"message": echo, "error": echo, "errorMsg": echo, "name": echo}),
        Reply(403, echo),
        Reply(500, json.dumps({"message": echo, "error": echo}).replace("/", "\\/")),
        Reply(500, f"<html>{echo}</html>"),
        Reply(200, f"<html>{echo}</html>"),
        Reply(200, {"error": echo, "search_metadata": {"status": echo}, "code": 500}),
        Reply(302, "", {"location": f"http://x.example/{KEY}"}),
        Reply(429, echo, {"retry-after": "9999"}),
        Reply(hang_up=True),
        Reply(delay=5.0),
    ]


def pieces(text: str) -> list[str]:
    """Parts of a key that stand in a text: a text that was cut may hold half of one."""
    return [
        key[start : start + 8]
        for key in SECRETS
        for start in range(len(key) - 7)
        if key[start : start + 8] in text
    ]


def test_a_grep_for_the_keys_finds_nothing_in_all_that_a_run_wrote(tmp_path, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, logger="httpcore2")  # its trace repeats the headers of answers
    texts: list[str] = []

    async def asked(backend):
        calls = [
            backend.web_search("q" * 150, 3),
            backend.image_search("q", 3),
            backend.scholar_search("q", 3),
            backend.visual_search(picture("navy"), 3),
            backend.visit("https://a.example/"),
        ]
        for call in calls:
            got = await outcome(call)
            texts.append(repr(got))
            if isinstance(got, Exception):
                texts.extend(traceback.format_exception(got))
                texts.append(repr(vars(got)) + repr(got.__cause__))

    async def main():
        server = ProviderServer()
        async with server.running():
            for search, host in (("serper", "github"), ("serpapi", "s3"), ("serper", "template")):
                faults = echoing(server, host)
                limits = {"attempts": 1, "timeout_s": 0.3}
                file = providers_file(
                    server, limits, search=search, pages="jina", image_host=host
                ).model_copy(update={"recordings": tmp_path / f"tape-{search}-{host}"})
                allowed = frozenset({server.place})
                async with Fetcher(FetchLimits(), allow_hosts=allowed) as web:
                    store = ImageStore(tmp_path / "pictures")
                    for fault in (*faults, None):
                        async with open_live(file, ENVIRON, web, store) as backend:
                            for place in (
                                "/serper",
                                "/serpapi",
                                "/jina",
                                "/github",
                                "/s3",
                                "/drop",
                            ):
                                server.fault_on = place
                                server.faults.clear()
                                server.faults.extend([] if fault is None else [fault] * 2)
                                await asked(backend)
                    texts.append(repr(file))

    run(main)
    written = capfd.readouterr()
    texts += [caplog.text, written.out, written.err]
    texts += [repr(vars(record)) for record in caplog.records]
    assert "event=service_call_failed" in caplog.text
    assert any("[secret]" in text for text in texts), "answers that repeat a key are scrubbed"
    assert [text[:300] for text in texts if pieces(text)] == []
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "answers.sqlite" for path in files)
    assert [path for path in files if pieces(path.read_bytes().decode("latin-1"))] == []


def test_a_key_in_an_address_is_in_no_error_not_even_half_of_it(tmp_path):
    """SerpApi takes its key in the address, which a transport tells, cut at some length."""

    async def main():
        file = ProvidersFile.model_validate(
            {
                "search": "serpapi",
                "pages": "none",
                "serpapi": {
                    "base_url": "http://127.0.0.1:1",
                    "limits": {"attempts": 1, "break_after": 999},
                },
            }
        )
        async with (
            Fetcher() as web,
            open_live(file, ENVIRON, web, ImageStore(tmp_path)) as backend,
        ):
            return [await outcome(backend.web_search("q" * n, 3)) for n in range(1, 180, 3)]

    errors = run(main)
    assert {error.reason for error in errors} == {Reason.UNREACHABLE}
    assert [str(error) for error in errors if pieces(str(error))] == []


def test_what_a_transport_says_is_withheld_where_it_holds_a_part_of_a_key():
    service = Service("serpapi", Fetcher(), ServiceLimits(), secrets=[Secret("K", KEY)])
    cut = f"http://a.example/?api_key={KEY[:9]}: not reached"
    assert pieces(service._safe(cut, "http://other.example/")) == []
    assert service._safe("not reached", "http://other.example/") == "not reached"
