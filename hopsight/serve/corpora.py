"""Published corpora with their FAISS indexes: MM-DeepResearch's files, Search-R1's text.

Text: JSON lines, each with `contents` (title, a line break, text) or `text`; the index holds the
vectors of the lines in their order. Pictures: Parquet with `image` ({bytes, path} or bytes),
`text`, and `img_path`; the index holds the vectors of the pictures.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from hopsight.errors import ConfigError, StoreError
from hopsight.serve.dense import DenseIndex, check_match
from hopsight.serve.documents import Found
from hopsight.serve.embedders import Embedder, PictureEmbedder, Vectors
from hopsight.serve.lines import LineFile
from hopsight.store.files import storage_errors

PICTURE: Final = "image"


class TextCorpus:
    """Lines of JSON as documents, found by the meaning of words."""

    def __init__(self, lines: LineFile, index: DenseIndex, embedder: Embedder) -> None:
        self._lines = lines
        self._index = index
        self._embedder = embedder

    @classmethod
    async def open(cls, corpus: Path, index: Path, embedder: Embedder) -> "TextCorpus":
        """Raises StoreError (unreadable) or ConfigError (index and embedder do not match)."""
        opened = cls(LineFile(corpus), DenseIndex(index), embedder)

        async def embed(rows: Sequence[int]) -> Vectors:
            return await embedder.passages([opened.document(row)["contents"] for row in rows])

        def same(one: int, other: int) -> bool:
            return bool(opened.document(one)["contents"] == opened.document(other)["contents"])

        await check_match(opened._index, embedder, len(opened._lines), embed, same)
        return opened

    async def retrieve(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """One list for each query, best first. Raises ProviderError where the embedder fails."""
        scores, rows = await self._index.search(await self._embedder.queries(queries), k)
        return await asyncio.to_thread(_found, self.document, scores.tolist(), rows.tolist())

    def document(self, row: int) -> dict[str, Any]:
        """A document with all its fields, and `contents`. Raises StoreError (no such line)."""
        try:
            document = json.loads(self._lines[row])
            contents = document.get("contents", document.get("text"))
        except (ValueError, RecursionError, AttributeError) as error:
            raise StoreError(
                f"line {row + 1} of the corpus is no JSON object", "mend it"
            ) from error
        if not isinstance(contents, str):
            raise StoreError(f"line {row + 1} of the corpus has no contents", "mend it")
        return {**document, "contents": contents}


class ImageCorpus:
    """Rows of Parquet as pictures, found by words. Their bytes are read when they are asked for."""

    def __init__(self, file: pq.ParquetFile, index: DenseIndex, embedder: Embedder) -> None:
        self._file = file
        self._index = index
        self._embedder = embedder
        names = [name for name in file.schema_arrow.names if name != PICTURE]
        self._texts: pa.Table = file.read(columns=names)
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        self._starts = [sum(sizes[:i]) for i in range(len(sizes))]

    @classmethod
    async def open(cls, corpus: Path, index: Path, embedder: Embedder) -> "ImageCorpus":
        """Raises StoreError (unreadable) or ConfigError (index and embedder do not match)."""
        if not isinstance(embedder, PictureEmbedder):
            raise ConfigError(
                f"{embedder.name} embeds no pictures, so that it cannot be shown to match {index}",
                "give a CLIP model's address with --embedder-style jina",
            )
        try:
            with storage_errors(corpus):
                file = pq.ParquetFile(corpus, memory_map=True)
        except pa.ArrowInvalid as error:
            raise StoreError(f"{corpus} is no Parquet file", "give the corpus's file") from error
        if PICTURE not in file.schema_arrow.names or "text" not in file.schema_arrow.names:
            raise StoreError(f"{corpus} has no columns image and text", "give the corpus's file")
        opened = cls(file, DenseIndex(index), embedder)

        async def embed(rows: Sequence[int]) -> Vectors:
            return await embedder.pictures([opened.picture(row) for row in rows])

        def same(one: int, other: int) -> bool:
            return opened.picture(one) == opened.picture(other)

        await check_match(opened._index, embedder, opened._texts.num_rows, embed, same)
        return opened

    async def retrieve(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """One list for each query, best first; `img_path` says where each picture lies."""
        scores, rows = await self.rows(queries, k)
        return _found(self.document, scores, rows)

    async def rows(
        self, queries: Sequence[str], k: int
    ) -> tuple[list[list[float]], list[list[int]]]:
        """Scores and row numbers for each query; row −1 is none."""
        scores, rows = await self._index.search(await self._embedder.queries(queries), k)
        return scores.tolist(), rows.tolist()

    def document(self, row: int) -> dict[str, Any]:
        """All fields of a row but the picture, and `contents`."""
        fields = {name: self._texts[name][row].as_py() for name in self._texts.column_names}
        text = str(fields.get("text") or "")
        return {**fields, "text": text, "contents": fields.get("contents") or text}

    def picture(self, row: int) -> bytes:
        """The bytes of a picture. Raises StoreError where the row has none."""
        group = max(i for i, start in enumerate(self._starts) if start <= row)
        column = self._file.read_row_group(group, columns=[PICTURE])[PICTURE]
        value = column[row - self._starts[group]].as_py()
        data = value.get("bytes") if isinstance(value, dict) else value
        if not isinstance(data, bytes):
            raise StoreError(f"row {row} of the corpus has no picture", "give the corpus's file")
        return data


def _found(document: Any, scores: list[list[float]], rows: list[list[int]]) -> list[list[Found]]:
    return [
        [
            Found(document(row), round(score, 6))
            for row, score in zip(near, values, strict=True)
            if row >= 0
        ]
        for near, values in zip(rows, scores, strict=True)
    ]
