import asyncio
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hopsight.errors import ConfigError
from hopsight.net import (
    PAGES,
    BlockedAddress,
    BodyRefused,
    Fetched,
    Fetcher,
    FetchFailed,
    FetchLimits,
    Proxy,
)
from tests.hopsight.net import far_side as far

LIMITS = FetchLimits(connect_s=2, piece_s=0.4, whole_s=1.2, redirects=3)


def fetch(server: far.Server, path: str, **options: object) -> Fetched:
    async def once() -> Fetched:
        async with Fetcher(LIMITS, allow_hosts=own(server)) as fetcher:
            return await fetcher.get(address(server, path), **options)  # type: ignore[arg-type]

    return asyncio.run(once())


def own(server: far.Server) -> frozenset[str]:
    return frozenset({f"127.0.0.1:{server.port}"})


def address(server: far.Server, path: str) -> str:
    return f"http://127.0.0.1:{server.port}{path}"


@pytest.mark.parametrize("status", ["200 OK", "404 Not Found", "429 Too Many", "500 Oh"])
def test_a_status_is_given_back_and_never_read_from_words(status: str) -> None:
    page = far.answer(b"404: page not found. Error!", status, Content_Type="text/html")
    with far.serving({"/": page}) as server:
        found = fetch(server, "/", kinds=PAGES)
    assert found.status == int(status[:3])
    assert found.ok is (status == "200 OK")
    assert found.text == "404: page not found. Error!"


def test_a_redirect_is_followed_and_the_last_address_named() -> None:
    hops = {"/a": far.redirect("/b%20c?x=1 2"), "/b%20c": far.answer(b"there")}
    with far.serving(hops) as server:
        found = fetch(server, "/a")
        assert found.url == address(server, "/b%20c?x=1%202")
    assert found.body == b"there"


def test_cookies_are_neither_kept_nor_shown() -> None:
    cookie = far.answer(b"one", Set_Cookie="id=7; Path=/", X_Other="kept")

    async def twice(server: far.Server) -> Fetched:
        async with Fetcher(LIMITS, allow_hosts=own(server)) as fetcher:
            await fetcher.get(address(server, "/"))
            return await fetcher.get(address(server, "/"))

    with far.serving({"/": cookie}) as server:
        found = asyncio.run(twice(server))
    assert "cookie" not in server.head(1)
    assert (found.headers.get("set-cookie"), found.headers["x-other"]) == (None, "kept")


def test_secrets_in_headers_stay_at_the_origin_they_were_given_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hops = {
        "/a": far.redirect("/b"),
        "/b": far.redirect("http://other.example/c"),
        "/c": far.answer(b"there"),
    }
    names = far.resolver({"public.example": [[far.PUBLIC]], "other.example": [[far.PUBLIC]]})
    sent = {"Authorization": "Bearer word", "X-API-KEY": "word", "Accept-Language": "de"}

    async def once() -> Fetched:
        async with Fetcher(LIMITS, resolver=names) as fetcher:
            return await fetcher.get("http://public.example/a", headers=sent)

    with far.network(monkeypatch, hops) as net:
        assert asyncio.run(once()).body == b"there"
    assert ["word" in net.public.head(number) for number in range(3)] == [True, True, False]
    assert "accept-language: de" in net.public.head(2)


def test_a_request_with_content_is_sent_as_it_is_and_its_redirect_not_followed() -> None:
    with far.serving({"/ask": far.redirect("/elsewhere", "307 Temporary")}) as server:

        async def once() -> Fetched:
            async with Fetcher(LIMITS, allow_hosts=own(server)) as fetcher:
                return await fetcher.send(
                    "POST",
                    address(server, "/ask"),
                    headers={"X-API-KEY": "k", "Host": "evil.example"},
                    content=b'{"q": 1}',
                )

        found = asyncio.run(once())
    assert (found.status, found.headers["location"], len(server.heads)) == (307, "/elsewhere", 1)
    head = server.head(0)
    assert head.startswith("post /ask ")
    assert "x-api-key: k" in head
    assert f"host: 127.0.0.1:{server.port}\r\n" in head
    assert "evil" not in head


def test_a_blocklist_is_asked_about_every_address_on_the_way() -> None:
    asked = []

    def blocks(url: str) -> str | None:
        asked.append(url.rpartition("/")[2])
        return "host:labels" if url.endswith("/labels") else None

    with far.serving({"/a": far.redirect("/b"), "/b": far.redirect("/labels")}) as server:

        async def once() -> None:
            async with Fetcher(LIMITS, allow_hosts=own(server), blocks=blocks) as fetcher:
                await fetcher.get(address(server, "/a"))

        with pytest.raises(BlockedAddress) as caught:
            asyncio.run(once())
    assert caught.value.rule == "host:labels"
    assert asked == ["a", "b", "labels"]
    assert len(server.heads) == 2


def silent(_: bytes) -> Iterator[bytes]:
    time.sleep(2)
    yield b""


def dripping(_: bytes) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX-Drip: "
    for _each in range(30):
        time.sleep(0.1)
        yield b"a"


def stalling(_: bytes) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
    time.sleep(2)


def broken(_: bytes) -> Iterable[bytes]:
    return [b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"]


def no_http(_: bytes) -> Iterable[bytes]:
    return [b"SSH-2.0-OpenSSH_9.6\r\n"]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        (silent, "too slow"),
        (stalling, "too slow"),
        (dripping, "nothing whole within|too slow"),  # the latter on a busy machine
        (broken, "no sound answer"),
        (no_http, "no sound answer"),
    ],
)
def test_an_answer_that_does_not_come_whole_in_time_is_a_failure(
    answers: far.Answer, why: str
) -> None:
    with far.serving({"/": answers}) as server, pytest.raises(FetchFailed, match=why):
        fetch(server, "/")


def test_nobody_at_home_is_a_failure_that_names_the_cause() -> None:
    with far.serving({}) as server:
        pass
    with pytest.raises(FetchFailed, match="not reached"):
        fetch(server, "/")

    async def nowhere() -> None:
        async with Fetcher(LIMITS, resolver=far.resolver({"empty.example": [[]]})) as fetcher:
            await fetcher.get("http://empty.example/")

    with pytest.raises(FetchFailed, match="has no address"):
        asyncio.run(nowhere())


def test_of_several_addresses_the_first_that_answers_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = far.resolver({"public.example": [["8.8.8.8", far.PUBLIC]]})

    async def once() -> Fetched:
        async with Fetcher(LIMITS, resolver=names) as fetcher:
            return await fetcher.get("http://public.example/")

    with far.network(monkeypatch, {"/": far.answer(b"second")}) as net:
        net.forbidden.port = 1
        assert asyncio.run(once()).body == b"second"
    assert net.asked == ["8.8.8.8", far.PUBLIC]


def test_a_body_of_another_kind_than_wanted_is_refused_whatever_it_is_called() -> None:
    picture = far.answer(b"\x89PNG\r\n\x1a\nrest", Content_Type="text/html")
    page = far.answer(b"<!doctype html><p>Sorry", Content_Type="image/png")
    with far.serving({"/a": picture, "/b": page}) as server:
        with pytest.raises(BodyRefused, match="is image/png"):
            fetch(server, "/a", kinds=PAGES)
        with pytest.raises(BodyRefused, match="is text/html"):
            fetch(server, "/b", kinds={"image/*"})
        assert fetch(server, "/b", kinds=PAGES).mime == "text/html"


def test_a_caller_may_want_less_than_the_limit() -> None:
    with far.serving({"/": far.answer(b"12345")}) as server:
        assert fetch(server, "/", max_bytes=5).body == b"12345"
        with pytest.raises(BodyRefused, match="more than 4 bytes"):
            fetch(server, "/", max_bytes=4)


def test_a_proxy_is_used_for_the_hosts_it_was_named_for_and_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = far.resolver({"public.example": [[far.PUBLIC]]})
    with (
        far.network(monkeypatch, {"/": far.answer(b"direct")}) as net,
        far.serving({"http://provider.example:80/": far.answer(b"proxied")}) as server,
    ):
        forbidden, net.forbidden = net.forbidden, server
        proxy = Proxy("http://me:w%40rd@proxy.example:3128", frozenset({"provider.example"}))

        async def both() -> list[bytes]:
            async with Fetcher(LIMITS, proxy=proxy, resolver=names) as fetcher:
                urls = ("http://public.example/", "http://provider.example/")
                return [(await fetcher.get(url)).body for url in urls]

        bodies = asyncio.run(both())
        net.forbidden = forbidden
    assert bodies == [b"direct", b"proxied"]
    assert net.asked == [far.PUBLIC, "proxy.example"]
    assert "proxy-authorization: basic bwu6d0byza==" in server.head(0)


def test_a_proxy_that_is_none_is_told_without_its_password() -> None:
    async def enter() -> None:
        async with Fetcher(proxy=Proxy("socks9://me:word@x", frozenset())):
            pass

    with pytest.raises(ConfigError) as caught:
        asyncio.run(enter())
    assert "word" not in str(caught.value)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes the certificate")
def test_https_checks_the_name_in_the_url_though_an_address_is_connected(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes".split(),
            *"-days 2 -subj /CN=public.example -addext subjectAltName=DNS:public.example".split(),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    names = far.resolver({name: [[far.PUBLIC]] for name in ("public.example", "other.example")})

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecure")
        await writer.drain()
        writer.close()

    async def both(net: far.Network) -> bytes:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        net.public.port = server.sockets[0].getsockname()[1]
        async with server, Fetcher(LIMITS, resolver=names) as fetcher:
            with pytest.raises(FetchFailed, match=r"other\.example"):
                await fetcher.get("https://other.example/")
            return (await fetcher.get("https://public.example/")).body

    with far.network(monkeypatch, {}) as net:
        assert asyncio.run(both(net)) == b"secure"


def test_outside_of_its_context_a_fetcher_does_nothing() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(Fetcher().get("http://93.184.216.34/"))


def test_eighty_fetches_at_once_of_which_half_are_cancelled_leave_the_rest_whole() -> None:
    release = threading.Event()

    def held(_: bytes) -> Iterator[bytes]:
        release.wait(20)
        yield b""

    async def many(server: far.Server) -> list[object]:
        limits = FetchLimits(connections=8)
        async with Fetcher(limits, allow_hosts=own(server)) as fetcher:
            tasks = [
                asyncio.create_task(fetcher.get(address(server, f"/{number % 2}")))
                for number in range(80)
            ]
            await asyncio.sleep(0.1)
            for task in tasks[1::2]:
                task.cancel()
            return await asyncio.gather(*tasks, return_exceptions=True)

    with far.serving({"/0": far.answer(b"whole"), "/1": held}) as server:
        found = asyncio.run(many(server))
        release.set()
    assert [each.body for each in found if isinstance(each, Fetched)] == [b"whole"] * 40
    assert sum(isinstance(each, asyncio.CancelledError) for each in found) == 40
