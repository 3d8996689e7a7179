"""The network's far side for tests: servers on loopback that play the public and a forbidden one.

A connection that would be opened to any address is opened to one of the two instead, so that a
request to a cloud's metadata service is seen and harms nobody.
"""

import socketserver
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpcore2
import pytest

from hopsight.net import Resolver, system_resolver

Answer = Callable[[bytes], Iterable[bytes]]
PUBLIC = "93.184.216.34"
PUBLIC_V6 = "2606:4700::1111"


class Server:
    """A server that answers by path, and keeps the head of every request."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.heads: list[bytes] = []
        self.port = 0

    def head(self, number: int) -> str:
        """The head of a request, in lower case."""
        return self.heads[number].decode("latin-1").lower()


@contextmanager
def serving(answers: dict[str, Answer]) -> Iterator[Server]:
    """A server on a port of its own."""
    server = Server(answers)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(20)
            head = b""
            while b"\r\n\r\n" not in head:
                piece = self.request.recv(65536)
                if not piece:
                    return
                head += piece
            server.heads.append(head)
            path = head.split(b" ")[1].decode("latin-1").partition("?")[0]
            try:
                for piece in server.answers.get(path, not_found)(head):
                    self.request.sendall(piece)
            except (BrokenPipeError, ConnectionResetError, TimeoutError):
                pass  # the other side has seen enough

    class Threaded(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Threaded(("127.0.0.1", 0), Handler) as tcp:
        server.port = tcp.server_address[1]
        thread = threading.Thread(target=tcp.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            tcp.shutdown()
            thread.join()


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> Answer:
    """A whole answer; `content_type="…"` becomes Content-Type."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    told = {"Content-Length": str(len(body)), "Connection": "close"} | names
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    whole = f"HTTP/1.1 {status}\r\n{lines}\r\n".encode("latin-1") + body
    return lambda _: [whole]


def redirect(to: str, status: str = "302 Found") -> Answer:
    return answer(status=status, Location=to)


def not_found(_: bytes) -> Iterable[bytes]:
    return answer(b"nothing here", "404 Not Found", content_type="text/plain")(b"")


class Network:
    """Which address leads where; `asked` holds those that a connection was opened to."""

    def __init__(self, public: Server, forbidden: Server) -> None:
        self.public = public
        self.forbidden = forbidden
        self.asked: list[str] = []

    @property
    def private_asked(self) -> list[str]:
        return [address for address in self.asked if address not in {PUBLIC, PUBLIC_V6}]


@contextmanager
def network(patch: pytest.MonkeyPatch, public: dict[str, Answer]) -> Iterator[Network]:
    """A public server at PUBLIC, and a forbidden one at every other address."""
    secret = answer(b"SECRET", content_type="text/plain")

    class AnyPath(dict[str, Answer]):
        def get(self, key: str, default: Any = None) -> Any:
            return secret

    with serving(public) as open_one, serving(AnyPath()) as closed_one:
        net = Network(open_one, closed_one)
        real = httpcore2.AnyIOBackend.connect_tcp

        async def connect(
            self: httpcore2.AnyIOBackend, host: str, port: int, *args: Any, **kwargs: Any
        ) -> Any:
            net.asked.append(host)
            known = host in {PUBLIC, PUBLIC_V6}
            there = net.public if known else net.forbidden
            return await real(self, "127.0.0.1", there.port, *args, **kwargs)

        patch.setattr(httpcore2.AnyIOBackend, "connect_tcp", connect)
        yield net


def resolver(table: Mapping[str, Sequence[Sequence[str]]]) -> Resolver:
    """Names by a table of answers, of which the last is repeated; all else by the system, which
    offline knows numbers and localhost alone."""
    left = {name: list(answers) for name, answers in table.items()}

    async def resolve(host: str, port: int) -> Sequence[str]:
        if host not in left:
            return await system_resolver(host, port)
        answers = left[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    return resolve
