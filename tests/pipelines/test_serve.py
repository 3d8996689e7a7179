"""The command that starts the search server: what it refuses before anything listens."""

import socket

import pytest
import typer
from typer.testing import CliRunner

from hopsight.errors import HopsightError
from pipelines.commands.serve import serve


@pytest.fixture
def command(tmp_path, monkeypatch):
    monkeypatch.setenv("HOPSIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SEARCH_CACHED_DATA_PATHS", raising=False)
    monkeypatch.delenv("HOPSIGHT_SERVE_TOKEN", raising=False)
    app = typer.Typer()
    app.command()(serve)

    def run(*arguments: str):
        return CliRunner().invoke(app, arguments)

    return run


def told(result) -> str:
    assert isinstance(result.exception, HopsightError), result.output
    return str(result.exception)


def test_it_needs_an_index(command):
    assert "no search index" in told(command("--port", "9"))


def test_it_does_not_listen_to_all_without_a_token(command, monkeypatch, tmp_path):
    index = str(tmp_path)
    assert "no token is set" in told(command("--index", index, "--host", "0.0.0.0"))
    monkeypatch.setenv("HOPSIGHT_SERVE_TOKEN", "short")
    assert "no usable token" in told(command("--index", index, "--host", "0.0.0.0"))


def test_it_tells_of_an_address_in_use(command, tmp_path):
    index = str(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"cannot listen on 127.0.0.1:{port}" in told(
            command("--index", index, "--port", port)
        )


def test_sessions_need_one_process(command, tmp_path):
    index = str(tmp_path)
    assert "one process" in told(command("--index", index, "--mcp", "--workers", "2"))


def test_a_corpus_needs_its_index(command, tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"contents": "a"}\n')
    assert "needs its index" in told(command("--text-corpus", str(corpus)))
