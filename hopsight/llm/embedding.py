"""Texts to vectors by the `/embeddings` protocol: what is sent, and the answer, checked."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt
from pydantic import Field

from hopsight.config.models import Endpoint
from hopsight.llm.failures import ModelError, Reason
from hopsight.llm.received import Received, Sent, SentBody, check_sent, read_body
from hopsight.types import content_hash

Vector = npt.NDArray[np.float32]
"""Shape (dimension,), as the model gave it: not brought to length 1."""

MAX_TEXTS: Final = 64
MAX_BYTES: Final = 200_000
"""Texts of one call, and their bytes together unless it is one text."""


class _Row(Sent):
    index: Annotated[int, Field(ge=0)]
    embedding: Annotated[list[float], Field(min_length=1, max_length=65_536)]


class _Rows(SentBody):
    data: list[_Row]


def vector_key(text: str, endpoint: Endpoint) -> str:
    """Sha-256 (hex) of all that decides a vector."""
    return content_hash(["embedding", endpoint.model, endpoint.extra_body, text])


def batches(texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Texts by key in parts that one call takes."""
    batch: dict[str, str] = {}
    size = 0
    for key, text in texts.items():
        if batch and (len(batch) == MAX_TEXTS or size + len(text.encode()) > MAX_BYTES):
            yield batch
            batch, size = {}, 0
        batch[key] = text
        size += len(text.encode())
    if batch:
        yield batch


def embedding_body(texts: Sequence[str], endpoint: Endpoint) -> bytes:
    """The body to send, as JSON."""
    asked = {"model": endpoint.model, "input": list(texts), "encoding_format": "float"}
    return json.dumps(asked | endpoint.extra_body, ensure_ascii=False).encode()


def vectors(
    count: int, endpoint: Endpoint, body: bytes, secret: str | None
) -> Received[list[Vector]]:
    """Check the body of an answer with status 200: `count` vectors of one length, in order."""
    return read_body(body, _Rows, partial(_vectors, count, endpoint, secret), secret)


def _vectors(count: int, endpoint: Endpoint, secret: str | None, sent: _Rows) -> list[Vector]:
    check_sent(sent, endpoint, secret)
    rows = sorted(sent.data, key=lambda row: row.index)
    if [row.index for row in rows] != list(range(count)):
        raise ModelError(Reason.MALFORMED, f"{len(rows)} vectors came for {count} texts")
    if len({len(row.embedding) for row in rows}) != 1:
        raise ModelError(Reason.MALFORMED, "the vectors have different lengths")
    with np.errstate(over="ignore"):
        made = [np.asarray(row.embedding, np.float32) for row in rows]
    if not all(np.isfinite(row).all() for row in made):
        raise ModelError(Reason.MALFORMED, "a vector holds no finite numbers")
    return made
