import asyncio
from collections.abc import Sequence

import pytest

from hopsight.errors import HopsightError
from hopsight.net import (
    BlockedAddress,
    Fetched,
    Fetcher,
    FetchFailed,
    FetchLimits,
    Resolver,
    connect,
)
from tests.hopsight.net import far_side as far

LIMITS = FetchLimits(connect_s=2, piece_s=2, whole_s=5, redirects=3, ports=frozenset({80, 443}))

LITERALS = """
    http://127.0.0.1/ http://127.1/ http://127.0.0.2/ http://0/ http://0.0.0.0/ http://2130706433/
    http://0x7f000001/ http://0x7f.1/ http://0177.0.0.1/ http://017700000001/ http://127.0.0.1./
    http://[::1]/ http://[::]/ http://[::ffff:127.0.0.1]/ http://[::ffff:a9fe:a9fe]/
    http://[::127.0.0.1]/ http://[64:ff9b::7f00:1]/ http://[64:ff9b::a9fe:a9fe]/
    http://[64:ff9b:1::7f00:1]/ http://[2002:7f00:1::]/ http://[2001:0:4136:e378::80ff:fffe]/
    http://[fe80::1]/ http://[fc00::1]/ http://[fd00:ec2::254]/ http://[fec0::1]/ http://[ff02::1]/
    http://[2001:db8::1]/ http://[2606:4700::5efe:7f00:1]/ http://[100::1]/
    http://10.0.0.1/ http://172.16.0.1/ http://192.168.1.1/ http://169.254.169.254/latest/meta-data/
    http://169.254.170.2/v2/credentials http://100.100.100.200/ http://192.0.0.192/
    http://168.63.129.16/ http://198.18.0.1/ http://224.0.0.1/ http://240.0.0.1/
    http://255.255.255.255/ http://192.88.99.1/
    http://１２７.0.0.1/ http://①②⑦.0.0.1/ http://127。0。0。1/
    http://localhost/ http://localhost./ http://LOCALHOST/
""".split()
NAMES = {
    "metadata.google.internal": [["169.254.169.254"]],
    "inside.example": [["10.1.2.3"]],
    "mixed.example": [[far.PUBLIC, "127.0.0.1"]],
    "mixed6.example": [[far.PUBLIC_V6, "fd00::1"]],
    "scoped.example": [["fe80::1%eth0"]],
    "mapped.example": [["::ffff:10.0.0.1"]],
    "garbage.example": [["not an address"]],
}
MALFORMED = [
    "http://public.example@127.0.0.1/",
    "http://127.0.0.1@public.example/",
    "http://user:word@public.example/",
    "http://127.0.0.1\\@public.example/",
    "http://public.example\\@127.0.0.1/",
    "http://127.0.0.1 .public.example/",
    "http://127.0.0.1\t/",
    "http://127.0.0.1%2f.public.example/",
    "http://%31%32%37.0.0.1/",
    "http://[fe80::1%25eth0]/",
    "http://[::1/",
    "http://public.example:0/",
    "http://public.example:99999/",
    "http://public.example:22/",
    "http://public.example:6379/",
    "http://public.example/\r\nHost: 127.0.0.1",
    "http:///127.0.0.1/",
    "http:127.0.0.1",
    "//127.0.0.1/",
    "127.0.0.1",
    "",
    "file:///etc/passwd",
    "ftp://127.0.0.1/",
    "gopher://127.0.0.1/_GET%20/",
    "unix:///var/run/docker.sock",
    "data:text/plain,SECRET",
    "javascript:alert(1)",
    "http://" + "a." * 200 + "example/",
    "http://public.example/" + "a" * 9_000,
    "http://public.example/\ud800@127.0.0.1",
]
REDIRECTS = {
    "/to-loopback": "http://127.0.0.1/",
    "/to-metadata": "http://169.254.169.254/latest/meta-data/",
    "/to-v6": "http://[::1]/",
    "/to-number": "http://2130706433/",
    "/to-name": "http://inside.example/",
    "/no-scheme": "//127.0.0.1/",
    "/to-file": "file:///etc/passwd",
    "/to-user": "http://public.example@127.0.0.1/",
    "/backslash": "http://public.example\\@127.0.0.1/",
    "/broken": "http://[::1",
    "/to-ssh": "http://public.example:22/",
    "/once-more": "/to-loopback",
}
HOSTILE = [
    *LITERALS,
    *(f"http://{name}/" for name in NAMES),
    *MALFORMED,
    *(f"http://public.example{path}" for path in REDIRECTS),
]


def names(**more: list[list[str]]) -> Resolver:
    return far.resolver({**NAMES, "public.example": [[far.PUBLIC]], **more})


def answers() -> dict[str, far.Answer]:
    return {path: far.redirect(to) for path, to in REDIRECTS.items()}


async def outcomes(urls: Sequence[str]) -> dict[str, HopsightError | Fetched]:
    found: dict[str, HopsightError | Fetched] = {}
    async with Fetcher(LIMITS, resolver=names()) as fetcher:
        for url in urls:
            try:
                found[url] = await fetcher.get(url)
            except HopsightError as error:
                found[url] = error
    return found


def test_no_hostile_url_reaches_a_private_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with far.network(monkeypatch, answers()) as net:
        found = asyncio.run(outcomes(HOSTILE))
    assert len(found) == len(HOSTILE) >= 90
    assert net.private_asked == []
    assert net.forbidden.heads == []
    assert {url for url, end in found.items() if not isinstance(end, BlockedAddress)} == set()


def test_without_the_check_of_addresses_the_same_urls_do_reach_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connect, "why_not_public", lambda address: None)
    with far.network(monkeypatch, answers()) as net:
        found = asyncio.run(outcomes(HOSTILE))
    read = [end for end in found.values() if isinstance(end, Fetched) and end.body == b"SECRET"]
    assert len(read) >= 50
    assert len(net.private_asked) >= 50


def test_a_public_address_is_reached_by_every_way_of_writing_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = {"/": far.answer(b"hello", content_type="text/plain")}
    urls = (
        "http://public.example",
        "http://PUBLIC.example./",
        "http://public.example:80/?",
        f"http://{far.PUBLIC}/",
        f"http://[{far.PUBLIC_V6}]/#part",
        " http://public.example/ ",
    )
    with far.network(monkeypatch, page) as net:
        found = asyncio.run(outcomes(urls))
    bodies = [end.body for end in found.values() if isinstance(end, Fetched)]
    assert bodies == [b"hello"] * len(urls)
    assert "\r\nhost: public.example\r\n" in net.public.head(1)
    assert f"\r\nhost: [{far.PUBLIC_V6}]\r\n" in net.public.head(4)


def test_a_name_that_changes_after_the_check_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changing = names(**{"rebinding.example": [[far.PUBLIC], ["127.0.0.1"]]})
    page = {"/": far.answer(b"hello"), "/again": far.redirect("/")}

    async def twice() -> Fetched:
        async with Fetcher(LIMITS, resolver=changing) as fetcher:
            first = await fetcher.get("http://rebinding.example/")
            with pytest.raises(BlockedAddress, match="this machine"):
                await fetcher.get("http://rebinding.example/")
            return first

    with far.network(monkeypatch, page) as net:
        assert asyncio.run(twice()).body == b"hello"
    assert (net.asked, net.forbidden.heads) == ([far.PUBLIC], [])


def test_a_redirect_to_itself_resolves_and_checks_the_name_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changing = names(**{"rebinding.example": [[far.PUBLIC], ["10.0.0.7"]]})

    async def once() -> None:
        async with Fetcher(LIMITS, resolver=changing) as fetcher:
            await fetcher.get("http://rebinding.example/again")

    with (
        far.network(monkeypatch, {"/again": far.redirect("/")}) as net,
        pytest.raises(BlockedAddress, match="not public"),
    ):
        asyncio.run(once())
    assert net.private_asked == []


def test_a_proxy_of_the_environment_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    with far.network(monkeypatch, {"/": far.answer(b"hello")}) as net:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{net.forbidden.port}")
        found = asyncio.run(outcomes(["http://public.example/"]))
    assert [end.body for end in found.values() if isinstance(end, Fetched)] == [b"hello"]
    assert net.forbidden.heads == []


def test_redirects_end_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    with far.network(monkeypatch, {"/round": far.redirect("/round")}) as net:
        found = asyncio.run(outcomes(["http://public.example/round"]))
    assert [type(end) for end in found.values()] == [FetchFailed]
    assert len(net.public.heads) == LIMITS.redirects + 1


def test_a_server_of_ones_own_is_asked_but_no_page_can_lead_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def both() -> tuple[Fetched, Fetched]:
        own = frozenset({"127.0.0.1:9000", "[::1]:9001"})
        async with Fetcher(LIMITS, allow_hosts=own, resolver=names()) as fetcher:
            with pytest.raises(BlockedAddress, match="redirects to"):
                await fetcher.get("http://public.example/inwards")
            with pytest.raises(BlockedAddress):
                await fetcher.get("http://127.0.0.1:9002/")
            return (
                await fetcher.get("http://127.0.0.1:9000/retrieve"),
                await fetcher.get("http://[::1]:9001/"),
            )

    inwards = {"/inwards": far.redirect("http://127.0.0.1:9000/retrieve")}
    with far.network(monkeypatch, inwards) as net:
        first, second = asyncio.run(both())
    assert first.body == second.body == b"SECRET"
    assert net.private_asked == ["127.0.0.1", "::1"]
