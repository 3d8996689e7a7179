"""A crawl that is killed without warning, again and again, against a real server on loopback."""

import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hopsight.wiki.api import ApiSource, crawl
from tests.hopsight.wiki.api.fake_wiki import FakeFile, FakeWiki, Reply, png

CHILD = """
import sys
from pathlib import Path
from hopsight.wiki.api import ApiSource, crawl
crawl(ApiSource.model_validate_json(sys.argv[1]), Path(sys.argv[2]))
"""
PAGES = 130


@pytest.fixture
def wiki():
    made = FakeWiki(per_answer=20)
    for number in range(PAGES):
        ahead = "".join(f" [[Page {3 * number + more}]]" for more in (1, 2, 3))
        made.add(f"Page {number}", f"{{{{Infobox x|image=P{number}.png}}}} See{ahead}.")
        made.redirect(f"Name {number}", f"Page {number}")
    for number in range(0, PAGES, 10):
        made.files[f"P{number}.png"] = FakeFile(png(colour=f"#0000{number:02x}"))
    return made


class Server(ThreadingHTTPServer):
    """The fake wiki on a port of its own. The child is killed at request number `kill_at`, whose
    answer it never sees; `in_flight` holds what that asked for.
    """

    def __init__(self, wiki: FakeWiki) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.wiki = wiki
        self.lock = threading.Lock()
        self.child: subprocess.Popen[bytes] | None = None
        self.kill_at = -1
        self.in_flight: set[str] = set()

    def reply(self, path: str) -> Reply:
        with self.lock:
            reply = self.wiki.answer(path)
            if len(self.wiki.requests) == self.kill_at and self.child is not None:
                self.in_flight |= self.wiki.latest
                self.child.send_signal(signal.SIGKILL)
                self.child.wait()
            return reply

    def handle_error(self, *_: object) -> None:
        """A killed child hangs up."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        reply = self.server.reply(self.path)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.content)))
        self.end_headers()
        self.wfile.write(reply.content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(wiki):
    with Server(wiki) as started:
        thread = threading.Thread(target=started.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield started
        started.shutdown()
        thread.join()


def test_a_crawl_killed_at_any_request_goes_on_and_writes_the_same_bytes(wiki, server, tmp_path):
    address = f"http://127.0.0.1:{server.server_port}"
    for name, file in wiki.files.items():
        file.url = f"{address}/images/{name}"
    source = ApiSource(
        base_url=f"{address}/api.php",
        contact="us@example.org",
        seeds=("Page 0",),
        hops=9,
        concurrency=1,
    )
    whole = crawl(source, tmp_path / "whole")
    clean, once = len(wiki.requests), wiki.asked.copy()
    wiki.requests.clear()
    wiki.asked.clear()
    for server.kill_at in (9, clean // 2, clean):
        with subprocess.Popen(
            [sys.executable, "-c", CHILD, source.model_dump_json(), str(tmp_path / "killed")]
        ) as server.child:
            assert server.child.wait(60) == -signal.SIGKILL
    server.kill_at = -1
    resumed = crawl(source, tmp_path / "killed")
    again = {key for key, count in wiki.asked.items() if count > once[key]}
    assert set(wiki.asked) == set(once)
    assert again and again <= server.in_flight
    for name in ("export", "sidecar", "rejections"):
        assert getattr(resumed, name).read_bytes() == getattr(whole, name).read_bytes()
    pictures = {path.name: path.read_bytes() for path in whole.pictures.iterdir()}
    assert {path.name: path.read_bytes() for path in resumed.pictures.iterdir()} == pictures
    assert len(pictures) == 14
