"""Pages, through Jina Reader and by ourselves: content is content, errors are errors."""

import pytest

from hopsight.llm.failures import Reason
from hopsight.net import BlockedAddress
from hopsight.providers import FoundPage, ServiceError
from tests.hopsight.providers.places import ENVIRON, outcome, place, run
from tests.provider_server import ProviderServer, Reply

URL = "https://bridges.example/old"
TEXT = "# Old bridge\n\nBuilt in 1566. The first plans were not found; error 404 in the archive."
HTML = {"content-type": "text/html; charset=utf-8"}


def jina(tmp_path, data=None, faults=(), **more):
    server = ProviderServer(read={} if data is None else {URL: data})
    server.faults.extend(faults)

    async def main():
        async with place(tmp_path, server=server, pages="jina", **more) as here:
            return await outcome(here.providers.pages.read(URL))

    return run(main), server


def plain(tmp_path, *replies, url=None, **more):
    server = ProviderServer()

    async def main():
        async with place(tmp_path, server=server, pages="plain", **more) as here:
            server.pages["/web/page"] = replies[-1]
            server.faults.extend(replies[:-1])
            return await outcome(here.providers.pages.read(url or f"{server.url}/web/page"))

    return run(main), server


def test_a_page_of_the_reader_is_its_text_and_its_pictures_apart(tmp_path):
    content = (
        f"{TEXT}\n\n![Image 1: the bridge](https://bridges.example/a_(1).jpg)\n\n"
        "[![Image 2](/b.png)](https://bridges.example/big) and [a link](https://x.example/)"
    )
    page, server = jina(tmp_path, {"title": "Old bridge", "content": content})
    assert page == FoundPage(
        URL,
        "Old bridge",
        f"{TEXT}\n\n and [a link](https://x.example/)",
        ("https://bridges.example/a_(1).jpg", "https://bridges.example/b.png"),
    )
    asked = server.seen[0]
    assert (asked.method, asked.path, asked.json) == ("POST", "/jina/", {"url": URL})
    assert asked.headers["accept"] == "application/json"
    assert asked.headers["authorization"].startswith("Bearer ")


def test_the_reader_also_works_without_a_key(tmp_path):
    page, server = jina(tmp_path, {"content": TEXT}, environ={})
    assert page.markdown == TEXT
    assert "authorization" not in server.seen[0].headers


def test_a_page_that_its_site_does_not_have_is_no_page(tmp_path):
    for status in (404, 410):
        warning = f"Target URL returned error {status}: Gone"
        page, server = jina(tmp_path, {"content": "Oops! Page not found", "warning": warning})
        assert page is None
        assert len(server.seen) == 1
    assert jina(tmp_path, {"content": "Oops!", "httpStatus": 404})[0] is None


@pytest.mark.parametrize("status", [401, 402, 403, 429, 503])
@pytest.mark.parametrize("told", ["warning", "field"])
def test_an_error_page_of_a_site_is_never_content(tmp_path, status, told):
    data = {"content": "<h1>Access denied</h1> Please enable cookies."}
    data |= (
        {"warning": f"Target URL returned error {status}: No"}
        if told == "warning"
        else {"httpStatus": status}
    )
    error, _ = jina(tmp_path, data)
    assert isinstance(error, ServiceError)
    assert error.upstream
    assert f"status {status}" in error.cause
    assert "key" not in error.remedy, "the reader's own key is not at fault"


def test_a_real_page_that_says_not_found_survives(tmp_path):
    data = {
        "title": "404 Not Found (novel)",
        "content": "Target URL returned error 404: Not Found\n\nis the first line of the novel.",
        "warning": "This page may be cached.",
    }
    page, _ = jina(tmp_path, data)
    assert page.title == "404 Not Found (novel)"
    assert page.markdown.startswith("Target URL returned error 404")
    body = "<html><title>Error 404</title><p>Page not found</p><p>Access denied.</p></html>"
    page, _ = plain(tmp_path, Reply(200, body, HTML))
    assert page.markdown == "Page not found\n\nAccess denied."


@pytest.mark.parametrize(
    ("code", "status", "name", "reason", "asked"),
    [
        (401, 40103, "AuthenticationFailedError", Reason.UNAUTHORISED, 1),
        (402, 40203, "InsufficientBalanceError", Reason.QUOTA_EXHAUSTED, 1),
        (422, 42206, "AssertionFailureError", Reason.BAD_REQUEST, 1),
        (429, 42903, "RateLimitTriggeredError", Reason.RATE_LIMITED, 3),
        (451, 45102, "SecurityCompromiseError", Reason.BAD_REQUEST, 1),
        (500, 50000, "TypeError", Reason.SERVER_ERROR, 3),
        (503, 50305, "ServiceBadApproachError", Reason.OVERLOADED, 3),
        (524, 52400, "Timeout", Reason.SERVER_ERROR, 3),
    ],
)
@pytest.mark.parametrize("outer", [None, 200])
def test_errors_of_the_reader_keep_their_names(tmp_path, code, status, name, reason, asked, outer):
    body = {"data": None, "code": code, "name": name, "status": status, "message": "it\nfailed"}
    error, server = jina(tmp_path, {"content": TEXT}, [Reply(outer or code, body)] * 3)
    assert isinstance(error, ServiceError)
    assert error.reason is reason
    assert name in error.cause
    assert "\n" not in error.cause
    assert len(server.seen) == asked


@pytest.mark.parametrize(
    "reply",
    [
        Reply(200, b""),
        Reply(200, {"code": 200, "status": 20000, "data": None}),
        Reply(200, {"code": 200, "status": 20000, "data": {"url": URL, "content": " \n"}}),
        Reply(200, "<html>502 Bad Gateway</html>"),
    ],
    ids=range(4),
)
def test_an_empty_success_of_the_reader_is_tried_again(tmp_path, reply):
    page, server = jina(tmp_path, {"content": TEXT}, [reply])
    assert page.markdown == TEXT
    assert len(server.seen) == 2


def test_a_reader_that_gives_nothing_at_all_has_failed(tmp_path):
    error, _ = jina(tmp_path, {"content": TEXT}, [Reply(200, b"")] * 3)
    assert error.reason.retryable


def test_a_wrong_key_of_the_reader_is_told(tmp_path):
    error, _ = jina(tmp_path, {"content": TEXT}, environ=ENVIRON | {"JINA_API_KEY": "wrong-key"})
    assert error.reason is Reason.UNAUTHORISED


def test_sites_that_fail_do_not_make_the_reader_rest(tmp_path):
    async def main():
        bad = {"content": "x", "httpStatus": 500}
        server = ProviderServer(
            read={f"{URL}/{n}": bad for n in range(6)} | {URL: {"content": TEXT}}
        )
        async with place(
            tmp_path, server=server, pages="jina", limits={"break_after": 2, "attempts": 2}
        ) as here:
            for n in range(6):
                await outcome(here.providers.pages.read(f"{URL}/{n}"))
            return await outcome(here.providers.pages.read(URL))

    assert run(main).markdown == TEXT


def test_a_page_fetched_by_ourselves_is_markdown(tmp_path):
    body = """<html><head><title> Old  bridge </title><script>x()</script></head>
    <body><nav>Home</nav><main><h1>Old bridge</h1><p>Built in <a href="/1566">1566</a>.</p>
    <img src="/web/b.jpg" width="640"><img src="icon.gif" width="16"></main></body></html>"""
    page, server = plain(tmp_path, Reply(200, body, HTML))
    assert page.title == "Old bridge"
    assert page.markdown == f"# Old bridge\n\nBuilt in [1566]({server.url}/1566)."
    assert page.pictures == (f"{server.url}/web/b.jpg",)


def test_statuses_of_sites_decide_and_not_their_words(tmp_path):
    assert plain(tmp_path, Reply(404, "<p>Welcome!</p>", HTML))[0] is None
    assert plain(tmp_path, Reply(410, "<p>Welcome!</p>", HTML))[0] is None
    error, server = plain(tmp_path, Reply(403, "<p>Welcome!</p>", HTML))
    assert error.upstream
    assert len(server.seen) == 1
    page, server = plain(tmp_path, Reply(503, "busy"), Reply(200, "<p>Here</p>", HTML))
    assert page.markdown == "Here"
    assert len(server.seen) == 2


def test_plain_text_is_taken_as_it_is_and_other_types_are_refused(tmp_path):
    page, _ = plain(tmp_path, Reply(200, "Grüße", {"content-type": "text/plain; charset=utf-8"}))
    assert page.markdown == "Grüße"
    error, _ = plain(tmp_path, Reply(200, b"%PDF-1.7 \x00", {"content-type": "application/pdf"}))
    assert "application/pdf" in error.cause
    error, _ = plain(tmp_path, Reply(200, "<html><script>app()</script></html>", HTML))
    assert "no text" in error.cause


def test_addresses_that_are_not_public_are_blocked_and_never_asked(tmp_path):
    for url in ("http://127.0.0.1:9/x", "http://169.254.169.254/latest", "file:///etc/passwd"):
        error, server = plain(tmp_path, Reply(200, "x"), url=url)
        assert isinstance(error, BlockedAddress)
        assert not server.seen
