"""Answers that were paid once: by model, canonical request and number of the sample.

The functions run on a connection to the file of the ledger, so that an answer and what it cost
are written together or not at all. Only whole answers are kept; the first one stands. That a
provider's filter withheld the answer to a request is kept as well: it would do so again.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from pydantic import ValidationError

from hopsight.config.models import Endpoint
from hopsight.errors import StoreError
from hopsight.llm.chat import ChatAnswer, ChatRequest
from hopsight.llm.embedding import Vector
from hopsight.llm.failures import ModelError, Reason
from hopsight.types import content_hash

_STORED: Final = "<f4"

TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, sample INTEGER NOT NULL, answer TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS withheld (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, sample INTEGER NOT NULL, detail TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, vector BLOB NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class Withheld:
    """The provider's filter withheld the answer to this very request."""

    detail: str

    @property
    def error(self) -> ModelError:
        """What a caller is told: the same as the first time, and that nobody was asked again."""
        return ModelError(Reason.CONTENT_FILTER, f"{self.detail} (kept; not asked again)")


def cache_key(request: ChatRequest, endpoint: Endpoint, sample: int) -> str:
    """Sha-256 (hex) of all that decides an answer: also what `extra_body` and `omit` change.

    The address is left out: a model stays the same model when its server moves.
    """
    declared = [name for name in ("json_schema", "seed") if name in endpoint.capabilities]
    how = [endpoint.extra_body, sorted(endpoint.omit), declared]
    return content_hash([endpoint.model, how, request.key, sample])


_LOOK_UP: Final = """
SELECT answer, NULL FROM answers WHERE key = :key
UNION ALL SELECT NULL, detail FROM withheld WHERE key = :key LIMIT 1
"""
"""One statement: every call of a model passes here twice."""


def look_up(db: sqlite3.Connection, key: str) -> ChatAnswer | Withheld | None:
    """What is known of a request. Raises StoreError where what was kept is no answer."""
    row = db.execute(_LOOK_UP, {"key": key}).fetchone()
    if row is None:
        return None
    return Withheld(row[1]) if row[0] is None else _read(row[0], key)


def _read(text: str, key: str) -> ChatAnswer:
    try:
        return ChatAnswer.model_validate_json(text)
    except ValidationError as error:
        raise StoreError(
            f"the cached answer {key[:12]} is damaged or of another version",
            "move the cache away; its answers are then paid again",
        ) from error


def keep(db: sqlite3.Connection, key: str, sample: int, answer: ChatAnswer) -> ChatAnswer:
    """Keep an answer; returns the one that stands, which another process may have kept first."""
    done = db.execute(
        "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)",
        (key, answer.model, sample, answer.model_dump_json()),
    )
    if done.rowcount:
        return answer
    (standing,) = db.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
    return _read(standing, key)


def withhold(db: sqlite3.Connection, key: str, model: str, sample: int, detail: str) -> None:
    """Keep that the provider's filter withheld an answer."""
    row = (key, model, sample, detail)
    db.execute("INSERT OR IGNORE INTO withheld VALUES (?, ?, ?, ?)", row)


def forget_withheld(db: sqlite3.Connection) -> int:
    """Let every withheld answer be asked for again; returns how many there were."""
    return db.execute("DELETE FROM withheld").rowcount


def find_vectors(db: sqlite3.Connection, keys: Iterable[str]) -> dict[str, Vector]:
    """The vectors that were kept, by key."""
    found = {}
    for key in dict.fromkeys(keys):
        row = db.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        if row is not None:
            found[key] = np.frombuffer(row[0], _STORED).astype(np.float32)
    return found


def keep_vectors(
    db: sqlite3.Connection, keys: Sequence[str], model: str, vectors: Sequence[Vector]
) -> list[Vector]:
    """Keep vectors; returns those that stand, which another process may have kept first."""
    rows = (
        (key, model, vector.astype(_STORED).tobytes())
        for key, vector in zip(keys, vectors, strict=True)
    )
    db.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)
    standing = find_vectors(db, keys)
    return [standing[key] for key in keys]
