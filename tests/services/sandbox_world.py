"""What attacks from within a Python program are after, and how their success is seen.

All of it is real: a server that waits for a datagram, a file that holds a secret, a process that
should live. A program says ESCAPED where it alone can know that it succeeded; where the world can
tell, the world is asked.
"""

import http.server
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import hopsight
from hopsight.harness.bank import encode
from tests.hopsight.search import drawing

PICTURE = encode(drawing.scene(1), "PNG")


@dataclass
class World:
    """What the attacks are after, made anew for each run."""

    folder: Path
    secret: str
    victim: int
    udp: socket.socket
    abstract: socket.socket
    web: int

    def constants(self) -> str:
        """The names that attack programs use."""
        values = {
            "SECRET_FILE": str(self.folder / "secret.png"),
            "OPEN_FILE": str(self.folder / "open.txt"),
            "VICTIM": self.victim,
            "UDP": self.udp.getsockname()[1],
            "ABSTRACT": self.abstract.getsockname(),
            "WEB": self.web,
            "PACKAGE": str(Path(hopsight.__file__).parent),
            "HOST_PROCESS": os.getpid(),
        }
        return "".join(f"{name} = {value!r}\n" for name, value in values.items())

    def victim_lives(self) -> bool:
        """Whether the process that should live does."""
        return os.waitid(os.P_PID, self.victim, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def received(self) -> bool:
        """Whether one of the sockets was reached."""
        for each in (self.udp, self.abstract):
            try:
                return each.recv(100).startswith(b"ESCAPED")
            except BlockingIOError:
                continue
        return False


@dataclass(frozen=True)
class Ran:
    """How a run went, with or without the sandbox."""

    out: str
    errors: str
    pictures: tuple[bytes, ...]
    how: str


Check = Callable[[World, Ran], bool]


def said(world: World, ran: Ran) -> bool:
    """The program itself says that it succeeded."""
    return any(line.startswith("ESCAPED") for line in ran.out.splitlines())


def told_secret(world: World, ran: Ran) -> bool:
    """The secret came out, as text or as a picture."""
    return world.secret in ran.out + ran.errors or any(
        world.secret.encode() in data for data in ran.pictures
    )


def reached(world: World, ran: Ran) -> bool:
    """A datagram arrived."""
    return world.received()


def killed(world: World, ran: Ran) -> bool:
    """A process outside is dead."""
    return not world.victim_lives()


def changed(world: World, ran: Ran) -> bool:
    """A file outside is another than before."""
    path = world.folder / "open.txt"
    return path.stat().st_mode & 0o777 != 0o666 or path.read_text() != "untouched"


def flooded(world: World, ran: Ran) -> bool:
    """More came out than anybody wants to hold."""
    return len(ran.out) > 1_000_000


def endless(world: World, ran: Ran) -> bool:
    """It still ran when the time of a run without limits was up."""
    return ran.how == "still running"


def left(world: World, ran: Ran) -> bool:
    """Its folder is still there when it has ended."""
    return "ESCAPED" in ran.out and any(Path(tempfile.gettempdir()).rglob("*/tmp/closed"))


@dataclass(frozen=True)
class Attack:
    """A program, and how its success is seen."""

    name: str
    code: str
    check: Check = said
    first: str = ""
    """A program that runs before, in an episode of its own."""


@contextmanager
def make_world() -> Iterator[World]:
    """Servers, files and a process that an attack may try to reach."""
    secret = f"SECRET{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "secret.png").write_bytes(PICTURE + secret.encode())
        (folder / "open.txt").write_text("untouched")
        (folder / "open.txt").chmod(0o666)
        victim = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        abstract.bind(f"\0hopsight-{secret}")
        server = serve_labels(secret)
        for each in (udp, abstract):
            each.settimeout(0)
        os.environ["HOPSIGHT_API_KEY"] = secret
        try:
            yield World(folder, secret, victim.pid, udp, abstract, server.server_port)
        finally:
            victim.kill()
            victim.wait()
            server.shutdown()
            server.server_close()
            udp.close()
            abstract.close()


def serve_labels(secret: str) -> http.server.ThreadingHTTPServer:
    """A benchmark's labels on the web."""

    class Labels(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(secret.encode())

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Labels)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server
