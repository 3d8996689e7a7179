"""Pictures on the web: fetched where that is wanted, from a server that speaks HTTP."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hopsight.net import Fetcher
from hopsight.store.images import ImageStore
from refine.imported import read_seeds, web_pictures
from tests.refine.imported.files import jsonl, png

BODIES = {"/a.png": png(1), "/page": b"<html>no picture</html>", "/cut.png": png(2)[:45]}


class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        body = BODIES.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


@pytest.fixture
def place():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_addresses_are_opened_and_each_failure_rejects_its_own_row(tmp_path, place):
    names = ("a.png", "page", "cut.png", "none", "a.png")
    rows = [
        {"question": "Who?", "answer": "Ada", "image_url": f"http://{place}/{name}"}
        for name in names
    ]
    images = ImageStore(tmp_path / "store")
    with web_pictures(Fetcher(allow_hosts=frozenset({place}))) as open_urls:
        staged = read_seeds(jsonl(tmp_path, rows), images, open_urls=open_urls)
    assert [seed.row for seed in staged.kept] == [1, 5]
    assert images.bytes(staged.kept[0].images[0].sha256) == BODIES["/a.png"]
    assert staged.kept[0].images[0].source_url == f"http://{place}/a.png"
    assert [(each.record_id, each.reason) for each in staged.rejected] == [
        ("seeds.jsonl:2", "picture_not_fetched"),
        ("seeds.jsonl:3", "picture_unreadable"),
        ("seeds.jsonl:4", "picture_not_fetched"),
    ]


def test_an_address_of_a_private_network_is_not_asked(tmp_path, place):
    rows = [{"question": "Who?", "answer": "Ada", "image_url": f"http://{place}/a.png"}]
    with web_pictures(Fetcher()) as open_urls:
        staged = read_seeds(
            jsonl(tmp_path, rows), ImageStore(tmp_path / "store"), open_urls=open_urls
        )
    assert [each.reason for each in staged.rejected] == ["picture_not_fetched"]
