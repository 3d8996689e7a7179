"""Published corpora: answered from their own index, and refused with any other."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import faiss
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hopsight.errors import ConfigError, StoreError
from hopsight.serve import EmbedderSource, Source, create_app, open_source
from hopsight.serve.lens import LensCache
from hopsight.serve.lines import LineFile
from tests.hopsight.serve.embedding_server import (
    COLOURS,
    embedding_app,
    picture_of,
    vector,
)
from tests.hopsight.serve.serving import client_of, listening

DIMENSION = 48
TEXTS = [
    "Alda\nAlda is a river in Norland.",
    "Bergen\nBergen is a city that was founded in 1070.",
    "Grey Sea\nThe Grey Sea is a cold sea.",
    "Bergen\nBergen is a city that was founded in 1070.",
    "Haldis\nHaldis was a queen who built a tower.",
]


@dataclass(frozen=True)
class Files:
    corpus: Path
    index: Path
    parquet: Path
    image_index: Path
    root: Path


@pytest.fixture
def files(tmp_path) -> Files:
    made = Files(
        tmp_path / "merged.jsonl",
        tmp_path / "e5_Flat.index",
        tmp_path / "rag.parquet",
        tmp_path / "clip.index",
        tmp_path / "data",
    )
    lines = [json.dumps({"id": str(i), "contents": text}) for i, text in enumerate(TEXTS)]
    made.corpus.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    write_index(made.index, [vector(text, DIMENSION, "a") for text in TEXTS])
    rows = [
        {
            "image": {"bytes": picture_of(name), "path": None},
            "text": f"a {name} field",
            "img_path": f"/pictures/{name}.png",
        }
        for name in COLOURS
    ]
    pq.write_table(pa.Table.from_pylist(rows), made.parquet, row_group_size=2)
    write_index(made.image_index, [vector(name, DIMENSION, "a") for name in COLOURS])
    return made


def write_index(path: Path, rows, metric: int = faiss.METRIC_INNER_PRODUCT) -> None:
    matrix = np.array(rows, np.float32)
    index = faiss.IndexFlat(matrix.shape[1], metric)
    index.add(matrix)
    faiss.write_index(index, str(path))


def source(files: Files, url: str, kind: str = "text", style: str = "e5", **more) -> Source:
    pair = (
        {"text_corpus": files.corpus, "text_index": files.index}
        if kind == "text"
        else {"image_corpus": files.parquet, "image_index": files.image_index}
    )
    embedder = EmbedderSource(address=f"{url}/v1", model="e5-test", style=style)
    return Source(pictures=files.root, embedder=embedder, **pair, **more)


def with_embedder(use, **model):
    async def once():
        app = embedding_app(**model)
        async with listening(app) as url:
            return await use(url), app.state.asked

    return asyncio.run(once())


def opened(files: Files, kind="text", style="e5", **model):
    async def use(url):
        async with open_source(source(files, url, kind, style)):
            return

    return with_embedder(use, **model)


def test_texts_are_retrieved_with_all_their_fields(files):
    async def use(url):
        async with (
            open_source(source(files, url)) as served,
            client_of(create_app(served)) as client,
        ):
            body = {"queries": ["founded 1070 city", "queen tower"], "return_scores": True}
            return (await client.post("/retrieve", json={**body, "topk": 2})).json()["result"]

    result, asked = with_embedder(use)
    assert result[1][0]["document"] == {"id": "4", "contents": TEXTS[4]}
    assert {hit["document"]["id"] for hit in result[0]} == {"1", "3"}
    assert 0 < result[0][0]["score"] <= 1
    assert asked[-1]["input"] == ["query: founded 1070 city", "query: queen tower"]
    assert asked[-2]["input"][0] == f"passage: {TEXTS[0]}"


def test_pictures_are_retrieved_by_words_and_stored_before_they_are_named(files):
    async def use(url):
        async with (
            open_source(source(files, url, "image", "jina")) as served,
            client_of(create_app(served)) as client,
        ):
            asked = {"queries": ["green"], "topk": 1, "return_scores": True}
            documents = (await client.post("/retrieve", json=asked)).json()["result"][0]
            found = (await client.post("/image_search", json={"query": "green"})).json()
            sha256 = found["result"][0]["image"]["sha256"]
            return documents, found["result"], (await client.get(f"/image/{sha256}")).content

    (documents, found, data), asked = with_embedder(use)
    assert documents[0]["document"]["img_path"] == "/pictures/green.png"
    assert "image" not in documents[0]["document"]
    assert len(found) == 1  # the others are below the threshold
    assert data == picture_of("green")
    assert asked[-1]["task"] == "retrieval.query"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"dimension": 32}, "makes 32"),
        ({"salt": "b"}, "known documents find themselves"),
    ],
)
def test_an_index_of_another_embedder_is_refused(files, model, said):
    with pytest.raises(ConfigError, match=said):
        opened(files, **model)
    with pytest.raises(ConfigError, match=said):
        opened(files, "image", "jina", **model)


def test_an_index_that_names_another_embedder_is_refused(files):
    beside = files.index.with_name(files.index.name + ".json")
    beside.write_text('{"embedder": "e5-test"}')
    opened(files)
    beside.write_text('{"embedder": "e5-other"}')
    with pytest.raises(ConfigError, match="made with e5-other"):
        opened(files)
    beside.write_text("[]")
    with pytest.raises(StoreError, match="does not name an embedder"):
        opened(files)


def test_an_index_of_other_documents_is_refused(files):
    lines = files.corpus.read_text(encoding="utf-8").splitlines()
    files.corpus.write_text("\n".join(lines[:4]), encoding="utf-8")
    with pytest.raises(ConfigError, match="5 vectors for 4 documents"):
        opened(files)
    files.corpus.write_text("\n".join([*lines[1:5], lines[0]]), encoding="utf-8")
    with pytest.raises(ConfigError, match="find themselves"):
        opened(files)


def test_a_picture_index_is_refused_where_nothing_can_prove_it(files):
    with pytest.raises(ConfigError, match="embeds no pictures"):
        opened(files, "image", "e5")


def test_unusable_files_are_told(files):
    write_index(files.index, np.eye(5, DIMENSION), faiss.METRIC_L2)
    with pytest.raises(StoreError, match="inner product"):
        opened(files)
    files.index.write_bytes(b"no index")
    with pytest.raises(StoreError, match="no readable FAISS index"):
        opened(files)
    files.parquet.write_bytes(b"no parquet")
    with pytest.raises(StoreError, match="no Parquet"):
        opened(files, "image", "jina")


@pytest.mark.parametrize("fault", ["down", "short", "nan"])
def test_an_embedder_that_fails_is_no_empty_answer(files, fault):
    async def once():
        app = embedding_app()
        async with listening(app) as url, open_source(source(files, url)) as served:
            app.state.fault = fault
            async with client_of(create_app(served)) as client:
                return await client.post("/retrieve", json={"queries": ["a"]})

    answer = asyncio.run(once())
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "provider_failed")


def test_corpora_need_their_partners(files):
    with pytest.raises(ConfigError, match="needs its index"):
        Source(pictures=files.root, text_corpus=files.corpus)
    with pytest.raises(ConfigError, match="embedder"):
        Source(pictures=files.root, text_corpus=files.corpus, text_index=files.index)


def test_lens_answers_by_sample_and_counts_what_it_rejects(tmp_path):
    file = tmp_path / "lens.jsonl"
    items = [{"cached_images_path": "/a.png", "cached_title": "A tower"}]
    lines = [
        json.dumps({"data_id": "s1", "cached_data": items}),
        "no json",
        json.dumps({"cached_data": []}),
        json.dumps({"data_id": 7, "cached_data": []}),
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    cache = LensCache([file])
    assert cache.get("s1") == [{"image_path": "/a.png", "title": "A tower"}]
    assert cache.get("7") == []
    assert cache.get("s2") is None
    assert cache.rejected == 2


@pytest.mark.parametrize("text", ["a\nb\n", "a\nb", "\n\na\r\n \n\nb\n\n"])
def test_lines_are_found_by_number(tmp_path, text):
    file = tmp_path / "lines"
    file.write_bytes(text.encode())
    lines = LineFile(file)
    assert [lines[i].strip() for i in range(len(lines))] == [b"a", b"b"]


def test_an_empty_file_is_told(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(StoreError, match="empty"):
        LineFile(tmp_path / "empty")
