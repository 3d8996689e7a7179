"""Starting and ending the real llama.cpp server for a test."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from hopsight.config.models import Capability, Endpoint

MODEL_VARIABLE = "HOPSIGHT_TEST_MODEL"
MODEL = "qwen2.5-coder-1.5b"
"""As the server calls it."""
LOAD_S = 180.0
END_S = 20.0
_PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Llama:
    """A server that is up."""

    url: str

    def endpoint(
        self, capabilities: tuple[Capability, ...] = ("json_schema", "logprobs", "seed")
    ) -> Endpoint:
        """The endpoint as models.yaml would name it, for a slow machine."""
        return Endpoint(
            base_url=self.url,
            model=MODEL,
            capabilities=capabilities,
            concurrency=2,
            timeout_s=600.0,
            attempts=2,
        )


def model_file() -> Path:
    """The model's file. Raises AssertionError that says how to get it: a skip would hide it."""
    named = os.environ.get(MODEL_VARIABLE)
    assert named, (
        f"{MODEL_VARIABLE} is not set: run tests/services/run, or "
        "`python tests/services/fetch_model.py FOLDER` and set it to the path that this prints"
    )
    path = Path(named)
    assert path.is_file(), f"{MODEL_VARIABLE} names {path}, which does not exist"
    return path


@contextmanager
def llama(log: Path, threads: int = 1, slots: int = 2) -> Iterator[Llama]:
    """Serve the model on a free port until the end of the block; what it says goes to `log`."""
    port = _free_port()
    command = [sys.executable, str(_PROJECT / "tests" / "services" / "llama_server.py")]
    command += [str(model_file()), *map(str, (port, threads, slots))]
    with log.open("wb") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
    try:
        _await_health(process, port, log)
        yield Llama(f"http://127.0.0.1:{port}/v1")
    finally:
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await_health(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    """Until the model is loaded; before that the server answers 503."""
    deadline = time.monotonic() + LOAD_S
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the server ended: {_end_of(log)}"
        try:
            with urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            pass
        time.sleep(0.5)
    raise AssertionError(f"no model was loaded in {LOAD_S:g} s: {_end_of(log)}")


def _end_of(log: Path) -> str:
    return log.read_text(errors="replace")[-2000:]
