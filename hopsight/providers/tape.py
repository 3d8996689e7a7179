"""Recorded answers in one SQLite file: paid once, replayed for nothing.

A key is the hash of the tool, of who answers and of every parameter, with the hash of the picture
where one is searched by. The first answer to a question stands. No key of a service is in it.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from hopsight.errors import StoreError
from hopsight.store.files import storage_errors
from hopsight.types import content_hash

FILE: Final = "answers.sqlite"
FORMAT: Final = 1
_BUSY_S: Final = 60.0
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, question TEXT NOT NULL, answer TEXT NOT NULL
) WITHOUT ROWID;
"""
Question = Mapping[str, str | int]


class Tape:
    """Answers in `folder`, or in memory where it is None. Several processes may share a folder."""

    def __init__(self, folder: Path | None) -> None:
        self.path = None if folder is None else folder / FILE
        if self.path is not None:
            with storage_errors(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(
                self.path or ":memory:", timeout=_BUSY_S, isolation_level=None
            )
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._check_format()
            self._db.executescript(_TABLE)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        with closing(self._db.execute("SELECT count(*) FROM answers")) as rows:
            return int(rows.fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def find(self, question: Question) -> str | None:
        """The answer to a question, as JSON; None where it was never recorded."""
        try:
            row = self._db.execute(
                "SELECT answer FROM answers WHERE key = ?", (key_of(question),)
            ).fetchone()
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        return None if row is None else str(row[0])

    def keep(self, question: Question, answer: str) -> None:
        """Record an answer, unless there is one already."""
        row = (key_of(question), json.dumps(dict(question), sort_keys=True), answer)
        try:
            self._db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", row)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _check_format(self) -> None:
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        if found == 0:
            self._db.execute(f"PRAGMA user_version={FORMAT}")
        elif found != FORMAT:
            raise StoreError(
                f"the recordings in {self.path} have format {found}, not {FORMAT}",
                "give another folder",
            )

    def _unusable(self, error: sqlite3.Error) -> StoreError:
        return StoreError(
            f"the recordings in {self.path} cannot be used ({error})",
            "see that the folder is there and sound, or give another one",
        )


def key_of(question: Question) -> str:
    """What a question is found by."""
    return content_hash(dict(question))
