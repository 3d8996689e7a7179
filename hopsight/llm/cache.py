"""Answers that were paid once: by model, canonical request and number of the sample.

The functions run on a connection to the file of the ledger, so that an answer and what it cost
are written together or not at all. Only whole answers are kept; the first one stands.
"""

import sqlite3

from pydantic import ValidationError

from hopsight.config.models import Endpoint
from hopsight.errors import StoreError
from hopsight.llm.chat import ChatAnswer, ChatRequest
from hopsight.types import content_hash

TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, sample INTEGER NOT NULL, answer TEXT NOT NULL
) WITHOUT ROWID;
"""


def cache_key(request: ChatRequest, endpoint: Endpoint, sample: int) -> str:
    """Sha-256 (hex) of all that decides an answer: also what `extra_body` and `omit` change.

    The address is left out: a model stays the same model when its server moves.
    """
    declared = [name for name in ("json_schema", "seed") if name in endpoint.capabilities]
    how = [endpoint.extra_body, sorted(endpoint.omit), declared]
    return content_hash([endpoint.model, how, request.key, sample])


def find(db: sqlite3.Connection, key: str) -> ChatAnswer | None:
    """The answer that was kept. Raises StoreError where it is no answer."""
    row = db.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    try:
        return ChatAnswer.model_validate_json(row[0])
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
    return answer if done.rowcount else find(db, key) or answer
